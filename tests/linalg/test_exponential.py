"""The integral of the exponential by Krylov subspaces against the dense exponential."""

import numpy as np
import pytest
from scipy.linalg import expm

from supple.errors import StepRejected
from supple.linalg.exponential import phi1_integral


def dense(A: np.ndarray, b: np.ndarray, t: float) -> np.ndarray:
    n = len(b)
    big = np.zeros((n + 1, n + 1))
    big[:n, :n], big[:n, n] = t * A, t * b
    return expm(big)[:n, n]


def oscillators(n: int, fastest: float, damping: float = 0.0, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """A nearly skew matrix of n coupled oscillators, and a start."""
    rng = np.random.default_rng(seed)
    Q, _ = np.linalg.qr(rng.standard_normal((n, n)))
    w2 = Q @ np.diag(np.linspace(0.0, fastest, n) ** 2) @ Q.T
    A = np.block([[np.zeros((n, n)), fastest * np.eye(n)], [-w2 / fastest, -damping * np.eye(n)]])
    return A, rng.standard_normal(2 * n)


@pytest.mark.parametrize("damping", [0.0, 0.3])
@pytest.mark.parametrize("fastest", [1.0, 10.0, 300.0])
@pytest.mark.parametrize("t", [1.0, -0.5])
def test_agrees_with_the_dense_exponential(fastest: float, damping: float, t: float) -> None:
    A, b = oscillators(60, fastest, damping)
    found = phi1_integral(lambda x: A @ x, b, t, 1e-12, 30)
    wanted = dense(A, b, t)
    assert np.linalg.norm(found.value - wanted) <= 1e-10 * np.linalg.norm(b) * abs(t)


def test_the_basis_is_bounded_and_the_work_grows_with_the_frequency() -> None:
    products = []
    for fastest in (1.0, 30.0, 300.0):
        A, b = oscillators(100, fastest)
        largest = 0
        seen = phi1_integral(lambda x, A=A: A @ x, b, 1.0, 1e-10, 20)
        products.append(seen.products)
        largest = max(largest, seen.products // seen.pieces)
        assert largest <= 21
    assert products[0] < products[1] < products[2]
    assert products[0] <= 20


@pytest.mark.parametrize("tolerance", [1e-3, 1e-6, 1e-9])
def test_the_error_keeps_within_its_tolerance(tolerance: float) -> None:
    A, b = oscillators(80, 40.0)
    found = phi1_integral(lambda x: A @ x, b, 1.0, tolerance, 30)
    assert np.linalg.norm(found.value - dense(A, b, 1.0)) <= 3 * tolerance * np.linalg.norm(b)


def test_a_looser_tolerance_takes_fewer_products() -> None:
    A, b = oscillators(80, 40.0)
    loose, tight = (phi1_integral(lambda x: A @ x, b, 1.0, e, 200).products for e in (1e-3, 1e-12))
    assert loose < tight


def test_nothing_and_invariant_spaces_end_at_once() -> None:
    A, _ = oscillators(10, 5.0)
    nothing = phi1_integral(lambda x: A @ x, np.zeros(20), 1.0, 1e-10, 10)
    assert nothing.products == 0
    assert not nothing.value.any()
    eigen = np.zeros((4, 4))
    still = phi1_integral(lambda x: eigen @ x, np.ones(4), 2.0, 1e-10, 10)
    np.testing.assert_allclose(still.value, 2.0)
    assert still.products == 1


def test_an_overflow_is_refused() -> None:
    with pytest.raises(StepRejected, match=r"smaller time\.step"), np.errstate(all="ignore"):
        phi1_integral(lambda x: 1e200 * x[::-1], np.array([1.0, 2.0]), 1e200, 1e-10, 10)
