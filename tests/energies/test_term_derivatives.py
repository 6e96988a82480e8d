"""Every energy term: derivatives of one element and of the whole body, forces without net push or turn."""

import numpy as np
import pytest
from catalogue import ELASTIC, KINKED, REST, SPRINGS, TERMS, deformed

from builders import dense
from supple.dynamics.system import System, build_system
from supple.energies.samples import one_sample
from supple.energies.springs.springs import HookeSprings
from supple.energies.term import EnergyTerm, Placement
from supple.errors import MeshError, SuppleError
from supple.linalg.parts import split_elements, split_vertices


def system_of(name: str) -> System:
    return build_system(REST, np.ones(len(REST)), [TERMS[name]()])


def placement(system: System, term: EnergyTerm) -> Placement:
    """Where a term stands in a system without held vertices, for two threads."""
    numbers = np.arange(system.n, dtype=np.int32)
    parts = split_elements(term.elements, split_vertices(REST, 2))
    return Placement(parts, numbers, system.pattern, term.elements)


def value(system: System, x: np.ndarray) -> float:
    return sum(system.potential.by_group(x).values())


def hessian(system: System, x: np.ndarray) -> np.ndarray:
    values = np.zeros(system.pattern.nnz)
    system.potential.add_hessian(one_sample(x), values)
    return dense(system, values)


def difference(function, x: np.ndarray, d: np.ndarray, eps: float = 1e-3):
    """Derivative of `function` at x along d, by central differences of sixth order."""
    steps = {1: 45.0, 2: -9.0, 3: 1.0}
    return sum(c * (function(x + k * eps * d) - function(x - k * eps * d)) for k, c in steps.items()) / (60 * eps)


def step_of(name: str) -> float:
    """One that does not reach over a kink."""
    return 3e-6 if name in KINKED else 1e-3


@pytest.mark.parametrize("name", ELASTIC)
def test_a_factor_on_a_term_multiplies_energies_and_forces(name: str) -> None:
    """The factor `body.stiffness` acts on every material and bending."""
    term, x = ELASTIC[name](), deformed()
    for factor in (2.5, 0.0):
        other = term.scaled(factor)
        np.testing.assert_allclose(other.element_values(x), factor * term.element_values(x), rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(other.element_gradients(x), factor * term.element_gradients(x), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", TERMS)
def test_element_derivatives(name: str) -> None:
    term, x = TERMS[name](), deformed()
    d = np.random.default_rng(7).standard_normal(x.shape) * 0.1
    gradients, hessians = term.element_gradients(x), term.element_hessians(x)
    m, k = term.elements.shape
    assert np.abs(gradients).max() > 1e-3
    along = np.einsum("mai,mai->m", gradients, d[term.elements])
    np.testing.assert_allclose(
        along, difference(term.element_values, x, d), rtol=0, atol=1e-8 * np.abs(gradients).max()
    )
    if name != "gravity":
        assert np.abs(hessians).max() > 1.0
    along = np.einsum("mij,mj->mi", hessians, d[term.elements].reshape(m, 3 * k)).reshape(m, k, 3)
    size = max(np.abs(hessians).max(), np.abs(gradients).max())
    wanted = difference(term.element_gradients, x, d, step_of(name))
    np.testing.assert_allclose(along, wanted, rtol=0, atol=1e-8 * size)
    assert np.abs(hessians - np.swapaxes(hessians, 1, 2)).max() <= 1e-12 * size


@pytest.mark.parametrize("name", TERMS)
def test_assembled_gradient_is_the_derivative_of_the_value(name: str) -> None:
    system, x = system_of(name), deformed(2)
    gradient = system.potential.gradient(x)
    for seed in range(3):
        d = np.random.default_rng(seed).standard_normal(x.shape) * 0.1
        wanted = difference(lambda y: value(system, y), x, d)
        assert np.vdot(gradient, d) == pytest.approx(wanted, rel=1e-8, abs=1e-9 * np.abs(gradient).max())


@pytest.mark.parametrize("name", sorted(set(TERMS) - {"gravity"}))
def test_assembled_hessian_is_the_derivative_of_the_gradient(name: str) -> None:
    system, x = system_of(name), deformed(3)
    K = hessian(system, x)
    assert np.abs(K).max() > 1.0
    for seed in range(3):
        d = np.random.default_rng(seed).standard_normal(x.shape) * 0.1
        wanted = difference(system.potential.gradient, x, d, step_of(name))
        np.testing.assert_allclose((K @ d.ravel()).reshape(-1, 3), wanted, rtol=0, atol=1e-8 * np.abs(K).max())


@pytest.mark.parametrize("name", TERMS)
def test_fused_sums_equal_the_sums_over_elements(name: str) -> None:
    term, x = TERMS[name](), deformed(4)
    system = system_of(name)
    place = placement(system, term)
    samples = one_sample(x)
    fused, plain = np.zeros_like(x), np.zeros_like(x)
    energy = term.add_value_gradient(samples, place.parts, fused)
    assert energy == pytest.approx(EnergyTerm.add_value_gradient(term, samples, place.parts, plain), rel=1e-12)
    np.testing.assert_allclose(fused, plain, rtol=0, atol=1e-12 * np.abs(plain).max())
    K, L = np.zeros(system.pattern.nnz), np.zeros(system.pattern.nnz)
    term.add_hessian(samples, place, K)
    EnergyTerm.add_hessian(term, samples, place, L)
    np.testing.assert_allclose(K, L, rtol=0, atol=1e-12 * np.abs(L).max())


@pytest.mark.parametrize("name", ELASTIC)
def test_elastic_forces_have_no_sum(name: str) -> None:
    gradient = system_of(name).potential.gradient(deformed(5))
    assert np.abs(gradient).max() > 1e-2
    assert np.abs(gradient.sum(axis=0)).max() <= 1e-12 * np.abs(gradient).sum()


@pytest.mark.parametrize("name", sorted(set(ELASTIC) - {"solid linear"}))
def test_elastic_forces_have_no_torque(name: str) -> None:
    x = deformed(5)
    gradient = system_of(name).potential.gradient(x)
    assert np.abs(np.cross(x, gradient).sum(axis=0)).max() <= 1e-12 * np.abs(gradient).sum()


@pytest.mark.parametrize("name", sorted(set(ELASTIC) - {"solid linear"}))
def test_rigid_motion_stores_nothing_and_changes_nothing(name: str) -> None:
    system = system_of(name)
    moved = deformed(6, size=0.0)
    size = np.abs(system.potential.gradient(deformed(6))).max()
    assert abs(value(system, moved)) <= 1e-12 * value(system, deformed(6))
    assert np.abs(system.potential.gradient(moved)).max() <= 1e-11 * size
    x = deformed(7)
    turned = np.ascontiguousarray(x[:, [1, 2, 0]] + [3.0, -2.0, 1.0])
    assert value(system, turned) == pytest.approx(value(system, x), rel=1e-12)
    np.testing.assert_allclose(
        system.potential.gradient(turned), system.potential.gradient(x)[:, [1, 2, 0]], rtol=0, atol=1e-11 * size
    )


@pytest.mark.parametrize("name", [n for n in TERMS if TERMS[n]().degree is not None])
def test_degree_along_a_straight_line(name: str) -> None:
    system, x, degree = system_of(name), deformed(8), TERMS[name]().degree
    assert system.potential.degree == degree
    d = np.random.default_rng(9).uniform(-0.5, 0.5, x.shape)
    energies = np.array([value(system, x + k * d) for k in range(degree + 2)])
    left = np.diff(energies, degree + 1)
    assert abs(left[0]) <= 1e-12 * 2.0**degree * np.abs(energies).max()


def test_degree_of_a_sum_of_terms() -> None:
    terms = [TERMS[n]() for n in ("solid stvk", "gravity")]
    assert build_system(REST, np.ones(len(REST)), terms).potential.degree == 4
    terms.append(TERMS["hooke springs"]())
    assert build_system(REST, np.ones(len(REST)), terms).potential.degree is None
    assert build_system(REST, np.ones(len(REST)), []).potential.degree == 0


def test_a_hooke_spring_of_length_zero_is_finite() -> None:
    rest = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    spring = HookeSprings(rest, np.array([[0, 1]], np.int32), 3.0)
    together = np.zeros((2, 3))
    assert spring.element_values(together)[0] == pytest.approx(1.5)
    assert np.isfinite(spring.element_gradients(together)).all()
    assert np.isfinite(spring.element_hessians(together)).all()


@pytest.mark.parametrize("name", SPRINGS)
def test_bad_stiffness_is_refused(name: str) -> None:
    kind = type(SPRINGS[name]())
    for bad in (-1.0, np.nan):
        with pytest.raises(SuppleError, match="stiffness: must be finite and not negative"):
            kind(REST, np.array([[0, 1]], np.int32), bad)


def test_a_flat_tet_is_refused() -> None:
    flat = REST.copy()
    term = TERMS["solid stvk"]()
    flat[term.elements[3]] = 0.0
    with pytest.raises(MeshError, match="tets have no volume, the first is tet"):
        type(term)(flat, term.elements, term.material)
