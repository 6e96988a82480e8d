"""Corrections of the numerical perspective on deformable objects: methods that treat a few modes apart."""

import numpy as np
import pytest
from scipy.linalg import eigh

N, S, H = 8, 3, 0.05
RNG = np.random.default_rng(3)
M = np.diag(RNG.uniform(0.5, 2.0, N))
A = RNG.normal(size=(N, N))
K = A @ A.T + 0.1 * np.eye(N)
ALL, VECTORS = eigh(K, M)
X, D = VECTORS[:, :S], np.diag(ALL[:S])
ZERO = np.zeros((N, N))
J = np.block([[ZERO, np.eye(N)], [-np.linalg.solve(M, K), ZERO]])
J_G = np.block([[ZERO, X @ X.T @ M], [-X @ D @ X.T @ M, ZERO]])
J_H = J - J_G


def test_modes_must_be_normalised() -> None:
    P = X @ X.T @ M
    np.testing.assert_allclose(P @ P, P, rtol=0, atol=1e-12)
    Y = X @ np.diag([2.0, 0.5, 3.0])  # still K Y = M Y D
    np.testing.assert_allclose(K @ Y, M @ Y @ D, rtol=0, atol=1e-11)
    Q = Y @ Y.T @ M
    assert np.abs(Q @ Q - Q).max() > 0.1


def test_the_modes_are_taken_out() -> None:
    along = np.block([[X, np.zeros_like(X)], [np.zeros_like(X), X]])
    assert np.abs(J_H @ along).max() < 1e-12 * np.abs(J).max()
    assert np.abs((J + J_G) @ along).max() > 0.1


def test_the_rank_of_the_correction() -> None:
    assert np.linalg.matrix_rank(J_G) == 2 * S
    assert np.linalg.matrix_rank(M @ X @ D @ X.T @ M) == S


def test_conjugate_gradients_need_the_velocity_system() -> None:
    whole = np.eye(2 * N) - H * J_H
    assert np.abs(whole - whole.T).max() > 1e-2
    reduced = M + H * H * (K - M @ X @ D @ X.T @ M)
    np.testing.assert_allclose(reduced, reduced.T, rtol=0, atol=1e-12)
    assert np.linalg.eigvalsh(reduced)[0] > 0.0


@pytest.mark.parametrize("factor", [1.0, H])
def test_the_factor_of_the_step_is_needed(factor: float) -> None:
    """Backward Euler of a fast oscillator: I - h J_H gives the step, I - J_H another one."""
    u = RNG.normal(size=2 * N)
    step = np.linalg.solve(np.eye(2 * N) - factor * J_H, u)
    matches = np.abs(step - (u + H * J_H @ step)).max() < 1e-10
    assert matches == (factor == H)
