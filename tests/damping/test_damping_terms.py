"""Every dissipation term, frozen in a step: derivatives, definiteness, assembly, rigid motion, and refusals."""

from collections.abc import Callable

import numpy as np
import pytest
from damped_bodies import DRAGS, ON_SOLIDS, ON_SPRINGS, cube, net, pulled_spring

from builders import Setup, dense
from supple.damping import DAMPINGS
from supple.damping.damper import Damped, Damping
from supple.damping.dashpot import Dashpot, Dashpots
from supple.damping.drag import AirDrag
from supple.damping.increment import increment_gradient, reference_blocks, resting
from supple.damping.rayleigh import Rayleigh
from supple.damping.structure_preserving import IncrementDamping, StructurePreserving
from supple.damping.viscosity import Viscosity
from supple.dynamics.system import System
from supple.energies.gravity import Gravity
from supple.energies.instant import Instant
from supple.energies.samples import Samples
from supple.energies.springs.anchor import Anchors
from supple.energies.springs.springs import HookeSprings
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError
from supple.linalg.square import sum_at_vertices
from supple.materials.neo_hookean import NeoHookean
from supple.types import Array

KINDS: dict[str, tuple[Callable[..., Setup], Damping]] = {
    **{f"{name} of a solid": (cube, damping) for name, damping in (ON_SOLIDS | DRAGS).items()},
    **{f"{name} of springs": (net, damping) for name, damping in ON_SPRINGS.items()},
}
FROZEN = {name: kind for name, kind in KINDS.items() if "explicit" not in name and "implicit" not in name}


def instant(setup: Setup, h: float = 0.05) -> Instant:
    """A step from a body's initial state, seen at its predicted middle."""
    _, start = setup
    return Instant(start.x, start.x + h / 2 * start.v, h / 2, h, start.v)


def frozen(name: str, h: float = 0.05) -> tuple[System, Array, list[EnergyTerm]]:
    build, damping = FROZEN[name]
    setup = build(damping)
    v = setup[1].v + 0.3 * direction(setup[1].v, 2)  # more than a rigid motion
    return setup[0], v, list(setup[0].dissipation.during(instant(setup, h), freeze=True).frozen.terms)


def difference(function: Callable[[Array], Array], x: Array, d: Array, eps: float = 1e-3) -> Array:
    """Derivative of `function` at x along d, by central differences of sixth order."""
    steps = {1: 45.0, 2: -9.0, 3: 1.0}
    return sum(c * (function(x + k * eps * d) - function(x - k * eps * d)) for k, c in steps.items()) / (60 * eps)


def direction(x: Array, seed: int = 7) -> Array:
    return np.random.default_rng(seed).standard_normal(x.shape)


def test_every_kind_is_tested() -> None:
    assert {damping.name for _, damping in KINDS.values()} == set(DAMPINGS.load())


@pytest.mark.parametrize("h", [0.05, 0.0])
@pytest.mark.parametrize("name", FROZEN)
def test_element_derivatives(name: str, h: float) -> None:
    _, v, terms = frozen(name, h)
    d = direction(v)
    for term in terms:
        m, k = term.elements.shape
        gradients, hessians = term.element_gradients(v), term.element_hessians(v)
        assert np.abs(gradients).max() > 1e-2
        assert np.abs(hessians).max() > 1e-2
        along = np.einsum("mai,mai->m", gradients, d[term.elements])
        np.testing.assert_allclose(along, difference(term.element_values, v, d), atol=1e-9 * np.abs(along).max())
        along = np.einsum("mij,mj->mi", hessians, d[term.elements].reshape(m, 3 * k)).reshape(m, k, 3)
        size = 1e-9 * np.abs(hessians).max()
        np.testing.assert_allclose(along, difference(term.element_gradients, v, d), rtol=0, atol=size)
        assert np.abs(hessians - np.swapaxes(hessians, 1, 2)).max() <= 1e-13 * np.abs(hessians).max()


@pytest.mark.parametrize("name", FROZEN)
def test_definite(name: str) -> None:
    """At velocities for which the increment is small, too."""
    _, v, terms = frozen(name)
    for term in terms:
        for at in (0 * v, 1e-3 * v) if "integrable" in name else (v,):
            eigenvalues = np.linalg.eigvalsh(term.element_hessians(at))
            allowed = 1e-3 if "integrable" in name and at.any() else 1e-13
            assert eigenvalues.min() >= -allowed * eigenvalues.max()


@pytest.mark.parametrize("name", FROZEN)
def test_assembly_is_the_sum_of_elements(name: str) -> None:
    system, v, terms = frozen(name)
    potential = system.dissipation.during(instant(FROZEN[name][0](FROZEN[name][1])), True).frozen
    samples = Samples(np.stack([v, 0.5 * v]), np.array([0.3, 0.9]), np.array([0.7, 0.4]), np.array([1.1, 0.6]))
    gradient, value, hessian = np.zeros_like(v), 0.0, np.zeros((3 * system.n, 3 * system.n))
    for term in terms:
        dofs = (3 * term.elements[:, :, None] + np.arange(3)).reshape(len(term.elements), -1)
        for at, e, f, c in zip(samples.x, samples.energy, samples.force, samples.curvature, strict=True):
            value += e * term.element_values(at).sum()
            gradient += f * sum_at_vertices(term.elements, term.element_gradients(at), system.n)
            for places, matrix in zip(dofs, term.element_hessians(at), strict=True):
                hessian[np.ix_(places, places)] += c * matrix
    parts = list(potential.contributions(samples))
    assert sum(part for _, part, _ in parts) == pytest.approx(value, rel=1e-12)
    np.testing.assert_allclose(potential.weighted_gradient(samples), gradient, atol=1e-12 * np.abs(gradient).max())
    for project in (False, True) if "integrable" not in name else (False,):
        values = np.zeros(system.pattern.nnz)
        potential.add_hessian(samples, values, project)
        np.testing.assert_allclose(dense(system, values), hessian, atol=1e-12 * np.abs(hessian).max())


@pytest.mark.parametrize("name", [name for name in FROZEN if not any(drag in name for drag in DRAGS)])
def test_rigid_motion(name: str) -> None:
    """Nothing is damped in a translation; in a turn, all but Rayleigh's damping vanishes (here with infinitesimal steps)."""
    build, damping = FROZEN[name]
    setup = build(damping)
    x = instant(setup).place
    potential = setup[0].dissipation.at(x, 0.0, setup[1].v)
    strength = np.abs(potential.gradient(direction(x))).max()
    assert np.abs(potential.gradient(np.ones_like(x))).max() <= 1e-13 * strength
    turned = np.abs(potential.gradient(np.cross([1.0, 2.0, 3.0], x))).max()
    assert (turned > 1e-3 * strength) if "rayleigh" in name else (turned <= 1e-13 * strength)


def test_viscosity_is_the_rate_of_green_strain() -> None:
    setup = cube()
    solid = setup[0].potential.terms[0]
    x, v = setup[1].x, direction(setup[1].x)
    F, rate = solid.deformation_gradients(x), solid.deformation_gradients(v)
    E = 0.5 * (np.swapaxes(F, 1, 2) @ rate + np.swapaxes(rate, 1, 2) @ F)
    trace = np.trace(E, axis1=1, axis2=2)
    wanted = solid.volume * (3.0 * np.einsum("mij,mij->m", E, E) + 0.5 * 2.0 * trace**2)
    term = Viscosity(3.0, 2.0).on(Damped(setup[0].mass, (solid,))).dissipation[0]
    np.testing.assert_allclose(term.freeze(Instant(x, x, 0.0, 0.1)).element_values(v), wanted, rtol=1e-12)


def test_dashpots_of_springs_without_length_are_slack() -> None:
    x = np.zeros((2, 3))
    term = Dashpots(np.array([[0, 1]], dtype=np.int32), 3.0).freeze(Instant(x, x, 0.0, 0.1))
    assert not term.element_hessians(x).any()


@pytest.mark.parametrize("name", ["solid", "hooke", "stvk"])
def test_increment_gradients_with_respect_to_their_reference(name: str) -> None:
    setup = cube(material=NeoHookean(100.0, 60.0)) if name == "solid" else net()
    a, n = setup[1].x, setup[0].n
    term = setup[0].potential.terms[0]
    if name == "hooke":
        term = HookeSprings(a, term.elements, 50.0)
    b = a + 0.05 * direction(a, 3)
    ((elements, matrices),) = reference_blocks([term], a, b)
    d = direction(a, 4)
    moved = np.einsum("mij,mj->mi", matrices, d[elements].reshape(len(elements), -1))
    wanted = difference(lambda y: increment_gradient([term], y, b), a, d, 1e-3)
    assert np.abs(wanted).max() > 1.0
    found = sum_at_vertices(elements, moved.reshape(*elements.shape, 3), n)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-7 * np.abs(wanted).max())


def test_the_integrable_form_without_a_step_is_its_limit() -> None:
    setup = cube(StructurePreserving(0.01, "integrable"))
    term, x = setup[0].dissipation.terms[0], setup[1].x
    v = direction(x)
    limit = term.freeze(Instant(x, x, 0.0, 0.0)).element_gradients(v)
    errors = [
        np.abs(term.freeze(Instant(x, x, 0.0, h)).element_gradients(v) - limit).max() / np.abs(limit).max()
        for h in (1e-4, 1e-5)
    ]
    assert errors[1] <= 1e-3
    assert errors[0] / errors[1] == pytest.approx(10.0, rel=0.05)


def test_a_prediction_that_inverts_elements_takes_their_stiffness_at_the_start() -> None:
    setup = cube(Rayleigh(stiffness=0.01), material=NeoHookean(100.0, 60.0))
    x, term = setup[1].x, setup[0].dissipation.terms[0]
    inside_out = x.copy()
    inside_out[term.elements[0, 0]] += 3.0 * (x.mean(axis=0) - x[term.elements[0, 0]])
    assert np.isinf(setup[0].potential.terms[0].element_values(inside_out)).any()
    found = term.freeze(Instant(x, inside_out, 0.0, 0.1)).element_hessians(x)
    start = term.freeze(Instant(x, x, 0.0, 0.1)).element_hessians(x)
    lost = np.isinf(setup[0].potential.terms[0].element_values(inside_out))
    np.testing.assert_array_equal(found[lost], start[lost])


def test_drag_leaves_other_bodies_alone() -> None:
    mass = np.array([1.0, 0.0, 2.0])
    (term,) = AirDrag(0.5).on(Damped(mass, ())).dissipation
    assert term.elements.ravel().tolist() == [0, 2]
    np.testing.assert_allclose(term.element_gradients(np.ones((3, 3)))[:, 0], 0.5 * mass[[0, 2], None] * np.ones(3))


def test_wind() -> None:
    setup = cube(DRAGS["wind"])
    at = instant(setup)
    blowing = setup[0].dissipation.terms[0].freeze(at)
    w = DRAGS["wind"].wind(at.place, at.t)
    np.testing.assert_allclose(blowing.element_gradients(w), 0.0, atol=1e-15)
    assert blowing.element_values(0 * w).sum() == pytest.approx(0.35 * (setup[0].mass[:, None] * w**2).sum(), rel=1e-12)
    for wind in (lambda x, t: np.zeros(3), lambda x, t: x * np.nan):
        with pytest.raises(SuppleError, match=r"drag\.wind"):
            cube(AirDrag(1.0, wind))[0].dissipation.at(setup[1].x, 0.0)


def test_what_damps_nothing_or_has_nothing_to_damp() -> None:
    solid, springs = (build()[0].potential.terms for build in (cube, pulled_spring))
    weight = Gravity(np.ones(2), np.ones(3))
    for make, words in [
        (lambda: Rayleigh(), "give stiffness > 0"),
        (lambda: Viscosity(), "give shear > 0"),
        (lambda: Rayleigh(stiffness=1.0).on(Damped(np.ones(2), ())), "give mass only"),
        (lambda: Viscosity(1.0).on(Damped(np.ones(2), springs)), "HookeSprings; for springs use dashpot"),
        (lambda: Viscosity(1.0).on(Damped(np.ones(2), ())), "no elastic body"),
        (lambda: Dashpot(1.0).on(Damped(np.ones(2), solid)), "Solid; for solids use viscosity"),
        (lambda: StructurePreserving(0.1).on(Damped(np.ones(2), (weight,))), "found Gravity"),
        (lambda: StructurePreserving(0.1).on(Damped(np.ones(2), ())), "no elastic body"),
    ]:
        with pytest.raises(SuppleError, match=words):
            make()


def test_terms_that_cannot_rest_elsewhere_are_left_alone() -> None:
    springs = net()[0].potential.terms[0]
    anchors = Anchors(np.zeros((4, 3)), 3.0)
    dampers = StructurePreserving(0.1, "integrable").on(Damped(np.ones(4), (anchors, springs)))
    assert [type(term) for term in dampers.dissipation] == [IncrementDamping]
    with pytest.raises(TypeError):
        resting(anchors, np.zeros((4, 3)))
