"""Shared volumes of tets: exact, complete, and the message where a coarse mesh misses the body."""

import numpy as np
import pytest
from composite import body, centres, grid
from scipy.optimize import linprog
from scipy.spatial import ConvexHull, HalfspaceIntersection

from supple.coarsening.cage import cage, cells_for_ratio
from supple.coarsening.coarse_mass import coarse_mass
from supple.coarsening.overlap import check_covers, overlaps
from supple.coarsening.wrapping import wrapped
from supple.errors import MeshError, SuppleError
from supple.mesh.measure import tet_volumes
from supple.mesh.shapes.round import Ball

ONE = np.array([[0, 1, 2, 3]], dtype=np.int32)


def hull_volume(a: np.ndarray, b: np.ndarray) -> float:
    """The volume that two tets share, by half-spaces and convex hulls."""
    planes = np.vstack([ConvexHull(a).equations, ConvexHull(b).equations])
    size = np.linalg.norm(planes[:, :3], axis=1)
    inner = linprog(
        [0, 0, 0, -1],
        A_ub=np.column_stack([planes[:, :3], size]),
        b_ub=-planes[:, 3],
        bounds=[(None, None)] * 3 + [(0, None)],
    )
    if inner.status != 0 or inner.x[3] < 1e-7:
        return 0.0
    return float(ConvexHull(HalfspaceIntersection(planes, inner.x[:3]).intersections).volume)


def test_random_pairs_against_convex_hulls() -> None:
    rng = np.random.default_rng(0)
    shared = 0
    for _ in range(200):
        a, b = rng.standard_normal((2, 4, 3))
        wanted = hull_volume(a, b)
        found = overlaps(a, ONE, b, ONE).volume.sum()
        assert abs(found - wanted) <= 1e-10 * max(wanted, 1e-2)
        assert found == pytest.approx(overlaps(b, ONE, a, ONE).volume.sum(), rel=1e-9, abs=1e-12)
        shared += wanted > 0.0
    assert shared > 80


def test_every_coarse_tet_inside_is_filled_exactly() -> None:
    fine, coarse = grid((9, 9, 9), (1.0, 1.0, 1.0)), grid((2, 3, 2), (0.9, 0.83, 0.71), origin=0.06)
    found = overlaps(fine.vertices, fine.tets, coarse.vertices, coarse.tets)
    np.testing.assert_allclose(found.covered(len(coarse.tets)), tet_volumes(coarse.vertices, coarse.tets), rtol=1e-10)
    around = grid((3, 2, 2), (1.3, 1.2, 1.1), origin=-0.07)
    found = overlaps(fine.vertices, fine.tets, around.vertices, around.tets)
    np.testing.assert_allclose(found.inside(len(fine.tets)), tet_volumes(fine.vertices, fine.tets), rtol=1e-10)


def test_nested_grids_agree_with_the_centroids() -> None:
    fine, coarse = grid((6, 6, 6), (1.0, 1.0, 1.0)), grid((3, 3, 3), (1.0, 1.0, 1.0))
    found = overlaps(fine.vertices, fine.tets, coarse.vertices, coarse.tets)
    assert len(found.fine) == len(fine.tets)
    assert (found.fine == np.arange(len(fine.tets))).all()
    np.testing.assert_allclose(found.volume, tet_volumes(fine.vertices, fine.tets), rtol=1e-10)


def test_cages_leave_out_what_is_empty() -> None:
    mesh = grid((12, 12, 12), (1.0, 1.0, 1.0))
    ring = np.linalg.norm(centres(mesh)[:, :2] - 0.5, axis=1)
    tets = mesh.tets[(ring > 0.3) & (ring < 0.5)]
    found = cage(mesh.vertices, tets, (5, 5, 2))
    assert 0 < len(found.tets) < 6 * 50
    shared = overlaps(mesh.vertices, tets, found.vertices, found.tets)
    volumes = tet_volumes(mesh.vertices, tets)
    check_covers(shared, volumes, len(found.tets))
    assert shared.volume.sum() == pytest.approx(volumes.sum(), rel=1e-12)
    assert shared.covered(len(found.tets)).min() > 0.0
    nx, ny, nz = cells_for_ratio(mesh.vertices, mesh.tets, 27.0)
    assert (nx, ny, nz) == (4, 4, 4)


def test_coarse_vertices_carry_the_whole_mass() -> None:
    mesh = grid((6, 6, 6), (1.0, 1.0, 1.0))
    fine = body(mesh, centres(mesh)[:, 0] > 0.4, 1e4, 1e3)
    around = grid((3, 2, 2), (1.3, 1.2, 1.1), origin=-0.07)
    found = overlaps(fine.vertices, fine.tets, around.vertices, around.tets)
    mass = coarse_mass(fine, around.tets, around.n, found)
    assert mass.sum() == pytest.approx(fine.mass, rel=1e-12)
    assert mass.min() > 0.0


def test_coarse_meshes_that_miss_the_body() -> None:
    fine = grid((4, 4, 4), (1.0, 1.0, 1.0))
    volumes = tet_volumes(fine.vertices, fine.tets)
    small = grid((2, 2, 2), (0.75, 1.0, 1.0))
    with pytest.raises(MeshError, match=r"25\.00% of the fine body lies outside of it, for example the fine tets"):
        check_covers(overlaps(fine.vertices, fine.tets, small.vertices, small.tets), volumes, len(small.tets))
    away = grid((2, 2, 2), (1.0, 1.0, 1.0), origin=5.0)
    with pytest.raises(MeshError, match="shares no volume with the fine body"):
        check_covers(overlaps(fine.vertices, fine.tets, away.vertices, away.tets), volumes, len(away.tets))
    with pytest.raises(SuppleError, match="give three whole numbers"):
        cage(fine.vertices, fine.tets, (2, 0, 2))


def test_a_mesh_in_the_shape_of_the_body() -> None:
    ball = Ball(radius=0.5, resolution=4).mesh()
    coarse = wrapped(ball.vertices, ball.tets, 0.5)
    found = overlaps(ball.vertices, ball.tets, coarse.vertices, coarse.tets)
    assert found.volume.sum() == pytest.approx(tet_volumes(ball.vertices, ball.tets).sum(), rel=1e-6)
    assert found.covered(len(coarse.tets)).min() > 0.0
    assert len(coarse.tets) < 0.3 * len(ball.tets)
    with pytest.raises(SuppleError, match="must be positive"):
        wrapped(ball.vertices, ball.tets, -1.0)
