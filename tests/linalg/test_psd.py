"""Nearest positive semidefinite matrices: by rotations or by the library, and only where there is something to change."""

import numpy as np
import pytest

from supple.linalg.psd import clamp_negative, diagonalise, indefinite

RNG = np.random.default_rng(5)


def stack(m: int, k: int) -> np.ndarray:
    A = RNG.standard_normal((m, k, k)) * 10.0 ** RNG.uniform(-6, 6, (m, 1, 1))
    return A + A.transpose(0, 2, 1)


@pytest.mark.parametrize("k", [1, 2, 3, 5, 6, 9, 12])
def test_clamped_matrices_are_those_of_the_library(k: int) -> None:
    A = stack(200, k)
    values, vectors = np.linalg.eigh(A)
    wanted = (vectors * np.maximum(values, 0.0)[:, None]) @ vectors.transpose(0, 2, 1)
    size = np.abs(A).max(axis=(1, 2))
    assert (np.abs(clamp_negative(A) - wanted).max(axis=(1, 2)) <= 2e-14 * size).all()


@pytest.mark.parametrize("k", [3, 6, 12])
def test_positive_ones_among_others_keep_their_bits(k: int) -> None:
    A = stack(60, k)
    half = RNG.standard_normal((60, k, k - 1))
    A[::2] = (half @ half.transpose(0, 2, 1))[::2] + 1e-9 * np.eye(k)
    found = clamp_negative(A)
    assert np.array_equal(found[::2], A[::2])
    assert not (found[1::2] == A[1::2]).all(axis=(1, 2)).any()


def test_the_test_of_definiteness() -> None:
    """Zero rows pass; matrices with a negative eigenvalue, or a zero pivot with entries beside it, do not."""
    zero, saddle = np.zeros((3, 3)), np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    part, negative = np.diag([1.0, 0.0, 2.0]), np.diag([1.0, 1.0, -1e-9])
    unknown = np.full((3, 3), np.nan)
    assert indefinite(np.array([zero, part, saddle, negative, unknown])).tolist() == [False, False, True, True, True]


def test_rotations_of_equal_and_of_distant_eigenvalues() -> None:
    for values in ([1.0, 1.0, 1.0, 2.0, 2.0], [1e12, 1.0, -1.0, 1e-12, 0.0]):
        Q = np.linalg.qr(RNG.standard_normal((5, 5)))[0]
        given = (Q * values) @ Q.T
        A, V = 0.5 * (given + given.T), np.empty((5, 5))
        whole = A.copy()
        diagonalise(5, A, V)
        np.testing.assert_allclose(V @ V.T, np.eye(5), rtol=0, atol=1e-14)
        np.testing.assert_allclose((V.T * A.diagonal()) @ V, whole, rtol=0, atol=1e-14 * np.abs(whole).max())
