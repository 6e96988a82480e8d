"""Obstacles and colours of a run: from its scene.toml, as parts of its film."""

from pathlib import Path

import numpy as np
import pytest

from supple.colours import BODIES, GROUND, NAMES, OBSTACLE, colour_code
from supple.contact.obstacles.half_space import HalfSpace
from supple.contact.obstacles.shapes import SphereShape
from supple.errors import SceneError, SuppleError
from supple.recording.animation import AnimationWriter
from supple.recording.cells import Cells
from supple.recording.film import Film, body_ranges
from supple.recording.playback import open_animation
from supple.recording.scenery import scenery_of
from supple.scene.text.load import dump_scene, read_scene, scene_hash

SCENE = """
[world]
up = "z"
[[body]]
name = "tet"
colour = "#AA00ff"
[[body]]
name = "flag"
[[obstacle]]
name = "ball"
shape = "sphere"
centre = [0, 0, -1]
radius = 0.5
colour = "red"
friction = 0.3
[[obstacle]]
name = "paddle"
mesh = { shape = "cloth" }
[[obstacle]]
shape = "half-space"
point = [0.0, 0.0, -2.0]
"""
CELLS = Cells.join([np.array([[0, 1, 2, 3]]), np.array([[4, 5, 6], [7, 8, 9]])])
X = np.random.default_rng(1).random((10, 3))


def film(folder: Path, scene: str | None, start: np.ndarray = X) -> Film:
    ranges = body_ranges([("tet", 4), ("flag", 3), ("paddle", 3)])
    writer = AnimationWriter.create(folder / "animation.vtkhdf", CELLS, 10, 3, {"up": "z", "bodies": ranges})
    for k in range(3):
        writer.record(float(k), start + k, np.ones((10, 3)), np.full(10, 7.0))
    writer.close()
    if scene is not None:
        (folder / "scene.toml").write_text(scene)
    return Film(open_animation(folder / "animation.vtkhdf"), folder)


def test_parts_of_bodies_meshes_and_shapes(tmp_path: Path) -> None:
    with film(tmp_path, SCENE) as found:
        names = [(p.name, p.obstacle, p.colour, type(p.shape)) for p in found.parts]
        assert names == [
            ("tet", False, "#aa00ff", type(None)),
            ("flag", False, BODIES[1], type(None)),
            ("paddle", True, OBSTACLE, type(None)),
            ("ball", True, NAMES["red"], SphereShape),
            ("obstacle2", True, GROUND, HalfSpace),
        ]
        assert found.recorded == 10
        assert found.scenery.notes == ()
        for t in (1.0, 1.4):
            moment = found.at(t)
            assert len(moment.x) == len(moment.v) == len(moment.energy) == found.vertices > 10
            np.testing.assert_allclose(moment.x[:10], X + t, rtol=1e-6)
            for part in found.parts:
                first, end = part.span
                assert (part.vertices >= first).all()
                assert (part.vertices < end).all()
                if part.shape is not None:
                    assert np.abs(part.shape.distance(moment.x[part.vertices].astype(float))).max() < 1e-6
                    assert not moment.v[part.vertices].any()
                    assert not moment.energy[part.vertices].any()


MOVING = """
[[obstacle]]
name = "stirrer"
shape = "box"
centre = [1.0, 0.0, 0.0]
size = [0.4, 0.2, 0.2]
law = "sticky"
motion = { rotate = { axis = [0, 0, 1], centre = [0, 0, 0], rate = 1.0 }, start = 0.5 }
[[obstacle]]
name = "lift"
mesh = { shape = "bar", cells = [1, 1, 1], size = [1.0, 1.0, 0.1] }
law = "separate"
colour = "red"
motion = { translate = { velocity = [0, 0, 0.5] } }
[[obstacle]]
name = "press"
shape = "half-space"
law = "slip"
motion = { keyframes = [{ time = 0, offset = [0, 0, 1] }, { time = 2, offset = [0, 0, 3] }] }
"""


def test_obstacles_that_move_are_where_their_script_says(tmp_path: Path) -> None:
    with film(tmp_path, SCENE + MOVING) as found:
        stirrer, lift, press = found.parts[-3:]
        assert (lift.name, lift.obstacle, lift.colour, lift.still) == ("lift", True, NAMES["red"], False)
        assert found.parts[3].still
        for t in (0.0, 1.0, 1.4):
            moment = found.at(t)
            angle = max(0.0, t - 0.5)
            x, v = moment.x[stirrer.vertices], moment.v[stirrer.vertices]
            np.testing.assert_allclose(x.mean(axis=0), [np.cos(angle), np.sin(angle), 0.0], atol=1e-6)
            speed = [-np.sin(angle), np.cos(angle), 0.0] if t > 0.5 else [0.0, 0.0, 0.0]
            np.testing.assert_allclose(v.mean(axis=0), speed, atol=1e-6)
            x = moment.x[lift.vertices]
            np.testing.assert_allclose((x.min(axis=0), x.max(axis=0)), ([0, 0, t / 2], [1, 1, 0.1 + t / 2]), atol=1e-6)
            np.testing.assert_allclose(moment.x[press.vertices][:, 2], 1.0 + t, atol=1e-6)


def test_a_mesh_that_is_gone_is_told(tmp_path: Path) -> None:
    lost = '[[obstacle]]\nname = "wall"\nlaw = "slip"\nmesh = { file = "gone.obj" }\n'
    with film(tmp_path, SCENE + lost) as found:
        assert found.parts[-1].name == "obstacle2"
        assert "obstacle[3] 'wall': cannot be drawn" in found.scenery.notes[0]


def test_half_space_faces_up_and_carries_motion_and_obstacles(tmp_path: Path) -> None:
    with film(tmp_path, SCENE) as found:
        ground = found.parts[-1]
        assert ground.shape is not None
        assert tuple(ground.shape.normal) == (0.0, 0.0, 1.0)
        x = found.frame(0).x[ground.vertices]
        assert (x[:, :2].min(axis=0) < -0.5).all()
        assert (x[:, :2].max(axis=0) > 3.0).all()
        np.testing.assert_allclose(x[:, 2], -2.0)


def test_what_exploded_does_not_stretch_the_ground(tmp_path: Path) -> None:
    start = X.copy()
    with film(tmp_path, SCENE, start) as found:
        near = np.ptp(found.frame(0).x[found.parts[-1].vertices], axis=0).max()
    writer = AnimationWriter.reopen(tmp_path / "animation.vtkhdf", 3, 4)
    far = X.copy()
    far[0], far[1] = 1e9, np.nan
    writer.record(3.0, far, X, np.zeros(10))
    writer.close()
    with Film(open_animation(tmp_path / "animation.vtkhdf"), tmp_path) as found:
        assert np.ptp(found.frame(0).x[found.parts[-1].vertices], axis=0).max() == pytest.approx(near, rel=0.1)


@pytest.mark.parametrize("scene", [None, "not = = toml", "[[obstacle]]\nshape = 'cone'\n"])
def test_folders_without_a_scene_that_can_be_read_still_open(tmp_path: Path, scene: str | None) -> None:
    with film(tmp_path, scene) as found:
        assert found.vertices == 10
        assert [p.colour for p in found.parts] == list(BODIES[:3])
        assert len(found.scenery.notes) == (scene is not None)


def test_scenes_that_have_not_run() -> None:
    scene = read_scene(
        {
            "time": {"step": 0.01},
            "body": [
                {
                    "mesh": {"shape": "cube"},
                    "material": {"name": "stvk", "young": 1e4, "poisson": 0.3},
                    "colour": "teal",
                }
            ],
            "obstacle": [{"shape": "stairs"}, {"shape": "box", "centre": [0, 0, 0], "size": [1, 1, 1]}],
        },
        Path(),
    )
    found = scenery_of(scene.model_dump(exclude_none=True))
    assert [prop.name for prop in found.props] == ["obstacle0", "obstacle1"]
    assert found.colours == {"body0": NAMES["teal"]}
    assert 'colour = "teal"' in dump_scene(scene)
    other = scene.model_copy(update={"body": (scene.body[0].model_copy(update={"colour": None}),)})
    assert scene_hash(scene) == scene_hash(other)


def test_colours_that_are_refused() -> None:
    assert colour_code(" #E69F00 ") == "#e69f00"
    assert colour_code("Blue") == NAMES["blue"]
    with pytest.raises(SuppleError, match="unknown colour 'bleu'; did you mean 'blue'"):
        colour_code("bleu")
    body = {"mesh": {"shape": "cube"}, "material": {"name": "stvk", "young": 1e4, "poisson": 0.3}, "colour": "#12"}
    with pytest.raises(SceneError, match=r"body\[0\]\.colour: unknown colour '#12'; give #rrggbb"):
        read_scene({"time": {"step": 0.01}, "body": [body]}, Path())
