"""Obstacles on pictures, by both renderers: where they are, in their colours, before and behind bodies, in the camera."""

from pathlib import Path

import numpy as np
import pytest
from render_runs import box, draw, middle_of, record, shot_of

from supple.colours import rgb
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.solid import Bar
from supple.recording.film import open_film
from supple.recording.folder import RunFolder
from supple.render.camera import CAMERAS, Camera
from supple.render.drawing.pieces import cut_pieces
from supple.render.framing import ground_part
from supple.render.pictures import Pictures
from supple.render.shot import Shot

BODY = '[[body]]\nname = "body 0"\n'
FLOOR = '[[obstacle]]\nname = "floor"\nshape = "half-space"\npoint = [0.0, -0.5, 0.0]\n'


def staged(folder: Path, scene: str, *meshes: Mesh, move: float = 0.0) -> Path:
    """A run of a box from (0, 0, 0) to (1, 1, 1), or of those meshes, with that scene beside it."""
    run = record(folder, 6, *meshes, move=move)
    (run / "scene.toml").write_text(scene)
    return run


def hue(pixel: np.ndarray) -> np.ndarray:
    """A colour without its brightness."""
    return pixel / max(float(np.linalg.norm(pixel)), 1.0)


def has_colour(pixel: np.ndarray, code: str) -> bool:
    wanted = np.array(rgb(code))
    return float(np.abs(hue(pixel) - hue(255 * wanted)).max()) < 0.06


SHAPES = {
    "sphere": ((-1.0, 0.5), "#2a9d2a", "centre = [-1.0, 0.5, 0.5]\nradius = 0.5\n"),
    "box": ((2.0, 0.5), "#c02080", "centre = [2.0, 0.5, 0.5]\nsize = [0.8, 0.8, 0.8]\nturn = [0.0, 0.5, 0.0]\n"),
    "capsule": ((-1.0, 1.6), "#c02080", "start = [-1.2, 1.5, 0.5]\nend = [-0.7, 1.7, 0.5]\nradius = 0.3\n"),
    "stairs": ((2.0, 1.7), "#2a9d2a", "origin = [1.5, 1.2, 0.5]\nsteps = 3\nrise = 0.3\nrun = 0.3\n"),
}
"""A place inside, the colour, and their source."""


@pytest.mark.parametrize("colour", ["none", "energy"])
def test_shapes_are_seen_in_their_colours(tmp_path: Path, renderer: str, colour: str) -> None:
    """All in one picture, around the body and each unlike its neighbours."""
    obstacles = "".join(
        f'[[obstacle]]\nname = "{name}"\nshape = "{name}"\ncolour = "{code}"\n{text}'
        for name, (_, code, text) in SHAPES.items()
    )
    shot = shot_of(staged(tmp_path / "run", BODY + obstacles), camera=CAMERAS["front"], colour=colour)
    with Pictures(shot, renderer) as pictures:
        for t in (0.0, 0.5):
            picture = pictures.draw(t)
            for name, (place, code, _) in SHAPES.items():
                seen = middle_of(picture, shot, [*place, 0.5])
                assert has_colour(seen, code), (name, seen)


def test_bodies_have_their_own_colours(tmp_path: Path, renderer: str) -> None:
    beside = Bar(cells=(1, 1, 1), size=(1.0, 1.0, 1.0), origin=(2.0, 0.0, 0.0)).mesh()
    scene = '[[body]]\nname = "body 0"\n[[body]]\nname = "body 1"\ncolour = "#c02080"\n'
    shot = shot_of(staged(tmp_path / "run", scene, box(), beside), camera=CAMERAS["front"], colour="none")
    picture = draw(shot, 0.0, renderer)
    assert has_colour(middle_of(picture, shot, [0.5, 0.5, 1.0]), "#56b4e9")
    assert has_colour(middle_of(picture, shot, [2.5, 0.5, 1.0]), "#c02080")


@pytest.mark.parametrize(("z", "hidden"), [(1.6, True), (-0.6, False)])
def test_what_is_nearer_hides_what_is_behind(tmp_path: Path, renderer: str, z: float, hidden: bool) -> None:
    scene = f'{BODY}[[obstacle]]\ncolour = "#c02080"\nshape = "box"\ncentre = [0.5, 0.5, {z}]\nsize = [2.0, 0.4, 0.4]\n'
    shot = shot_of(staged(tmp_path / "run", scene), camera=CAMERAS["front"], colour="none")
    seen = middle_of(draw(shot, 0.0, renderer), shot, [0.5, 0.5, 1.0])
    assert has_colour(seen, "#c02080" if hidden else "#56b4e9")


def test_a_mesh_obstacle_moves_and_has_no_part_in_the_scale(tmp_path: Path, renderer: str) -> None:
    paddle = Bar(cells=(1, 1, 1), size=(0.4, 1.0, 1.0), origin=(1.6, 0.0, 0.0)).mesh()
    scene = f'{BODY}[[obstacle]]\nname = "body 1"\ncolour = "#c02080"\nmesh = {{ shape = "bar" }}\n'
    run = staged(tmp_path / "run", scene, box(), paddle, move=2.0)
    shot = shot_of(run, camera=CAMERAS["front"], colour="energy")
    values = np.concatenate([k * (0.5 + box().vertices[:, 0]) for k in range(6)])
    assert shot.colouring.top == pytest.approx(np.percentile(values, 95), rel=1e-6)
    for t in (0.0, 0.5):
        assert has_colour(middle_of(draw(shot, t, renderer), shot, [1.8 + 2 * t, 0.5, 1.0]), "#c02080")


def ground_height(shot: Shot) -> float:
    return float(shot.grounds[0].middle[1])


def test_the_ground_is_that_of_the_scene(tmp_path: Path, renderer: str) -> None:
    shot = shot_of(staged(tmp_path / "run", BODY + FLOOR + 'colour = "#80c060"\n'), colour="none")
    assert ground_height(shot) == -0.5
    picture = draw(shot, 0.0, renderer)
    lit, dark = (middle_of(picture, shot, [x, -0.5, z]) for x, z in ((-0.5, 1.2), (0.75, 0.3)))
    assert has_colour(lit, "#80c060")
    assert dark.sum() < 0.85 * lit.sum()  # the shadow


def test_a_tilted_ground(tmp_path: Path) -> None:
    shot = shot_of(staged(tmp_path / "run", BODY + FLOOR + "normal = [0.5, 1.0, 0.2]\n"))
    ground = shot.grounds[0]
    points = np.random.default_rng(0).random((50, 3))
    np.testing.assert_allclose(ground.above(points), (points - (0, -0.5, 0)) @ (0.5, 1, 0.2) / np.sqrt(1.29))
    np.testing.assert_allclose(ground.above(ground.fallen(points)), 0, atol=1e-12)


def test_what_is_in_the_ground_is_hidden_by_it(tmp_path: Path, renderer: str) -> None:
    ball = '[[obstacle]]\ncolour = "#c02080"\nshape = "sphere"\ncentre = [2.0, -0.5, 0.5]\nradius = 0.5\n'
    shot = shot_of(staged(tmp_path / "run", BODY + FLOOR + ball), camera=Camera(0, 25), colour="none")
    picture = draw(shot, 0.0, renderer)
    assert has_colour(middle_of(picture, shot, [2.0, -0.3, 0.95]), "#c02080")
    assert not has_colour(middle_of(picture, shot, [2.0, -0.85, 0.85]), "#c02080")


def test_without_a_half_space_the_shadow_lies_below_all(tmp_path: Path) -> None:
    scene = f'{BODY}[[obstacle]]\nshape = "sphere"\ncentre = [0.5, -0.4, 0.5]\nradius = 0.4\n'
    shot = shot_of(staged(tmp_path / "run", scene))
    assert shot.grounds[0].colour is None
    assert ground_height(shot) == pytest.approx(-0.8, abs=0.02)


def test_a_wall_is_no_ground_and_not_seen_from_behind(tmp_path: Path, renderer: str) -> None:
    wall = '[[obstacle]]\nshape = "half-space"\npoint = [0.0, 0.0, {z}]\nnormal = [0.0, 0.0, {n}]\ncolour = "#c02080"\n'
    seen = []
    for k, (z, n) in enumerate(((-0.3, 1.0), (1.3, -1.0))):
        run = staged(tmp_path / str(k), BODY + wall.format(z=z, n=n))
        with open_film(RunFolder.open(run)) as film:
            assert ground_part(film) is None
        shot = shot_of(run, camera=CAMERAS["front"], colour="none")
        picture = draw(shot, 0.0, renderer)
        assert has_colour(middle_of(picture, shot, [0.5, 0.5, 1.0]), "#56b4e9")
        seen.append(has_colour(middle_of(picture, shot, [1.4, 0.9, z]), "#c02080"))
    assert seen == [True, False]


def test_a_huge_floor_leaves_the_camera_where_it_is(tmp_path: Path) -> None:
    alone = shot_of(staged(tmp_path / "alone", BODY))
    for k, floor in enumerate((FLOOR, '[[obstacle]]\nshape = "box"\ncentre = [0, -5.1, 0]\nsize = [500, 10, 500]\n')):
        shot = shot_of(staged(tmp_path / str(k), BODY + floor))
        assert shot.view.distance < 2.0 * alone.view.distance
        assert shot.size < 2.5 * alone.size


def test_a_ground_far_below_is_not_framed(tmp_path: Path) -> None:
    alone = shot_of(staged(tmp_path / "alone", BODY))
    far = shot_of(staged(tmp_path / "far", BODY + FLOOR.replace("-0.5", "-50.0")))
    assert far.view.distance < 1.2 * alone.view.distance


def test_obstacles_are_cut_finely_only_where_the_film_plays(tmp_path: Path) -> None:
    floor = '[[obstacle]]\nshape = "box"\ncentre = [0, -5.1, 0]\nsize = [500, 10, 500]\n'
    run = staged(tmp_path / "run", BODY + floor)
    shot = shot_of(run)
    with open_film(RunFolder.open(run)) as film:
        piece = cut_pieces(film, shot, shot.grounds[0])[-1]
        points, normals = piece.surface.place(np.asarray(film.frame(0).x, dtype=float)[piece.part.vertices])
    faces = piece.surface.faces
    a, b, c = (points[faces[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2
    assert area == pytest.approx(2 * (500 * 500 + 2 * 500 * 10), rel=1e-7)
    assert len(faces) < 60_000
    near = (np.linalg.norm((a + b + c) / 3 - (0.5, -0.1, 0.5), axis=1) < 0.5) & (normals[faces[:, 0]][:, 1] > 0.5)
    assert np.linalg.norm(b - a, axis=1)[near].max() < 0.03 * shot.size


def test_shadows_lie_on_obstacles(tmp_path: Path, renderer: str) -> None:
    slab = '[[obstacle]]\ncolour = "#c0c0c0"\nshape = "box"\ncentre = [0.5, -0.4, 0.5]\nsize = [6.0, 0.2, 6.0]\n'
    shot = shot_of(staged(tmp_path / "run", BODY + slab), camera=Camera(0, 45), colour="none")
    picture = draw(shot, 0.0, renderer)
    light = shot.light / shot.light[1]
    # beside where the shadow of the foremost edge falls
    x, y, z = np.array([0.95, 0.3, 0.98]) - 0.6 * light
    lit, dark = (middle_of(picture, shot, point) for point in ([-0.6, -0.3, 1.4], [x, y, z]))
    assert dark.sum() < 0.8 * lit.sum(), (lit, dark)
