"""Keyframes with rotation and scale in scene files: read, written again, overridden, drawn, refused where they cannot be."""

import json
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import supple as sp
from schemas import scene_schema
from supple.constraints.transforms import linear_part
from supple.contact.obstacles.projection import Frame
from supple.errors import SceneError
from supple.model.assemble import assemble
from supple.model.moving.orientation import AxisAngle
from supple.recording.scenery import scenery_of
from supple.scene.tables.scene import Scene
from supple.scene.text.load import read_scene

KEYS = """
keyframes = [
  { time = 0.0, offset = [0, 0, 0], rotation = [0, 0, 0], scale = 1.0 },
  { time = 0.5, rotation = { axis = [0, 0, 1], angle = 400.0 }, scale = [1.0, 2.0, 0.5] },
  { time = 1.0, offset = [0.1, 0, 0] },
]
"""
SCENE = f"""
[time]
step = "1/60"
duration = 1.0
[[body]]
name = "bar"
mesh = {{ shape = "bar", cells = [4, 1, 1], size = [4, 0.5, 0.5] }}
material = {{ name = "stvk", young = 1e5, poisson = 0.3 }}
[[body.motion]]
group = "left"
interpolation = "spline"
pivot = [0.0, 0.25, 0.25]
translate = {{ velocity = [1, 0, 0] }}
rotate = {{ axis = [1, 0, 0], centre = [0, 0.25, 0.25], rate = 2.0 }}
stop = 0.3
{KEYS}
[[obstacle]]
name = "ball"
mesh = {{ shape = "sphere", radius = 0.2, centre = [8, 0, 0], subdivisions = 1 }}
bodies = ["bar"]
[obstacle.motion]
{KEYS}
"""


def scene(text: str = SCENE) -> Scene:
    return read_scene(tomllib.loads(text), Path())


def test_a_scene_is_what_python_says() -> None:
    world = scene().make().world
    keys = (
        sp.Keyframe(0.0, (0, 0, 0), (0, 0, 0), 1.0),
        sp.Keyframe(0.5, rotation=AxisAngle((0, 0, 1), 400.0), scale=(1.0, 2.0, 0.5)),
        sp.Keyframe(1.0, (0.1, 0, 0)),
    )
    spin = sp.Rotation((1, 0, 0), (0, 0.25, 0.25), 2.0)
    wanted = sp.Motion(
        group="left", keyframes=keys, interpolation="spline", pivot=(0.0, 0.25, 0.25), stop=0.3,
        translate=sp.Translation((1, 0, 0)), rotate=spin,
    )  # fmt: skip
    assert world.bodies[0].motion == (wanted,)
    (ball,) = world.mesh_obstacles
    assert (ball.motion, ball.bodies) == (sp.Moves(keyframes=keys), ("bar",))
    given: dict[str, Any] = {"axis": [0, 0, 1], "angle": 400.0}
    assert sp.Keyframe(0.5, rotation=given).rotation == AxisAngle((0, 0, 1), 400.0)  # type: ignore[arg-type]


def test_a_world_comes_back_from_its_text() -> None:
    setup = scene().make()
    text = setup.world.to_toml(setup.method, setup.h, setup.steps)
    assert scene(text).make().world == setup.world


def test_one_number_of_a_keyframe_is_set() -> None:
    given = ["body[0].motion[0].keyframes[1].rotation.angle=90", "obstacle[0].motion.keyframes[1].scale=3"]
    world = read_scene(tomllib.loads(SCENE), Path(), overrides=given).make().world
    assert world.bodies[0].motion[0].keyframes[1].rotation == AxisAngle((0, 0, 1), 90)
    assert world.mesh_obstacles[0].motion.keyframes[1].scale == 3


def test_the_schema_has_the_keys() -> None:
    text = json.dumps(scene_schema())
    for word in ("AxisAngle", "rotation", "pivot", "spline", "The bodies on which it acts"):
        assert word in text


def test_what_moves_is_where_the_script_says() -> None:
    model = assemble(scene().make().world, h=1 / 60, duration=1.0)
    bar, ball = model.placed
    middle = ball.mesh.vertices.mean(axis=0)
    for frame in sp.simulate(model, sp.BackwardEuler(), h=1 / 60, steps=12):
        for part, moves, own in (
            (bar, bar.body.motion[0], bar.mesh.groups["left"]),
            (ball, ball.of.motion, ball.numbers),
        ):
            start = model.state.x[part.span][own - (0 if part is bar else ball.first)]
            script = moves.script(start)
            numbers = own if part is bar else ball.numbers
            np.testing.assert_allclose(frame.state.x[numbers], script.position(start, frame.state.t), atol=1e-12)
            np.testing.assert_allclose(frame.state.v[numbers], script.velocity(start, frame.state.t), atol=1e-10)
        if frame.state.t == 0.0:
            continue
        offset = ball.of.motion.script(ball.mesh.vertices).position(middle[None], frame.state.t)[0] - middle
        np.testing.assert_allclose(frame.state.x[ball.span].mean(axis=0), middle + offset, atol=1e-12)


NODES = """
[[obstacle]]
name = "blade"
law = "separate"
mesh = { shape = "bar", cells = [2, 1, 1], size = [2, 0.5, 0.5], origin = [1, 1, 1] }
motion = { interpolation = "spline", keyframes = [
  { time = 0, rotation = [0, 0, 0] }, { time = 1, offset = [0, 0, 1], rotation = [0, 0, 90] },
  { time = 2, rotation = [30, 0, 0] } ] }
"""


def test_a_mesh_at_nodes_turns_as_it_is_drawn() -> None:
    """About its centroid, and as a rigid body: the script of the solver and that of pictures are the same."""
    (prop,) = scenery_of(tomllib.loads(NODES)).props
    assert prop.script is not None
    blade = read_scene(tomllib.loads(SCENE + NODES), Path()).obstacle[1].make()
    node = blade.at_nodes(0.1)
    assert node is not None
    points = prop.surface(np.zeros(3), np.zeros(3))[0]
    for t in (0.0, 0.4, 1.0, 1.7):
        np.testing.assert_allclose(node.script.position(points, t), prop.script.position(points, t), atol=1e-15)
        A = linear_part(prop.script, t)
        np.testing.assert_allclose(A @ A.T, np.eye(3), atol=1e-14)
        middle = prop.script.position(points, t)[:4].mean(axis=0)
        assert node.gaps(middle[None], t)[0] <= 1e-9
    inside = prop.script.position(np.array([[2.0, 1.25, 1.25]]), 1.0)
    np.testing.assert_allclose(inside, [[2.0, 1.25, 2.25]], atol=1e-14)
    assert node.gaps(inside, 1.0)[0] < -0.2
    assert node.gaps(np.array([[2.0, 1.25 + 0.9, 2.25]]), 1.0)[0] < 0.0  # it stands upright now
    found = node.inside(inside, 1.0, 0.0)
    np.testing.assert_allclose(found.velocities, prop.script.velocity(np.array([[2.0, 1.25, 1.25]]), 1.0), atol=1e-9)


def test_a_projection_turns_by_keyframes() -> None:
    keys = (sp.Keyframe(0.0, (0, 0, 0), (0, 0, 0)), sp.Keyframe(1.0, (0, 1, 0), (0, 0, 90)))
    wall = sp.Obstacle(sp.HalfSpace(), law="projection", motion=sp.Moves(keyframes=keys, pivot=(0, 0, 0)))
    made = wall.projection(np.array([0]), 0.0, 0.0)
    frame = Frame.of(made.script, 1.0)
    np.testing.assert_allclose(frame.turned(np.array([[0.0, 1.0, 0.0]])), [[-1.0, 0.0, 0.0]], atol=1e-14)
    hit = made.project(np.array([[-0.1, 0.0, 0.0]]), np.array([[0.3, 0.2, 0.0]]), np.array([[1.0, 0.0, 0.0]]), 1.0, 1.0)
    np.testing.assert_allclose(hit.x[0, 0], 0.0, atol=1e-12)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            'shape = "sphere"\nradius = 1\ncentre = [9, 9, 9]\nlaw = "slip"',
            'an obstacle with law = "slip" moves as a rigid body',
        ),
        (
            'shape = "sphere"\nradius = 1\ncentre = [9, 9, 9]\nlaw = "projection"',
            'law = "projection" moves as a rigid body',
        ),
        ('mesh = { shape = "sphere" }\nlaw = "sticky"', 'an obstacle with law = "sticky" moves as a rigid body'),
    ],
)
def test_scale_is_refused_where_distances_are_computed(table: str, message: str) -> None:
    moves = "motion = { pivot = [9, 9, 9], keyframes = [{ time = 0, scale = 1 }, { time = 1, scale = 2 }] }"
    with pytest.raises(
        SceneError, match="keyframes with a scale are for groups of bodies and for meshes in contact"
    ) as caught:
        scene(f"{SCENE}\n[[obstacle]]\n{table}\n{moves}\n")
    assert message in str(caught.value)


def test_a_shape_needs_a_pivot() -> None:
    table = 'shape = "sphere"\nradius = 1\ncentre = [9, 9, 9]\nlaw = "slip"'
    table += "\nmotion = { keyframes = [{ time = 0, rotation = [0, 0, 9] }] }"
    with pytest.raises(SceneError, match=r"motion.pivot: a shape has no vertices with a centroid"):
        scene(f"{SCENE}\n[[obstacle]]\n{table}\n")
