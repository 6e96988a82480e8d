"""The 3x3 singular value decomposition, also of flat and inverted matrices."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from supple.linalg.small import svd3

# Squares of lengths are compared, so magnitudes must stay within the square root of the range of doubles.
entry = st.floats(-10, 10).map(lambda a: a if abs(a) > 1e-60 else 0.0)
ordinary = arrays(np.float64, (3, 3), elements=entry)
coarse = arrays(np.float64, (3, 3), elements=st.sampled_from([-1.0, 0.0, 1.0, 2.0]))


def check(A: np.ndarray) -> None:
    u, s, v = np.empty(9), np.empty(3), np.empty(9)
    svd3(A.ravel().copy(), u, s, v)
    U, V, size = u.reshape(3, 3), v.reshape(3, 3), np.abs(A).max()
    np.testing.assert_allclose(U @ np.diag(s) @ V.T, A, rtol=0, atol=1e-13 * size)
    for Q in (U, V):
        np.testing.assert_allclose(Q.T @ Q, np.eye(3), rtol=0, atol=1e-13)
        assert np.linalg.det(Q) == pytest.approx(1.0, abs=1e-13)
    np.testing.assert_allclose(np.abs(s), np.linalg.svd(A, compute_uv=False), rtol=0, atol=1e-13 * size)
    assert s[0] >= s[1] >= abs(s[2])
    determinant = np.linalg.det(A)
    if abs(determinant) > 1e-12 * size**3:
        assert np.sign(s[2]) == np.sign(determinant)


@settings(max_examples=100, deadline=None)
@given(ordinary)
def test_any_matrix(A: np.ndarray) -> None:
    check(A)


@settings(max_examples=100, deadline=None)
@given(coarse)
def test_matrices_with_equal_and_zero_singular_values(A: np.ndarray) -> None:
    check(A)


@pytest.mark.parametrize(
    "A",
    [
        np.zeros((3, 3)),
        np.eye(3),
        -np.eye(3),
        np.diag([1.0, 1.0, -1.0]),
        np.diag([0.0, 2.0, 0.0]),
        np.ones((3, 3)),
        np.diag([1.0, 1e-9, 1e-18]),
        1e-60 * np.arange(9.0).reshape(3, 3),
        1e60 * np.array([[1.0, 2.0, 0.0], [0.0, -1.0, 3.0], [1.0, 1.0, 1.0]]),
    ],
)
def test_special_matrices(A: np.ndarray) -> None:
    check(A)
