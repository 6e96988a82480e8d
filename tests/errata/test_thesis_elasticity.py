"""Corrections of the thesis: elasticity, on a tet with random corners."""

import numpy as np
import pytest

from supple.coarsening.fine_body import isotropic

RNG = np.random.default_rng(7)
X = RNG.normal(size=(4, 3))
VOLUME = np.linalg.det(X[1:] - X[0]) / 6


def shape_gradients() -> np.ndarray:
    """(4, 3): gradients of the linear functions that are 1 at a corner and 0 at the others."""
    rows = np.linalg.inv(np.column_stack([np.ones(4), X]))
    return rows[1:].T


GRADIENTS = shape_gradients()


def stiffness() -> np.ndarray:
    """(12, 12) of the tet for small strains, in Mandel's notation."""
    B = np.zeros((6, 12))
    for a, g in enumerate(GRADIENTS):
        B[:3, 3 * a : 3 * a + 3] = np.diag(g)
        for k, (i, j) in enumerate(((1, 2), (0, 2), (0, 1))):
            B[3 + k, 3 * a + i], B[3 + k, 3 * a + j] = g[j] / np.sqrt(2), g[i] / np.sqrt(2)
    return abs(VOLUME) * B.T @ isotropic(1.0, 0.3) @ B


def test_four_corners_make_the_gradient() -> None:
    F = RNG.normal(size=(3, 3))
    x = X @ F.T + 0.3
    np.testing.assert_allclose(sum(np.outer(x[p], GRADIENTS[p]) for p in range(4)), F, rtol=0, atol=1e-12)


def test_the_second_invariant() -> None:
    F = RNG.normal(size=(3, 3))
    C = F.T @ F
    a, b, c = np.linalg.eigvalsh(C)
    trace, square = np.trace(C) ** 2, np.trace(C @ C)
    assert (trace - square) / 2 == pytest.approx(a * b + b * c + c * a, rel=1e-12)
    assert abs(trace - square - (a * b + b * c + c * a)) > 0.1


def test_gradients_of_shape_functions() -> None:
    for p in range(4):
        i, j, k = (corner for corner in range(4) if corner != p)
        area = np.cross(X[j] - X[i], X[k] - X[i])
        area *= np.sign(area @ (X[p] - X[i]))  # towards the node
        np.testing.assert_allclose(area / (6 * abs(VOLUME)), GRADIENTS[p], rtol=1e-10)


def test_stiffness_not_compliance() -> None:
    """Twice the Young's modulus stores twice the energy at the same strain."""
    strain = np.array([0.1, -0.02, 0.03, 0.0, 0.01, 0.0])
    once, twice = (0.5 * strain @ isotropic(young, 0.3) @ strain for young in (1.0, 2.0))
    assert twice == pytest.approx(2 * once, rel=1e-12)


def test_the_sign_of_the_stiffness() -> None:
    values = np.linalg.eigvalsh(stiffness())
    assert np.abs(values[:6]).max() < 1e-12
    assert values[6] > 1e-4


def test_loads_without_torque() -> None:
    m, b = RNG.uniform(1, 2, 4), RNG.normal(size=(4, 3))
    r = X - m @ X / m.sum()
    tau = np.cross(r, b).sum(axis=0)
    inertia = sum(mass * (p @ p * np.eye(3) - np.outer(p, p)) for mass, p in zip(m, r, strict=True))
    turn = np.linalg.solve(inertia, tau)
    for sign, left in ((1.0, 0.0), (-1.0, 2.0)):
        b_new = b + sign * m[:, None] * np.cross(r, turn)
        assert np.linalg.norm(np.cross(r, b_new).sum(axis=0)) == pytest.approx(left * np.linalg.norm(tau), abs=1e-12)


def test_the_tensor_of_inertia() -> None:
    w, p = RNG.normal(size=3), RNG.normal(size=3)
    x, y, z = p
    inertia = np.array(
        [[y * y + z * z, -x * y, -x * z], [-x * y, x * x + z * z, -y * z], [-x * z, -y * z, x * x + y * y]]
    )
    np.testing.assert_allclose(inertia @ w, np.cross(p, np.cross(w, p)), rtol=0, atol=1e-13)
    inertia[1, 2] = inertia[2, 1] = y * z
    assert np.abs(inertia @ w - np.cross(p, np.cross(w, p))).max() > 0.01


def test_no_force_at_rest() -> None:
    K, R = stiffness(), np.linalg.qr(RNG.normal(size=(3, 3)))[0]
    R *= np.linalg.det(R)
    turn, x = np.kron(np.eye(4), R), X @ R.T + 0.7
    b, b0 = x.mean(axis=0), X.mean(axis=0)
    right = turn @ K @ (((x - b) @ R) - (X - b0)).ravel()
    printed = 0.5 * (turn @ K @ turn.T @ x.ravel() - 2 * turn @ K @ X.ravel())
    assert np.abs(right).max() < 1e-13
    assert np.abs(printed).max() > 1e-2


def test_integration_by_parts() -> None:
    """One dimension, z = 0 at both ends: int (c u')' z = -int c u' z'."""
    s = np.linspace(0.0, 1.0, 20_001)
    u, z, c = np.sin(2 * s), s * (1 - s), 1 + s
    flux = c * np.gradient(u, s, edge_order=2)
    left = np.trapezoid(np.gradient(flux, s, edge_order=2) * z, s)
    right = np.trapezoid(flux * np.gradient(z, s, edge_order=2), s)
    assert left == pytest.approx(-right, rel=1e-6)
    assert abs(left) > 0.1
