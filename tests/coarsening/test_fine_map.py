"""The fine surface that follows a coarse body, and coarse bodies in files."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from composite import body as two_materials
from composite import centres, grid, layered
from scipy.spatial.transform import Rotation

from supple.coarsening.cage import cage
from supple.coarsening.coarse_body import CoarseBody, load_coarse_body
from supple.coarsening.coarsen import STAGES, coarsen
from supple.coarsening.fine_map import FineMap, fine_positions, tet_states
from supple.coarsening.sampling import locate, sampled
from supple.coarsening.statics import lumped, static_displacement, weight
from supple.errors import SuppleError
from supple.mesh.mesh import Mesh
from supple.mesh.topology import boundary_triangles
from supple.types import Array

FINE = layered(8, 10.0, 8)


@pytest.fixture(scope="module")
def body() -> CoarseBody:
    return coarsen(FINE, grid((2, 2, 2), (1.0, 1.0, 1.0)))


def barycentric(body: CoarseBody, x: Array) -> Array:
    return np.einsum("fai,fa->fi", x[body.tets[body.host]], body.coordinates)


@pytest.mark.parametrize("blend", [False, True])
def test_turned_harmonic_states_are_reproduced(body: CoarseBody, blend: bool) -> None:
    S = 800.0 * np.random.default_rng(0).standard_normal(6)
    Q = Rotation.from_rotvec([0.4, -0.8, 0.3]).as_matrix()
    x, wanted = (
        (X + np.einsum("rvi,r->vi", H, S)) @ Q.T + [1.0, 2.0, 3.0]
        for X, H in ((body.vertices, body.harmonics), (body.skin, body.skin_harmonics))
    )
    assert np.abs(np.einsum("rvi,r->vi", body.skin_harmonics, S)).max() > 0.1
    assert tet_states(body, x).settled.all()
    assert np.abs(fine_positions(body, x, blend) - wanted).max() <= 1e-9
    assert np.abs(barycentric(body, x) - wanted).max() > 1e-2


def test_a_hanging_composite_looks_more_like_itself(body: CoarseBody) -> None:
    held = np.flatnonzero(np.abs(FINE.vertices[:, 2] - 1.0) < 1e-9).astype(np.int32)
    u = static_displacement(FINE, held, weight(lumped(FINE), np.array([0.0, 0.0, -60.0])))
    x = body.vertices + sampled(u[None], FINE.tets, *locate(body.vertices, FINE.vertices, FINE.tets))[0]
    seen = np.unique(boundary_triangles(FINE.tets))
    errors = [
        np.linalg.norm(y - body.skin - u[seen]) / np.linalg.norm(u[seen])
        for y in (fine_positions(body, x), fine_positions(body, x, blend=True), barycentric(body, x))
    ]
    assert errors[0] < 0.7 * errors[2]
    assert errors[1] < errors[0]


def test_blending_is_continuous(body: CoarseBody) -> None:
    """Two points on both sides of a coarse face stay together."""
    rng = np.random.default_rng(1)
    x = body.vertices + 0.05 * rng.standard_normal(body.vertices.shape)
    out = fine_positions(body, x, blend=True)
    edges = body.skin_triangles[:, :2]
    stretch = np.linalg.norm(out[edges[:, 1]] - out[edges[:, 0]], axis=1)
    rest = np.linalg.norm(body.skin[edges[:, 1]] - body.skin[edges[:, 0]], axis=1)
    plain = fine_positions(body, x)
    torn = np.linalg.norm(plain[edges[:, 1]] - plain[edges[:, 0]], axis=1)
    assert (stretch / rest).max() < (torn / rest).max()


def test_flat_tets_follow_their_corners(body: CoarseBody) -> None:
    x = body.vertices.copy()
    x[:, 2] = 0.0
    out = fine_positions(body, x)
    assert np.isfinite(out).all()
    lost = ~tet_states(body, x).settled[body.host]
    np.testing.assert_allclose(out[lost], barycentric(body, x)[lost], rtol=0.0, atol=1e-12)


def test_files(body: CoarseBody, tmp_path: Path) -> None:
    path = tmp_path / "cube.npz"
    body.save(path)
    again = load_coarse_body(path)
    for name in ("vertices", "tets", "stiffness", "mass", "harmonics", "skin", "host"):
        assert np.array_equal(getattr(again, name), getattr(body, name))
    assert again.facts == body.facts
    assert again.facts["fine_tets"] == len(FINE.tets)
    assert again.mesh.n == 27
    with pytest.raises(SuppleError, match="no such file; create it with `supple coarsen"):
        load_coarse_body(tmp_path / "none.npz")
    (tmp_path / "odd.npz").write_bytes(b"nothing")
    with pytest.raises(SuppleError, match="cannot be read as a coarse body"):
        load_coarse_body(tmp_path / "odd.npz")
    np.savez(tmp_path / "other.npz", a=1)
    with pytest.raises(SuppleError, match="is not a coarse body of this version"):
        load_coarse_body(tmp_path / "other.npz")


def test_stages_are_told() -> None:
    told: list[str] = []
    coarsen(layered(2, 10.0, 2), grid((1, 1, 1), (1.0, 1.0, 1.0)), progress=told.append)
    assert tuple(told) == STAGES


def test_points_are_located() -> None:
    mesh = grid((3, 3, 3), (1.0, 1.0, 1.0))
    inner = centres(mesh)
    host, coordinates = locate(inner, mesh.vertices, mesh.tets)
    assert (host == np.arange(len(mesh.tets))).all()
    np.testing.assert_allclose(coordinates, 0.25, atol=1e-12)
    outside = np.array([[1.3, 0.5, 0.5], [-0.2, -0.1, 0.4]])
    host, coordinates = locate(outside, mesh.vertices, mesh.tets)
    np.testing.assert_allclose(
        np.einsum("kai,ka->ki", mesh.vertices[mesh.tets[host]], coordinates), outside, atol=1e-12
    )
    assert (coordinates.min(axis=1) < 0.0).all()


@pytest.mark.parametrize("blend", [False, True])
def test_velocities_are_the_derivative(body: CoarseBody, blend: bool) -> None:
    rng = np.random.default_rng(2)
    turn = Rotation.from_rotvec([0.3, 2.0, 0.1]).as_matrix().T
    x = body.vertices @ turn + 0.01 * rng.standard_normal(body.vertices.shape)
    v = rng.standard_normal(x.shape)
    fine = FineMap(body, blend)
    assert fine.states(x).settled.all()
    out, rate = fine.motion(x, v)
    np.testing.assert_array_equal(out, fine.positions(x))
    step = 1e-6
    np.testing.assert_allclose(
        rate, (fine.positions(x + step * v) - fine.positions(x - step * v)) / (2 * step), atol=1e-7
    )
    assert np.abs(rate - barycentric(body, v)).max() > 0.1


def test_stiffness_in_any_unit_gives_the_same(body: CoarseBody) -> None:
    x = body.vertices + 0.03 * np.random.default_rng(3).standard_normal(body.vertices.shape)
    stiff = replace(body, harmonics=1e-12 * body.harmonics, skin_harmonics=1e-12 * body.skin_harmonics)
    np.testing.assert_allclose(fine_positions(stiff, x), fine_positions(body, x), atol=1e-11)


def test_no_point_is_far_from_where_the_corners_put_it() -> None:
    """A cage of 64 cells around a ball of layers at 100:1: corners outside, and strains that its layers do not allow."""
    mesh = grid((12, 12, 12), (1.0, 1.0, 1.0))
    inside = np.linalg.norm(centres(mesh) - 0.5, axis=1) < 0.5
    kept, tets = np.unique(mesh.tets[inside], return_inverse=True)
    soft = np.sin(25.0 * centres(mesh)[inside, 2]) < 0.0
    ball = two_materials(Mesh(mesh.vertices[kept], tets=tets.reshape(-1, 4).astype(np.int32)), soft, 1e4, 1e2)
    around = coarsen(ball, cage(ball.vertices, ball.tets, (4, 4, 4)))
    x = around.vertices + 0.05 * np.sin(4.0 * around.vertices[:, [1, 2, 0]])
    S = tet_states(around, x).S
    assert np.abs(S).max() > 100.0  # strains of 100 and more
    far = np.abs(fine_positions(around, x, blend=True) - barycentric(around, x)).max()
    assert 0.01 < far < 0.06
