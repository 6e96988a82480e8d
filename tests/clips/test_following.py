"""Groups and obstacles that follow a file: matching, units, axes, the beginning, and runs."""

from collections.abc import Callable
from pathlib import Path

import motion_files as files
import numpy as np
import pytest

import supple as sp
from supple.clips.reading import read_clip
from supple.errors import SuppleError
from supple.mesh import SHAPES
from supple.model.clips.driven import Driven
from supple.model.clips.making import file_script
from supple.model.clips.matching import bound_to

BAR = SHAPES.find("bar")(cells=(4, 1, 1), size=(1.0, 0.25, 0.25))
X, LEFT = BAR.mesh().vertices, BAR.mesh().groups["left"]


def driven(numbers: np.ndarray = LEFT, start: np.ndarray | None = None, up: str = "y") -> Driven:
    return Driven("left", numbers, X[numbers] if start is None else start, len(X), 1.0, up)


def body(motion: sp.Motion) -> sp.Body:
    return sp.Body(BAR, sp.StVK.from_young(2e4, 0.3), density=500.0, motion=(motion,))


@pytest.mark.parametrize("name", files.WRITERS)
def test_a_run_follows_every_format(name: str, tmp_path: Path) -> None:
    moves = files.positions(X)
    path = files.WRITERS[name](tmp_path / name, moves)
    fps = files.FPS if path.suffix in (".pc2", ".obj") else None
    model = sp.assemble(sp.World([body(sp.Motion(group="left", file=str(path), fps=fps))]))
    assert any(note.startswith(f"{read_clip(path)[0].file}: 12 frames at 24 fps") for note in model.notes)
    most = 0.0
    for frame in sp.simulate(model, sp.AVF(), h=1 / 48, steps=22):
        if frame.step % 2 == 0:
            np.testing.assert_allclose(frame.state.x[LEFT], moves[frame.step // 2][LEFT], rtol=0, atol=1e-6)
        most = max(most, frame.ledger.energies.total, abs(frame.ledger.external_work))
        assert abs(frame.ledger.residual) <= 1e-10 * max(most, 1.0)
    assert abs(frame.ledger.external_work) > 1.0


def test_the_ledger_closes_with_a_driven_group_and_a_moving_collider(tmp_path: Path) -> None:
    ball = SHAPES.find("sphere")(radius=0.15, subdivisions=1).mesh()
    rise = np.sin(np.linspace(0.0, 1.5, 14))[:, None, None] * np.array([0.0, 0.28, 0.0])
    place = ball.vertices * (1.0 + 0.5 * rise[:, :, 1:2]) + np.array([0.6, -0.45, 0.125]) + rise  # it grows on its way
    collider = files.npz(tmp_path / "ball.npz", place, triangles=ball.triangles)
    hand = files.npz(tmp_path / "hand.npz", files.positions(X, 14))
    world = sp.World(
        [body(sp.Motion(group="left", file=str(hand)))],
        obstacles=[sp.MeshObstacle(sp.MeshFile(str(collider)), motion=sp.Moves(file=str(collider)))],
    )
    model = sp.assemble(world)
    ball_rows = slice(len(X), len(X) + ball.n)
    touched, most, seen = False, 0.0, set()
    for frame in sp.simulate(model, sp.AVF(), h=1 / 96, steps=52):
        k = round(24 * frame.state.t)
        if abs(24 * frame.state.t - k) < 1e-9:
            np.testing.assert_allclose(frame.state.x[ball_rows], place[k], rtol=0, atol=1e-9)
            seen.add(k)
        touched = touched or frame.ledger.energies.other > 0.0
        most = max(most, abs(frame.ledger.energies.total), abs(frame.ledger.external_work))
        assert abs(frame.ledger.residual) <= 1e-10 * max(most, 1.0)
    assert touched
    assert seen == set(range(14))


def test_soft_pins_pull_vertices_along_with_a_file(tmp_path: Path) -> None:
    moves = files.positions(X)
    path = str(files.npz(tmp_path / "walk.npz", moves))
    stiff = sp.SoftPin("bar.left", 1e9, sp.Moves(file=path))
    free = sp.Body(BAR, sp.StVK.from_young(2e4, 0.3), "bar")
    model = sp.assemble(sp.World([free], energies=[stiff]))
    for frame in sp.simulate(model, sp.BackwardEuler(), h=1 / 480, steps=220):
        if frame.step % 20 == 0:
            np.testing.assert_allclose(frame.state.x[LEFT], moves[frame.step // 20][LEFT], rtol=0, atol=1e-3)
    with pytest.raises(SuppleError, match=r"energy\[0\].motion: walk.npz: unknown object 'x'"):
        sp.assemble(sp.World([free], energies=[sp.SoftPin("bar.left", 1e9, sp.Moves(file=path, object="x"))]))


def test_vertices_are_found_by_place_whatever_their_order(tmp_path: Path) -> None:
    order = np.random.default_rng(1).permutation(len(X))
    moves = files.positions(X)
    path = str(files.npz(tmp_path / "walk.npz", moves[:, order]))
    script = file_script(sp.Moves(file=path, match="nearest"), driven(), None, None)
    np.testing.assert_allclose(script.position(X[LEFT], 5 / 24), moves[5][LEFT], rtol=0, atol=1e-12)
    away = driven(start=X[LEFT] + np.array([0.0, 0.03, 0.0]))
    with pytest.raises(
        SuppleError, match=r"4 of 4 vertices of 'left' .*worst, vertex \d+, is 0.03 m away, 0.001 m are allowed"
    ):
        file_script(sp.Moves(file=path, match="nearest"), away, None, None)
    near = file_script(sp.Moves(file=path, match="nearest", tolerance=0.05), away, None, None)
    np.testing.assert_allclose(
        near.position(away.start, 5 / 24), moves[5][LEFT] + np.array([0.0, 0.03, 0.0]), rtol=0, atol=1e-12
    )


def test_points_keep_their_place_in_the_frame_of_a_triangle(tmp_path: Path) -> None:
    """A rigid motion of the triangles carries points on, above and beside them along."""
    from supple.constraints.scripts import rotated

    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 0, 1], [1, 0, 1]])
    times = np.arange(9) / 24
    moves = np.stack(
        [rotated(corners, (1, 2, 3), (0.2, 0.1, 0), 3.0 * t) + np.array([t, 0, 0]) for t in times.tolist()]
    )
    path = str(files.npz(tmp_path / "sheet.npz", moves, times, triangles=np.array([[0, 2, 1], [1, 2, 3]])))
    points = np.array([[0.2, 0.0, 0.3], [0.7, 0.1, 0.8], [1.2, -0.2, 0.5]])
    group = Driven("points", np.arange(3, dtype=np.int32), points, 99, 1.0)
    script = file_script(sp.Moves(file=path, match="barycentric"), group, None, None)
    for t in times.tolist():
        wanted = rotated(points, (1, 2, 3), (0.2, 0.1, 0), 3.0 * t) + np.array([t, 0, 0])
        np.testing.assert_allclose(script.position(points, t), wanted, rtol=0, atol=1e-12)
    assert "by triangles, at most 0.28 m away" in script.notes[0]


def test_velocities_on_triangles_are_derivatives() -> None:
    rng = np.random.default_rng(5)
    x, v, w = rng.standard_normal((3, 6, 3))
    bound, _ = bound_to(rng.standard_normal((4, 3)), x, np.array([[0, 1, 2], [3, 4, 5]], dtype=np.int32))
    eps = 1e-6
    ahead, back = (bound.at(x + s * v + 0.5 * s * s * w, v)[0] for s in (eps, -eps))
    np.testing.assert_allclose(bound.at(x, v)[1], (ahead - back) / (2 * eps), rtol=1e-7, atol=1e-7)


def test_units_and_axes_of_the_file_are_those_of_the_scene(tmp_path: Path) -> None:
    moves = files.positions(X)
    turned = moves[:, :, [0, 2, 1]] * [1, -1, 1] * 100.0  # y up to z up, metres to centimetres
    path = str(files.usd(tmp_path / "walk.usda", turned, up="Z", metres=0.01))
    script = file_script(sp.Moves(file=path), driven(), None, None)
    np.testing.assert_allclose(script.position(X[LEFT], 7 / 24), moves[7][LEFT], rtol=0, atol=1e-6)
    assert script.notes == (
        "walk.usda: 12 frames at 24 fps, 0.01 m per unit, z up -> y up; 'left' follows '/World/walker' by index",
    )
    plain = str(files.npz(tmp_path / "walk.npz", turned))
    given = file_script(sp.Moves(file=plain, up="z", scale=0.01), driven(), None, None)
    np.testing.assert_allclose(given.position(X[LEFT], 7 / 24), moves[7][LEFT], rtol=0, atol=1e-12)


def test_a_first_frame_elsewhere_is_refused_or_eased_into(tmp_path: Path) -> None:
    moves = files.positions(X) + np.array([0.0, 0.5, 0.0])
    path = str(files.npz(tmp_path / "walk.npz", moves))
    with pytest.raises(SuppleError, match=r"is 0.5 m away, 0.001 m are allowed; .*lead_in = 1.0"):
        file_script(sp.Moves(file=path), driven(), None, None)
    script = file_script(sp.Moves(file=path, lead_in=0.4), driven(), None, None)
    np.testing.assert_array_equal(script.position(X[LEFT], 0.0), X[LEFT])
    assert not script.velocity(X[LEFT], 0.0).any()
    for k in range(files.FRAMES):
        np.testing.assert_allclose(script.position(X[LEFT], 0.4 + k / 24), moves[k][LEFT], rtol=0, atol=1e-12)


@pytest.mark.parametrize("change", [lambda x: x, lambda x: x[:, LEFT]], ids=["whole mesh", "group alone"])
def test_vertices_are_counted_in_the_mesh_or_in_the_group(
    change: Callable[[np.ndarray], np.ndarray], tmp_path: Path
) -> None:
    moves = files.positions(X)
    script = file_script(sp.Moves(file=str(files.npz(tmp_path / "walk.npz", change(moves)))), driven(), None, None)
    np.testing.assert_allclose(script.position(X[LEFT], 3 / 24), moves[3][LEFT], rtol=0, atol=1e-12)


def test_the_clip_begins_at_start_and_is_left_at_stop(tmp_path: Path) -> None:
    moves = files.positions(X)
    script = file_script(sp.Moves(file=str(files.npz(tmp_path / "walk.npz", moves))), driven(), 0.5, 0.5 + 4 / 24)
    for t in (0.0, 0.3, 0.5):
        np.testing.assert_allclose(script.position(X[LEFT], t), X[LEFT], rtol=0, atol=1e-15)
        assert not script.velocity(X[LEFT], t).any()
    np.testing.assert_allclose(script.position(X[LEFT], 0.5 + 3 / 24), moves[3][LEFT], rtol=0, atol=1e-12)
    np.testing.assert_allclose(script.position(X[LEFT], 2.0), moves[4][LEFT], rtol=0, atol=1e-12)
    assert not script.velocity(X[LEFT], 2.0).any()


def test_a_single_frame_is_held(tmp_path: Path) -> None:
    script = file_script(sp.Moves(file=str(files.npz(tmp_path / "walk.npz", X[None]))), driven(), None, None)
    np.testing.assert_array_equal(script.position(X[LEFT], 2.0), X[LEFT])
    assert "1 frame, constant" in script.notes[0]


def test_an_obstacle_takes_mesh_and_motion_from_one_file(tmp_path: Path) -> None:
    """Vertices that no face uses are gone from the mesh, and those of a glTF file are one where they are split."""
    moves = files.positions(X) + np.array([0.0, -2.0, 0.0])
    faces = BAR.mesh()
    from supple.mesh.topology import surface

    tri = surface(faces)
    split = np.concatenate([moves, moves[:, :3]], axis=1)
    corners = tri.copy()
    corners[0] = np.where(corners[0] < 3, corners[0] + len(X), corners[0])
    for path in (files.usd(tmp_path / "o.usda", moves, faces=tri), files.glb(tmp_path / "o.glb", split, faces=corners)):
        obstacle = sp.MeshObstacle(sp.MeshFile(str(path)), motion=sp.Moves(file=str(path)))
        hanging = sp.Body(BAR, sp.StVK.from_young(2e4, 0.3), pin=("left",))
        model = sp.assemble(sp.World([hanging], obstacles=[obstacle]))
        part = model.placed[1]
        assert part.mesh.n == len(X)
        [(_, script)] = part.scripted
        for k in (0, 5, 11):
            now = script.position(part.x, k / 24)
            np.testing.assert_allclose(np.sort(now, axis=0), np.sort(moves[k], axis=0), rtol=0, atol=1e-6)


def test_motion_from_a_file_survives_the_way_to_text_and_back(tmp_path: Path) -> None:
    path = str(files.npz(tmp_path / "walk.npz", files.positions(X)))
    motion = sp.Motion(
        group="left", file=path, match="nearest", fps=30.0, scale=1.0, up="y", tolerance=0.01, start=0.25
    )
    world = sp.World([body(motion)])
    (tmp_path / "scene.toml").write_text(world.to_toml())
    assert sp.load(tmp_path / "scene.toml").world == world


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ({"object": "a"}, "at least one of translate, rotate, keyframes, file"),
        ({"translate": sp.Translation((1, 0, 0)), "fps": 24.0}, "fps is for motion from a file"),
        ({"file": "a.usda", "joint": "b", "weights": "file"}, "either joint.* or weights"),
        ({"file": "a.usda", "skeleton": "b"}, "skeleton is for skeletons: give joint"),
        ({"file": "a.usda", "joint": "b", "match": "index"}, "match is for motion of an object"),
        ({"file": "a.npz", "lead_in": 1.0, "match": "nearest"}, "lead_in: match = 'nearest'"),
    ],
)
def test_keys_that_do_not_go_together_are_refused(keys: dict, sentence: str) -> None:
    with pytest.raises(SuppleError, match=sentence):
        sp.Moves(**keys)


def test_shapes_and_laws_of_nodes_take_no_file() -> None:
    moves = sp.Moves(file="walk.npz")
    with pytest.raises(SuppleError, match=r"motion.file: a file moves vertices, and a shape has none"):
        sp.Obstacle(sp.HalfSpace(), law="projection", motion=moves)
    with pytest.raises(SuppleError, match=r"motion.file: law = \"sticky\" is for surfaces that keep their shape"):
        sp.MeshObstacle(BAR, law="sticky", motion=moves)
