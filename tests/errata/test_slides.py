"""Corrections of the lecture slides."""

import numpy as np
import pytest


def test_a_fold_and_its_mirror_image() -> None:
    """Two triangles folded up and down by the same angle: the signed angle distinguishes them."""
    x0, x1, x2 = np.array([0.0, 0, 0]), np.array([0.0, 0, 1]), np.array([1.0, 0, 0.5])
    signed, unsigned = [], []
    for angle in (0.4, -0.4):
        x3 = np.array([-np.cos(angle), np.sin(angle), 0.5])
        a, b, e = np.cross(x0 - x2, x1 - x2), np.cross(x1 - x3, x0 - x3), x1 - x0
        cross = np.cross(a, b)
        signed.append(np.arctan2(cross @ e / np.linalg.norm(e), a @ b))
        unsigned.append(np.arctan2(np.linalg.norm(cross), a @ b))
    assert signed[0] == pytest.approx(-signed[1], abs=1e-14)
    assert abs(signed[0]) == pytest.approx(0.4, abs=1e-14)
    assert unsigned[0] == pytest.approx(unsigned[1], abs=1e-14)


def test_two_methods_called_explicit_euler() -> None:
    h, ends = 0.1, {}
    for symplectic in (False, True):
        x, v = 1.0, 0.0
        for _ in range(1000):
            new = v - h * x
            x, v = x + h * (new if symplectic else v), new
        ends[symplectic] = x * x + v * v
    assert ends[False] == pytest.approx((1 + h * h) ** 1000, rel=1e-10)
    assert 0.9 < ends[True] < 1.1


def test_differences_are_no_elements() -> None:
    """Second derivatives on a line: on an uneven grid the matrix of differences is not symmetric, that of elements is."""

    def matrices(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        n, h = len(x), np.diff(x)
        elements = np.zeros((n, n))
        for k, length in enumerate(h):
            elements[k : k + 2, k : k + 2] += np.array([[1, -1], [-1, 1]]) / length
        differences = np.zeros((n, n))
        for i in range(1, n - 1):
            a, b = h[i - 1], h[i]
            differences[i, i - 1 : i + 2] = -2 / (a * (a + b)), 2 / (a * b), -2 / (b * (a + b))
        return elements[1:-1, 1:-1], differences[1:-1, 1:-1]

    elements, differences = matrices(np.linspace(0, 1, 6))
    np.testing.assert_allclose(elements, 0.2 * differences, rtol=1e-12)
    elements, differences = matrices(np.array([0.0, 0.1, 0.3, 0.4, 0.8, 1.0]))
    np.testing.assert_allclose(elements, elements.T, rtol=0, atol=1e-14)
    assert np.abs(differences - differences.T).max() > 10.0
