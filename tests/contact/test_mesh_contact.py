"""Barrier contact of meshes: the toolkit's figures, derivatives, discrete gradients, and quantities conserved by collisions."""

from itertools import pairwise

import ipctk
import numpy as np
import pytest
from touching_bodies import DHAT, colliding_cubes, cube_pair

from builders import run
from supple.contact.surfaces.barrier_contact import BarrierContact
from supple.contact.surfaces.surface import ContactSurface
from supple.contact.surfaces.touching import Touching
from supple.dynamics.invariants import momenta
from supple.energies.samples import one_sample
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.integrators.implicit.bdf2 import BDF2
from supple.integrators.implicit.tr_bdf2 import TRBDF2
from supple.linalg.square import sum_at_vertices
from supple.types import Array

ipctk.set_num_threads(1)
KAPPA = 1e6
RNG = np.random.default_rng(3)


@pytest.fixture(scope="module")
def near() -> tuple[BarrierContact, Array]:
    """Two crumpled cubes a few millimetres apart."""
    rest, _, triangles, _ = cube_pair(offset=0.1, gap=0.02)
    x = rest + 0.003 * np.random.default_rng(1).standard_normal(rest.shape)
    return BarrierContact(ContactSurface(rest, triangles, np.arange(len(rest))), 2 * DHAT, KAPPA), x


def value_and_gradient(contact: BarrierContact, x: Array) -> tuple[float, Array]:
    gradient = np.zeros_like(x)
    return contact.add_value_gradient(one_sample(x), None, gradient), gradient


def hessian(contact: BarrierContact, x: Array, project: bool = False) -> Array:
    H = np.zeros((x.size, x.size))
    for corners, blocks in contact.coupling_blocks(one_sample(x), project):
        for c, block in zip(corners, blocks, strict=True):
            rows = (3 * c[:, None] + np.arange(3)).ravel()
            H[np.ix_(rows, rows)] += block
    return H


def test_value_gradient_and_hessian_are_those_of_the_toolkit(near: tuple[BarrierContact, Array]) -> None:
    contact, x = near
    surface, y = contact.surface, contact.surface.positions(x)
    found = ipctk.NormalCollisions()
    found.use_area_weighting = True
    found.build(surface.mesh, y, contact.dhat)
    law = ipctk.BarrierPotential(contact.dhat, KAPPA, use_physical_barrier=True)
    value, gradient = value_and_gradient(contact, x)
    assert sum(len(p.corners) for p in contact.pairs(x)) > 30
    assert value == pytest.approx(law(found, surface.mesh, y), rel=1e-12)
    wanted = law.gradient(found, surface.mesh, y).reshape(-1, 3)
    np.testing.assert_allclose(gradient[surface.vertices], wanted, rtol=0, atol=1e-11 * np.abs(wanted).max())
    rows = (3 * surface.vertices[:, None] + np.arange(3)).ravel()
    wanted = law.hessian(found, surface.mesh, y, ipctk.PSDProjectionMethod.NONE).toarray()
    np.testing.assert_allclose(
        hessian(contact, x)[np.ix_(rows, rows)], wanted, rtol=0, atol=1e-11 * np.abs(wanted).max()
    )


def test_derivatives(near: tuple[BarrierContact, Array]) -> None:
    contact, x = near
    d, e = RNG.standard_normal(x.shape), 1e-8
    (ahead, up), (behind, down) = (value_and_gradient(contact, x + s * e * d) for s in (1, -1))
    _, gradient = value_and_gradient(contact, x)
    assert (ahead - behind) / (2 * e) == pytest.approx(np.vdot(gradient, d), rel=1e-5)
    bent = (hessian(contact, x) @ d.ravel()).reshape(-1, 3)
    np.testing.assert_allclose((up - down) / (2 * e), bent, rtol=0, atol=1e-4 * np.abs(bent).max())
    assert np.linalg.eigvalsh(hessian(contact, x, project=True)).min() > -1e-9 * np.abs(bent).max()


def test_forces_of_contact_are_equal_and_opposite(near: tuple[BarrierContact, Array]) -> None:
    contact, x = near
    _, gradient = value_and_gradient(contact, x)
    size = np.abs(gradient).max()
    assert np.abs(gradient.sum(axis=0)).max() <= 1e-12 * size
    assert np.abs(np.cross(x, gradient).sum(axis=0)).max() <= 1e-12 * size


@pytest.mark.parametrize("reach", [1e-7, 1e-3, 0.02])
def test_discrete_gradients_give_the_change_of_energy(near: tuple[BarrierContact, Array], reach: float) -> None:
    contact, x0 = near
    x1 = x0 + reach * RNG.uniform(-0.3, 0.3, x0.shape)
    mean = sum(sum_at_vertices(c, g, len(x0)) for c, g in contact.coupling_means(x0, x1))
    (before, _), (after, _) = value_and_gradient(contact, x0), value_and_gradient(contact, x1)
    assert np.vdot(mean, x1 - x0) == pytest.approx(after - before, abs=1e-13 * (before + after))
    assert np.abs(np.sum(mean, axis=0)).max() <= 1e-12 * np.abs(mean).max()


def test_jacobian_of_discrete_gradients(near: tuple[BarrierContact, Array]) -> None:
    """But for the closing part, which is left out and small."""
    contact, x0 = near
    x1 = x0 + 1e-3 * RNG.uniform(-1, 1, x0.shape)
    d, e = RNG.standard_normal(x0.shape), 1e-8
    up, down = (
        sum(sum_at_vertices(c, g, len(x0)) for c, g in contact.coupling_means(x0, x1 + s * e * d)) for s in (1, -1)
    )
    found = np.zeros_like(x0)
    for corners, J in contact.coupling_mean_jacobians(x0, x1):
        found += sum_at_vertices(
            corners, np.einsum("mij,mj->mi", J, d[corners].reshape(-1, 12)).reshape(-1, 4, 3), len(x0)
        )
    wanted = (np.asarray(up) - np.asarray(down)) / (2 * e)
    assert np.abs(found - wanted).max() <= 2e-2 * np.abs(wanted).max()


def test_pairs_do_not_depend_on_what_was_asked_before(near: tuple[BarrierContact, Array]) -> None:
    contact, x = near
    fresh = Touching(contact.surface, contact.dhat)
    wandering = Touching(contact.surface, contact.dhat)
    for _ in range(12):
        wandering.at(x + 0.01 * RNG.standard_normal(3))
    for a, b in zip(fresh.at(x), wandering.at(x), strict=True):
        np.testing.assert_array_equal(a.corners, b.corners)
        np.testing.assert_array_equal(a.weight, b.weight)


def test_steps_end_before_anything_touches(near: tuple[BarrierContact, Array]) -> None:
    contact, x = near
    p = np.zeros_like(x)
    p[: len(x) // 2, 0] = 0.4
    step = contact.max_step(x, p)
    assert 0.0 < step < 1.0
    assert not contact.surface.intersects(contact.surface.positions(x + step * p))
    assert contact.surface.intersects(contact.surface.positions(x + p))
    assert contact.max_step(x, -p) == np.inf


@pytest.mark.parametrize("method", [BackwardEuler(), BDF2(), TRBDF2(), AVF()], ids=lambda m: m.name)
def test_two_cubes_collide(method: AVF) -> None:
    """No intersection in any frame, linear momentum exact; AVF keeps the energy through the impact."""
    (system, start), contact = colliding_cubes()
    frames = run((system, start), method, 0.01, 30)
    kinetic = frames[0].ledger.energies.kinetic
    assert min(contact.smallest_gap(f.state.x) for f in frames) < DHAT
    assert not any(contact.surface.intersects(contact.surface.positions(f.state.x)) for f in frames)
    before, after = momenta(system, frames[0].state), momenta(system, frames[-1].state)
    size = np.abs(system.mass[:, None] * start.v).sum()
    assert np.abs(after[0] - before[0]).max() <= 1e-12 * size
    assert np.abs(after[1] - before[1]).max() <= 2e-2 * size
    residual = max(abs(f.ledger.residual) for f in frames) / kinetic
    assert residual <= 1e-11 if method.name == "avf" else residual > 1e-2


def test_a_fast_impact_does_not_tunnel() -> None:
    """0.5 m a step against cubes 1 m wide and 5 cm apart, head on."""
    (system, start), contact = colliding_cubes(kappa=1e8, speed=15.0, offset=0.0)
    frames = run((system, start), BackwardEuler(), 1 / 30, 6)
    assert not any(contact.surface.intersects(contact.surface.positions(f.state.x)) for f in frames)
    assert not any(contact.passes(a.state.x, b.state.x) for a, b in pairwise(frames))
    half = system.n // 2
    left, right = (np.mean(frames[-1].state.x[part, 0]) for part in (slice(half), slice(half, None)))
    assert left < right
