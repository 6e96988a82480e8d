"""Every energy term: products with its Hessian, and pulls on to the numbers that it was built from."""

from collections.abc import Callable
from dataclasses import replace

import catalogue
import numpy as np
import pytest
from catalogue import KINKED, REST, TERMS, deformed

from builders import dense
from supple.dynamics.potential import Potential
from supple.dynamics.system import build_system
from supple.energies.samples import Samples, one_sample
from supple.energies.term import EnergyTerm
from supple.linalg.parts import split_vertices
from supple.linalg.pattern import symmetric_pattern
from supple.types import Array

RANDOM = np.random.default_rng(17)
LAM = RANDOM.standard_normal(REST.shape)
UNMEASURED = {"triangle altitudes", "tet altitudes", "axial bending springs", "attachments", "gravity"}
"""Terms whose rest measures are given."""


def two_samples() -> Samples:
    x = np.stack([deformed(seed) for seed in (1, 2)])
    return Samples(x, np.array([0.5, 1.5]), np.array([0.2, 0.7]), np.array([2.0, -0.4]))


def difference(function: Callable[[float], Array], eps: float) -> Array:
    """df/de at 0, by central differences of sixth order."""
    steps = {1: 45.0, 2: -9.0, 3: 1.0}
    return sum(c * (function(k * eps) - function(-k * eps)) for k, c in steps.items()) / (60 * eps)


def worked(term: EnergyTerm, samples: Samples) -> float:
    """sum_q force_q lam . V'(x_q), by the sums that steps take."""
    gradient = np.zeros_like(REST)
    system = build_system(REST, np.ones(len(REST)), [term])
    gradient += system.potential.weighted_gradient(samples)
    return float(np.vdot(LAM, gradient))


@pytest.mark.parametrize("name", TERMS)
def test_products_are_those_of_the_hessian(name: str) -> None:
    system, s = build_system(REST, np.ones(len(REST)), [TERMS[name]()]), two_samples()
    values = np.zeros(system.pattern.nnz)
    system.potential.add_hessian(s, values)
    wanted = (dense(system, values) @ LAM.ravel()).reshape(-1, 3)
    found = system.potential.product(s, LAM)
    if name != "gravity":
        assert np.abs(wanted).max() > 1.0
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12 * np.abs(wanted).max())


@pytest.mark.parametrize("name", TERMS)
def test_products_are_derivatives_of_the_gradient(name: str) -> None:
    system, x = build_system(REST, np.ones(len(REST)), [TERMS[name]()]), deformed()
    found = system.potential.product(one_sample(x), LAM)
    eps = 3e-7 if name in KINKED else 1e-4
    wanted = difference(lambda e: system.potential.gradient(x + e * LAM), eps)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-7 * np.abs(found).max() + 1e-12)


@pytest.mark.parametrize("name", TERMS)
def test_bits_of_products_do_not_depend_on_parts_and_held_vertices(name: str) -> None:
    term, n, found = TERMS[name](), len(REST), []
    for parts, held in ((1, False), (3, True)):
        unknowns = np.arange(n, dtype=np.int32)
        if held:
            unknowns[5], unknowns[6:] = -1, unknowns[6:] - 1
        pattern = symmetric_pattern(int(unknowns.max()) + 1, [unknowns[term.elements]])
        potential = Potential([term], pattern, unknowns, split_vertices(REST, parts))
        found.append(potential.product(two_samples(), LAM))
    assert np.array_equal(*found)


@pytest.mark.parametrize("name", TERMS)
def test_pulls_on_constants(name: str) -> None:
    term, s = TERMS[name](), two_samples()
    constants, pulled = term.constants(), term.pull(s, LAM)
    assert constants
    assert set(pulled) - {"rest"} == set(constants)
    for key, value in constants.items():
        assert pulled[key].shape == value.shape
        scale = np.where(value != 0.0, np.abs(value), 1.0)
        d = scale * np.random.default_rng(3).uniform(-1.0, 1.0, value.shape)
        if value.ndim == 3:
            d = d + np.swapaxes(d, 1, 2)
        moved = difference(lambda e, key=key, value=value, d=d: worked(term.with_constant(key, value + e * d), s), 1e-3)
        wanted = np.vdot(pulled[key], d)
        assert np.abs(pulled[key]).max() > 0.0 or moved == pytest.approx(0.0, abs=1e-12)
        assert wanted == pytest.approx(moved, rel=1e-7, abs=1e-12 * abs(worked(term, s)))


@pytest.mark.parametrize("name", sorted(set(TERMS) - UNMEASURED))
def test_pulls_on_the_rest_shape(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    s, d = two_samples(), np.random.default_rng(4).standard_normal(REST.shape)
    pulled = TERMS[name]().pull(s, LAM)["rest"]
    assert np.abs(pulled).max() > 1e-3

    def rebuilt(e: float) -> float:
        monkeypatch.setattr(catalogue, "REST", REST + e * d)
        return worked(TERMS[name](), s)

    wanted = difference(rebuilt, 3e-7 if name in KINKED else 1e-4)
    assert np.vdot(pulled, d) == pytest.approx(wanted, rel=1e-5 if name in KINKED else 1e-7)


@pytest.mark.parametrize("name", sorted(set(TERMS) - {"gravity"}))
def test_a_term_with_its_own_constants_is_itself(name: str) -> None:
    term, s = TERMS[name](), replace(two_samples())
    for key, value in term.constants().items():
        assert worked(term.with_constant(key, value), s) == pytest.approx(worked(term, s), rel=1e-13)
