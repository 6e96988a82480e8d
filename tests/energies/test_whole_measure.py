"""Energies of a whole area or volume: derivatives, invariance, energy under AVF, and methods that cannot take them."""

import numpy as np
import pytest

from builders import Setup, dense, drift, random_tets, run
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.areas.measures import AREA, CONE, VOLUME, Measure
from supple.energies.areas.whole_measure import (
    ConstantPressure,
    Gas,
    Law,
    Stiffness,
    WholeMeasure,
    enclosed_volume,
    whole_area,
    whole_volume,
)
from supple.energies.samples import Samples, one_sample
from supple.energies.springs.springs import StVKSprings
from supple.errors import MeshError, SuppleError
from supple.integrators import INTEGRATORS
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.mesh.measure import enclosed_volume as inside
from supple.mesh.topology import boundary_triangles, unique_edges

MESH = random_tets()
REST = MESH.vertices
SKIN = boundary_triangles(MESH.tets)
LAWS: dict[str, Law] = {
    "constant": ConstantPressure(40.0),
    "gas": Gas(300.0, 200.0, 1.4),
    "slow gas": Gas(300.0, 200.0),
    "stiffness": Stiffness(500.0),
}
TERMS = {
    **{f"enclosed, {name}": (enclosed_volume, SKIN, law) for name, law in LAWS.items()},
    "area": (whole_area, SKIN, Stiffness(50.0)),
    "volume": (whole_volume, np.asarray(MESH.tets), Stiffness(500.0)),
}


def term(name: str) -> WholeMeasure:
    make, cells, law = TERMS[name]
    return make(REST, cells, law)


def bent(seed: int) -> np.ndarray:
    return REST + np.random.default_rng(seed).uniform(-0.15, 0.15, REST.shape) + [0.5, -1.0, 2.0]


def hessian(system: System, samples: Samples) -> np.ndarray:
    values = np.zeros(system.pattern.nnz)
    system.potential.add_hessian(samples, values)
    K = dense(system, values)
    for weight, a in system.potential.outer_products(samples):
        K += weight * np.outer(a.ravel(), a.ravel())
    return K


@pytest.mark.parametrize("measure", [AREA, CONE, VOLUME], ids=lambda m: m.noun)
def test_derivatives_of_measures(measure: Measure) -> None:
    rng = np.random.default_rng(3)
    y, d = rng.standard_normal((2, 6, measure.corners, 3))
    eps = 1e-5
    slope = (measure.values(y + eps * d) - measure.values(y - eps * d)) / (2 * eps)
    np.testing.assert_allclose(np.einsum("mai,mai->m", measure.gradients(y), d), slope, atol=1e-8)
    change = (measure.gradients(y + eps * d) - measure.gradients(y - eps * d)) / (2 * eps)
    along = np.einsum("mij,mj->mi", measure.hessians(y), d.reshape(6, -1))
    np.testing.assert_allclose(along, change.reshape(6, -1), atol=1e-7)


@pytest.mark.parametrize("name", TERMS)
def test_derivatives_of_whole_measures(name: str) -> None:
    system, x = build_system(REST, np.ones(len(REST)), [term(name)]), bent(1)
    d = np.random.default_rng(2).standard_normal(x.shape)
    g, eps = system.potential.gradient(x), 1e-5
    values = [sum(system.potential.by_group(x + s * eps * d).values()) for s in (1, -1)]
    assert np.vdot(g, d) == pytest.approx((values[0] - values[1]) / (2 * eps), rel=1e-7)
    K = hessian(system, one_sample(x))
    change = (system.potential.gradient(x + eps * d) - system.potential.gradient(x - eps * d)) / (2 * eps)
    np.testing.assert_allclose((K @ d.ravel()).reshape(-1, 3), change, rtol=0, atol=1e-6 * np.abs(K).max())
    assert np.abs(g.sum(axis=0)).max() <= 1e-12 * np.abs(g).sum()
    assert np.abs(np.cross(x, g).sum(axis=0)).max() <= 1e-12 * np.abs(g).sum()


@pytest.mark.parametrize("name", TERMS)
def test_laws_rest_at_rest_and_know_their_derivatives(name: str) -> None:
    body = term(name)
    law, m0, eps = body.law, body.at_rest, 1e-6
    assert law.energies(m0, m0)[0] == pytest.approx(0.0, abs=1e-13)
    for m in (0.7 * m0, m0, 1.9 * m0):
        (above, slope_above, _), (below, slope_below, _) = (law.energies(m + s * eps, m0) for s in (1, -1))
        _, slope, curvature = law.energies(m, m0)
        assert slope == pytest.approx((above - below) / (2 * eps), rel=1e-6, abs=1e-5)
        assert curvature == pytest.approx((slope_above - slope_below) / (2 * eps), rel=1e-6, abs=1e-5)


def test_a_surface_that_faces_inwards_has_the_same_volume() -> None:
    wanted = inside(REST, SKIN)
    for triangles in (SKIN, SKIN[:, ::-1]):
        assert enclosed_volume(REST, triangles, Stiffness(1.0)).at_rest == pytest.approx(wanted, rel=1e-12)


def test_gas_presses_by_its_law() -> None:
    balloon = enclosed_volume(REST, SKIN, Gas(300.0, 200.0, 1.4))
    assert balloon.pressure(REST) == pytest.approx(100.0, rel=1e-12)
    assert balloon.pressure(1.2 * REST) == pytest.approx(300.0 * 1.2 ** (-3 * 1.4) - 200.0, rel=1e-12)


def filled(law: Law) -> Setup:
    springs = StVKSprings(REST, unique_edges(SKIN), 30.0)
    used = np.unique(SKIN)
    mass = np.full(len(REST), 0.02)
    mass[used] = 0.05
    system = build_system(REST, mass, [springs, enclosed_volume(REST, SKIN, law)])
    x = REST * [1.2, 0.9, 0.95]
    return system, State(0.0, x, np.cross([0.0, 0.3, 1.0], x))


@pytest.mark.parametrize("name", LAWS)
def test_avf_keeps_the_energy_of_a_filled_surface(name: str) -> None:
    allowed = 3e-12 if LAWS[name].degree else 15 * AVF().tolerance  # the rule adapts to that tolerance in every step
    assert drift(run(filled(LAWS[name]), AVF(), 1 / 30, 15)) <= allowed


def test_newton_solves_as_quickly_as_without_the_filling() -> None:
    """The dense part of the matrix is solved for, not left out: without it they would be 90 a step."""
    frames = run(filled(Stiffness(1e4)), BackwardEuler(), 1 / 60, 6)
    assert max(frame.solve.iterations for frame in frames) <= 8


def test_an_old_factorisation_solves_with_the_filling_too() -> None:
    fresh, old = (run(filled(Stiffness(1e4)), AVF(), 1 / 60, 6, reuse=reuse) for reuse in ("never", "always"))
    assert any(frame.solve.cg_iterations for frame in old)
    np.testing.assert_allclose(old[-1].state.x, fresh[-1].state.x, rtol=0, atol=1e-8)


def test_open_surfaces_hold_nothing() -> None:
    with pytest.raises(MeshError, match="3 open edges; only a closed surface has a volume inside"):
        enclosed_volume(REST, SKIN[1:], ConstantPressure(1.0))
    with pytest.raises(SuppleError, match="pressure must be positive"):
        Gas(-1.0, 0.0)


@pytest.mark.parametrize("name", ["si", "ere", "siere", "simo-tarnow", "gonzalez"])
def test_methods_with_matrices_of_their_own_refuse(name: str) -> None:
    said = INTEGRATORS.find(name)().refuses(filled(LAWS["gas"])[0])
    assert "cannot solve for an energy of the whole body" in said
    assert "avf" in said
    assert not AVF().refuses(filled(LAWS["gas"])[0])
