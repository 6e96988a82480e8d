"""A skin finds its tets and goes with them."""

from pathlib import Path

import numpy as np
import pytest
from moving import bodies, film, write

from supple.errors import MeshError, RecordError
from supple.export.export import Skin
from supple.mesh.embedding.binding import bind
from supple.mesh.embedding.fit import check_fit
from supple.mesh.mesh import Mesh, join
from supple.mesh.nearest import Tets, to_triangles
from supple.mesh.topology import surface

BAR = bodies()["bar"]
RANDOM = np.random.default_rng(3)
INNER = BAR.vertices.min(axis=0) + RANDOM.random((300, 3)) * BAR.extent
OUTER = BAR.vertices.mean(axis=0) + RANDOM.normal(size=(60, 3))


def ball(radius: float, count: int = 60) -> Mesh:
    """A lumpy surface: the hull of points on a sphere around the middle of the bar."""
    from scipy.spatial import ConvexHull

    directions = np.random.default_rng(0).normal(size=(count, 3))
    points = BAR.vertices.mean(axis=0) + radius * directions / np.linalg.norm(directions, axis=1)[:, None]
    return Mesh(points, triangles=ConvexHull(points).simplices.astype(np.int32))


@pytest.mark.parametrize("points", [INNER, OUTER], ids=["inside", "outside"])
def test_weights_give_back_the_points(points: np.ndarray) -> None:
    binding = bind(points, BAR.vertices, BAR.tets)
    np.testing.assert_allclose(binding.weights.sum(axis=1), 1)
    np.testing.assert_allclose(binding.matrix @ BAR.vertices, points, atol=1e-12)


def test_points_inside_lie_in_their_tet() -> None:
    binding = bind(INNER, BAR.vertices, BAR.tets)
    assert binding.weights.min() > -1e-8
    assert (binding.outside == 0).all()
    assert check_fit("ball.obj", binding, 1.0) == []


def test_points_outside_have_the_nearest_tet() -> None:
    binding = bind(OUTER, BAR.vertices, BAR.tets)
    low, high = BAR.vertices.min(axis=0), BAR.vertices.max(axis=0)
    exact = np.linalg.norm(OUTER - np.clip(OUTER, low, high), axis=1)  # the bar is a box
    np.testing.assert_allclose(binding.outside, exact, atol=1e-12)


def test_flat_and_long_tets_are_found() -> None:
    """The nearest centre is not that of the tet that holds the point."""
    needle = np.array([[0, 0, 0], [20, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    crumbs = np.concatenate([needle[:1] + (15, 2 + 0.1 * k, 0) + 0.01 * np.eye(4, 3) for k in range(40)])
    rest = np.concatenate([needle, crumbs])
    tets = np.arange(len(rest), dtype=np.int32).reshape(-1, 4)
    binding = bind(np.array([[15, 0.05, 0.05]]), rest, tets)
    assert binding.corners[0].tolist() == [0, 1, 2, 3]
    assert binding.outside[0] == 0


def test_an_affine_motion_is_followed_exactly() -> None:
    A, b = RANDOM.normal(size=(3, 3)), RANDOM.normal(size=3)
    points = np.concatenate([INNER, OUTER])
    moved = bind(points, BAR.vertices, BAR.tets).matrix @ (BAR.vertices @ A.T + b)
    np.testing.assert_allclose(moved, points @ A.T + b, atol=1e-11)


def test_the_surface_as_its_own_skin_moves_as_before(tmp_path: Path) -> None:
    own = Mesh(BAR.vertices, triangles=surface(BAR))
    with film(tmp_path / "run", only="bar") as source:
        bound = write(source, "npz", tmp_path / "skin", skin=Skin("own", own, BAR.vertices))
        plain = write(source, "npz", tmp_path / "plain")
    with np.load(bound.paths[0]) as skin, np.load(plain.paths[0]) as body:
        for field in ("positions", "velocities", "energy"):
            np.testing.assert_allclose(skin[f"bar.{field}"], body[f"bar.{field}"], atol=1e-6)
        np.testing.assert_array_equal(skin["bar.faces"], own.triangles)
    assert bound.notes == ()


def test_a_skin_dresses_one_body_and_leaves_the_rest(tmp_path: Path) -> None:
    rest = join(bodies()).vertices
    skin = ball(0.3)
    with film(tmp_path / "run") as source:
        done = write(source, "usd", tmp_path / "made", skin=Skin("ball.obj", skin, rest))
        assert [(body.name, body.n) for body in done.sequence.bodies] == [("bar", 60), ("my cloth", 4), ("rope", 6)]
        assert "vertices lie outside the tets" in done.notes[0]
        for body, words in (("rope", "have none"), ("my cloth", "have none")):
            with pytest.raises(RecordError, match=words):
                write(source, "usd", tmp_path / "no", body=body, skin=Skin("ball.obj", skin, rest))


def test_a_skin_elsewhere_is_refused(tmp_path: Path) -> None:
    far = ball(0.2).moved(ball(0.2).vertices * 100)
    with film(tmp_path / "run", only="bar") as source:
        with pytest.raises(MeshError, match=r"away from the body.*--skin-scale"):
            write(source, "glb", tmp_path / "made", skin=Skin("far.obj", far, BAR.vertices))
        with pytest.raises(MeshError, match="has no triangles"):
            write(source, "glb", tmp_path / "made", skin=Skin("dots.obj", Mesh(BAR.vertices), BAR.vertices))
        with pytest.raises(RecordError, match="changed after the run"):
            write(source, "glb", tmp_path / "made", skin=Skin("b.obj", ball(0.2), BAR.vertices[:-1]))


def test_the_search_agrees_with_trying_all() -> None:
    """Tets of very different sizes, points inside, near and far."""
    tets = np.arange(4 * 60, dtype=np.int32).reshape(-1, 4)
    sizes = np.repeat(10.0 ** RANDOM.uniform(-2, 0.5, 60), 4)[:, None]
    rest = np.repeat(RANDOM.normal(size=(60, 3)), 4, axis=0) + sizes * RANDOM.normal(size=(240, 3))
    points = RANDOM.normal(size=(400, 3)) * RANDOM.choice([0.3, 1, 10], size=(400, 1))
    solid = Tets(rest, tets)
    _, distance = solid.locate(points)
    weights = solid.weights(points[:, None], np.broadcast_to(np.arange(60), (400, 60)))
    inside = (weights.min(axis=-1) >= 0).any(axis=1)
    sides = to_triangles(points[:, None], np.broadcast_to(solid.sides.corners, (400, *solid.sides.corners.shape)))
    np.testing.assert_allclose(distance, np.where(inside, 0, sides.min(axis=1)), atol=1e-9)
    assert 10 < inside.sum() < 390
