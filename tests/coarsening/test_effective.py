"""Effective tensors: homogeneous bodies, laminates, cracks and slices, against theory and the fine body."""

import numpy as np
import pytest
from composite import POISSON, Composite, body, centres, grid, layered

from supple.coarsening.cage import cage
from supple.coarsening.fine_body import FineBody, isotropic
from supple.coarsening.harmonic import fine_strains, harmonic_displacements, outer_faces, tractions
from supple.coarsening.rigid_modes import rigid_modes
from supple.errors import MeshError, SuppleError
from supple.mesh.topology import boundary_triangles

LOADS = ((2, (0.0, 0.0, -1.0)), (0, (0.0, 0.0, -1.0)), (0, (1.0, 0.0, 0.0)))
"""Held face and force: pressed along the layers' normal, bent, pulled."""


def uniform(cells: int = 4) -> FineBody:
    mesh = grid((cells, cells, cells), (1.0, 0.8, 0.9))
    return body(mesh, np.zeros(len(mesh.tets), dtype=bool), 1e4, 1.0)


def test_a_homogeneous_body_strains_as_hooke_says() -> None:
    fine = uniform()
    H = harmonic_displacements(fine)
    compliance = np.linalg.inv(isotropic(1e4, POISSON))
    np.testing.assert_allclose(fine_strains(fine, H), np.broadcast_to(compliance, (len(fine.tets), 6, 6)), atol=1e-16)
    assert np.abs(H.reshape(6, -1) @ rigid_modes(fine.vertices).reshape(6, -1).T).max() <= 1e-12 * np.abs(H).max()


def test_tractions_push_and_turn_nothing() -> None:
    fine = uniform()
    b = tractions(fine)
    assert np.abs(b.sum(axis=1)).max() <= 1e-15
    assert np.abs(np.cross(fine.vertices[None], b).sum(axis=1)).max() <= 1e-15


@pytest.mark.parametrize("method", ["average", "nodal"])
def test_homogeneous_bodies_keep_their_tensor(method: str) -> None:
    fine = uniform(6)
    C = isotropic(1e4, POISSON)
    inner = Composite(fine, grid((2, 2, 2), (0.9, 0.72, 0.81), origin=0.03)).effective(method)
    assert np.abs(inner.stiffness / np.abs(C).max() - C / np.abs(C).max()).max() <= 1e-9
    around = Composite(fine, grid((3, 2, 2), (1.4, 1.3, 1.2), origin=-0.11)).effective(method)
    assert around.coverage.min() < 0.9
    wanted = around.coverage[:, None, None] * C
    assert np.abs(around.stiffness - wanted).max() <= 1e-9 * np.abs(C).max()
    assert not around.fallback.any()


def test_the_centre_of_a_laminate() -> None:
    """C33 and C44 are means of the inverse: 266.57 and 152.32 at 100:1."""
    composite = Composite(layered(12, 100.0, 12), grid((3, 3, 3), (1.0, 1.0, 1.0)))
    centre = (np.abs(centres(composite.coarse) - 0.5) < 1 / 6).all(axis=1)
    E = np.array([1e4, 1e2])
    lam, mu = E * POISSON / ((1 + POISSON) * (1 - 2 * POISSON)), E / (2 * (1 + POISSON))
    wanted = [1.0 / np.mean(1.0 / (lam + 2 * mu)), 1.0 / np.mean(1.0 / (2 * mu))]
    nodal = composite.effective("nodal").stiffness[centre]
    np.testing.assert_allclose([nodal[:, 2, 2].mean(), nodal[:, 3, 3].mean()], wanted, rtol=1e-6)
    average = composite.effective("average").stiffness[centre]
    softness = [np.mean(1.0 / average[:, k, k]) for k in (2, 3)]
    np.testing.assert_allclose(1.0 / np.array(softness), wanted, rtol=1e-6)


def test_static_loads_and_frequencies_of_a_layered_cube() -> None:
    """Errors at 10:1: average .18 .11 .08, naive .62 .51 .12; frequencies 1.05 and 1.08 of the fine ones."""
    composite = Composite(layered(12, 10.0, 12), grid((3, 3, 3), (1.0, 1.0, 1.0)))
    errors = {m: [composite.static(m, *load)[0] for load in LOADS] for m in ("average", "naive")}
    np.testing.assert_allclose(errors["average"], [0.182, 0.107, 0.078], atol=2e-3)
    np.testing.assert_allclose(errors["naive"], [0.618, 0.512, 0.124], atol=2e-3)
    np.testing.assert_allclose(composite.frequency_ratios("average", 2, 2), [1.051, 1.084], atol=2e-3)


def test_a_slice_through_a_bar() -> None:
    mesh = grid((32, 4, 4), (8.0, 1.0, 1.0))
    x = centres(mesh)[:, 0]
    composite = Composite(body(mesh, (x > 3.25) & (x < 3.5), 1e4, 10.0), grid((8, 1, 1), (8.0, 1.0, 1.0)))
    pull = (0, (1.0, 0.0, 0.0))
    ratios = [composite.static(method, *pull)[1] for method in ("nodal", "average", "naive")]
    np.testing.assert_allclose(ratios, [1.054, 0.908, 0.042], atol=2e-3)


@pytest.mark.study
def test_a_crack_in_a_bar() -> None:
    """Errors under gravity and pull: nodal .25 and .26, naive .71 and .98."""
    mesh = grid((48, 8, 8), (6.0, 1.0, 1.0))
    x, y, _ = centres(mesh).T
    soft = (x > 2.75) & (x < 2.875) & (y < 0.75)
    composite = Composite(body(mesh, soft, 1e4, 10.0), grid((12, 2, 2), (6.0, 1.0, 1.0)))
    for load in ((0, (0.0, -1.0, 0.0)), (0, (1.0, 0.0, 0.0))):
        nodal, naive = (composite.static(m, *load)[0] for m in ("nodal", "naive"))
        assert nodal < 0.3
        assert naive > 2.0 * nodal


def test_walls_of_holes_carry_no_traction() -> None:
    mesh = grid((4, 4, 4), (1.0, 1.0, 1.0))
    hole = (np.abs(centres(mesh) - 0.5) < 1 / 4).all(axis=1)
    outer, every = outer_faces(mesh.vertices, mesh.tets[~hole]), boundary_triangles(mesh.tets[~hole])
    assert len(outer) == 6 * 16 * 2
    assert len(every) == len(outer) + 6 * 4 * 2
    cells = cage(mesh.vertices, mesh.tets[~hole], (2, 2, 2))
    kept = np.unique(mesh.tets[~hole])
    number = np.full(mesh.n, -1)
    number[kept] = np.arange(len(kept))
    tets = number[mesh.tets[~hole]].astype(np.int32)
    holed = FineBody(mesh.vertices[kept], tets, isotropic(np.full(len(tets), 1e4), POISSON), np.ones(len(tets)))
    C = Composite(holed, cells).effective("average").stiffness
    assert np.linalg.eigvalsh(C)[:, 0].min() > 0.0
    assert C[:, 0, 0].mean() < 0.99 * isotropic(1e4, POISSON)[0, 0]


def test_bad_bodies_are_named() -> None:
    fine = uniform(2)
    stiffness = fine.stiffness.copy()
    stiffness[[3, 7]] *= -1.0
    with pytest.raises(SuppleError, match="2 tets have a stiffness that is not positive definite; the first are 3, 7"):
        FineBody(fine.vertices, fine.tets, stiffness, fine.density)
    with pytest.raises(SuppleError, match="1 tets have no positive density; the first are 0"):
        FineBody(fine.vertices, fine.tets, fine.stiffness, np.where(np.arange(len(fine.tets)) == 0, 0.0, 1.0))
    twice = np.concatenate([fine.vertices, fine.vertices + 5.0])
    tets = np.concatenate([fine.tets, fine.tets + len(fine.vertices)]).astype(np.int32)
    with pytest.raises(MeshError, match="it has 2 unconnected pieces of 48, 48 tets"):
        FineBody(twice, tets, np.tile(fine.stiffness, (2, 1, 1)), np.ones(len(tets)))
    with pytest.raises(SuppleError, match="2 pinned vertices cannot fix a body"):
        harmonic_displacements(fine, np.array([0, 1], dtype=np.int32))
