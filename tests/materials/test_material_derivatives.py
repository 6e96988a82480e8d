"""Every material: stress is the derivative of density, tangent that of stress, on random and on degenerate F."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from supple.materials import MATERIALS
from supple.materials.material import Material

NAMES = sorted(MATERIALS.load())
NOT_INVARIANT = {"linear"}
INFINITE_AT_ZERO_VOLUME = {
    "neo-hookean", "mooney-rivlin", "modified-neo-hookean", "gent", "gent-gent", "yeoh", "arruda-boyce", "lopez-pamies",
    "fung", "veronda-westmann", "blatz-ko", "ciarlet-geymonat", "hencky", "hyperfoam", "ogden",
    "holzapfel-gasser-ogden",
}  # fmt: skip
KINKED = {"stvk-kikuuwe"}
"""Materials whose third derivatives jump at J = 1, where differences see both sides."""
DIRECTED: set[str] = set()
"""Materials that have preferred directions even when made from Young and Poisson."""
YOUNG, POISSON = 1000.0, 0.3

entries = arrays(np.float64, (3, 3), elements=st.floats(-0.25, 0.25))
quick = settings(max_examples=10, deadline=None)


def make(name: str) -> Material:
    return MATERIALS[name].from_young(YOUNG, POISSON)


def random_F(seed: int, m: int = 21, inverted: bool = False) -> np.ndarray:
    """Deformation gradients of moderate size with well separated sums of singular values; 21 is more than one batch."""
    rng = np.random.default_rng(seed)
    U, V = (rotations(rng, m) for _ in range(2))
    s = rng.uniform(0.6, 1.5, (m, 3)) * (1.0, 1.0, -0.3 if inverted else 1.0)
    return np.einsum("mik,mk,mjk->mij", U, s, V)


def rotations(rng: np.random.Generator, m: int) -> np.ndarray:
    Q = np.linalg.qr(rng.standard_normal((m, 3, 3)))[0]
    return Q * np.sign(np.linalg.det(Q))[:, None, None]


STEPS, WEIGHTS = np.array([-2.0, -1.0, 1.0, 2.0]), np.array([1.0, -8.0, 8.0, -1.0]) / 12.0


def around(F: np.ndarray, eps: float) -> np.ndarray:
    """(9 * 4 * m, 3, 3) F with each component moved by the steps of the differences, as one batch."""
    moves = np.eye(9).reshape(9, 1, 1, 3, 3) * eps * STEPS[:, None, None, None]
    return np.ascontiguousarray((F + moves).reshape(-1, 3, 3))


def numeric_stress(material: Material, F: np.ndarray, eps: float = 1e-4) -> np.ndarray:
    """Fourth-order central differences of the density."""
    psi = material.density(around(F, eps)).reshape(3, 3, 4, len(F))
    return np.einsum("k,ijkm->mij", WEIGHTS, psi) / eps


def numeric_tangent(material: Material, F: np.ndarray, eps: float = 1e-4) -> np.ndarray:
    """Fourth-order central differences of the stress."""
    P = material.stress(around(F, eps)).reshape(3, 3, 4, len(F), 3, 3)
    return np.einsum("q,knqmij->mijkn", WEIGHTS, P) / eps


def check_derivatives(material: Material, F: np.ndarray) -> None:
    P, C = material.stress(F), material.tangent(F)
    assert np.abs(C).max() > 0.1 * YOUNG
    np.testing.assert_allclose(P, numeric_stress(material, F), rtol=0, atol=1e-8 * max(np.abs(P).max(), YOUNG))
    np.testing.assert_allclose(C, numeric_tangent(material, F), rtol=0, atol=1e-8 * np.abs(C).max())


@pytest.mark.parametrize("name", NAMES)
def test_derivatives_on_random_gradients(name: str) -> None:
    check_derivatives(make(name), random_F(1))


@pytest.mark.parametrize("name", sorted(set(NAMES) - INFINITE_AT_ZERO_VOLUME))
def test_derivatives_of_inverted_elements(name: str) -> None:
    F = random_F(2, inverted=True)
    assert (np.linalg.det(F) < 0).all()
    check_derivatives(make(name), F)


@pytest.mark.parametrize("name", NAMES)
@quick
@given(entries)
def test_derivatives_near_and_at_degenerate_gradients(name: str, offset: np.ndarray) -> None:
    assume(name not in KINKED or abs(np.linalg.det(np.eye(3) + offset) - 1.0) > 2e-3)
    check_derivatives(make(name), (np.eye(3) + offset)[None])


@pytest.mark.parametrize("name", NAMES)
@quick
@given(entries)
def test_tangent_is_symmetric(name: str, offset: np.ndarray) -> None:
    C = make(name).tangent((np.eye(3) + offset)[None]).reshape(9, 9)
    assert np.abs(C).max() > 0.1 * YOUNG
    assert np.array_equal(C, C.T)


@pytest.mark.parametrize("name", sorted(set(NAMES) - NOT_INVARIANT))
@quick
@given(entries, st.integers(0, 2**32 - 1))
def test_density_does_not_see_rotations(name: str, offset: np.ndarray, seed: int) -> None:
    material = make(name)
    F = (np.eye(3) + offset)[None]
    Q = rotations(np.random.default_rng(seed), 1)
    assert material.density(Q @ F)[0] == pytest.approx(material.density(F)[0], rel=1e-11, abs=1e-11 * YOUNG)
    np.testing.assert_allclose(material.stress(Q @ F), Q @ material.stress(F), rtol=0, atol=1e-11 * YOUNG)


@pytest.mark.parametrize("name", sorted(set(NAMES) - DIRECTED))
@quick
@given(entries, st.integers(0, 2**32 - 1))
def test_isotropic_density_is_that_of_the_body_turned_before(name: str, offset: np.ndarray, seed: int) -> None:
    material = make(name)
    F = (np.eye(3) + offset)[None]
    Q = rotations(np.random.default_rng(seed), 1)
    turned = Q @ F @ Q.swapaxes(1, 2)  # the linear material is isotropic, too, in this sense
    assert material.density(turned)[0] == pytest.approx(material.density(F)[0], rel=1e-11, abs=1e-11 * YOUNG)


def test_the_linear_material_does_see_rotations() -> None:
    quarter = np.array([[[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]])
    assert make("linear").density(quarter)[0] > 0.1 * YOUNG


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_stored_at_rest(name: str) -> None:
    rest = np.eye(3)[None]
    assert abs(make(name).density(rest)[0]) <= 1e-13 * YOUNG
    assert np.abs(make(name).stress(rest)).max() <= 1e-12 * YOUNG


@pytest.mark.parametrize("name", NAMES)
def test_density_is_positive_away_from_rest(name: str) -> None:
    F = np.eye(3) + 0.05 * np.random.default_rng(3).uniform(-1, 1, (40, 3, 3))
    assert (make(name).density(F) > 0).all()


@pytest.mark.parametrize("name", [n for n in NAMES if MATERIALS[n].degree is not None])
@quick
@given(entries, entries)
def test_density_is_a_polynomial_of_the_degree_it_claims(name: str, start: np.ndarray, slope: np.ndarray) -> None:
    degree = MATERIALS[name].degree
    line = np.arange(degree + 2)[:, None, None] - degree / 2
    psi = make(name).density(np.eye(3) + start + line * (slope + 0.3 * np.eye(3)))
    signs = np.array([(-1.0) ** k * math.comb(degree + 1, k) for k in range(degree + 2)])
    assert abs(signs @ psi) <= 1e-12 * (np.abs(signs) @ np.abs(psi))


@pytest.mark.parametrize("name", [n for n in NAMES if MATERIALS[n].degree is not None])
def test_the_claimed_degree_is_not_larger_than_needed(name: str) -> None:
    degree = MATERIALS[name].degree
    psi = make(name).density(np.eye(3) * np.arange(1.0, degree + 2)[:, None, None])
    signs = np.array([(-1.0) ** k * math.comb(degree, k) for k in range(degree + 1)])
    assert abs(signs @ psi) > 1e-6 * (np.abs(signs) @ np.abs(psi))


@pytest.mark.parametrize("name", sorted(INFINITE_AT_ZERO_VOLUME))
def test_density_is_infinite_without_volume(name: str) -> None:
    F = np.stack([np.diag([1.0, 1.0, -0.5]), np.diag([1.0, 1.0, 0.0]), np.zeros((3, 3)), -np.eye(3), np.eye(3)])
    density = make(name).density(F)
    assert np.isposinf(density[:4]).all()
    assert abs(density[4]) <= 1e-13 * YOUNG
    assert np.isfinite(make(name).stress(F)).all()
    assert np.isfinite(make(name).tangent(F)).all()


@pytest.mark.parametrize("name", sorted(set(NAMES) - INFINITE_AT_ZERO_VOLUME))
def test_density_is_finite_for_collapsed_and_inverted_elements(name: str) -> None:
    F = np.stack([np.diag([1.0, 1.0, -0.5]), np.diag([1.0, 1.0, 0.0]), np.zeros((3, 3)), -np.eye(3)])
    for found in (make(name).density(F), make(name).stress(F), make(name).tangent(F)):
        assert np.isfinite(found).all()


@pytest.mark.parametrize("name", NAMES)
def test_no_elements_at_all(name: str) -> None:
    none = np.empty((0, 3, 3))
    assert make(name).density(none).shape == (0,)
    assert make(name).stress(none).shape == (0, 3, 3)
    assert make(name).tangent(none).shape == (0, 3, 3, 3, 3)
