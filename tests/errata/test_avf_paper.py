"""Corrections of the paper on the average vector field: each printed form fails where the corrected one holds."""

import numpy as np
import pytest

from supple.dynamics.system import build_system
from supple.energies.springs.springs import StVKSprings
from supple.linalg.quadrature import gauss

K, M, DELTA = 40.0, 1.0, 0.01
START = np.array([0.3, -1.2])


def energy(state: np.ndarray) -> float:
    x, v = state
    return 0.5 * K * x**2 + 0.5 * M * v**2


def mean_gradient_step(S: np.ndarray, h: float) -> np.ndarray:
    """q1 = q0 + h S grad H((q0 + q1)/2), the mean gradient of a quadratic H."""
    H = np.diag([K, M])
    return np.linalg.solve(np.eye(2) - 0.5 * h * S @ H, (np.eye(2) + 0.5 * h * S @ H) @ START)


def test_positions_follow_the_gradient_by_velocity() -> None:
    right, printed = np.array([[0.0, 1.0], [-1.0, 0.0]]), np.array([[1.0, 0.0], [-1.0, 0.0]])
    assert energy(mean_gradient_step(right, 0.1)) == pytest.approx(energy(START), rel=1e-14)
    assert abs(energy(mean_gradient_step(printed, 0.1)) - energy(START)) > 0.5 * energy(START)


def exact(h: float) -> np.ndarray:
    w = np.sqrt(K / M)
    turn = np.array([[np.cos(w * h), np.sin(w * h) / w], [-w * np.sin(w * h), np.cos(w * h)]])
    return turn @ START


def test_steps_are_proportional_to_h() -> None:
    """Without the factor h a step of any length is a jump of the same size."""
    h, S = 1e-4, np.array([[0.0, 1.0], [-1.0, 0.0]])
    assert np.abs(mean_gradient_step(S, h) - exact(h)).max() < 1e-8
    without = mean_gradient_step(S, 1.0)  # h S in place of S would be the same equation with h = 1
    assert np.abs(without - exact(h)).max() > 0.1


def position(h: float, weight: float) -> float:
    """x1 = x0 + h v0 - weight/m times the mean force of a linear spring along the step."""
    x, v = START
    return (x + h * v - 0.5 * weight * K / M * x) / (1.0 + 0.5 * weight * K / M)


def test_positions_move_by_half_the_square_of_h() -> None:
    h = 1e-3
    assert abs(position(h, 0.5 * h * h) - exact(h)[0]) < 1e-7
    assert abs(position(h, 0.5 * h) - exact(h)[0]) > 1e-3


def test_a_mean_has_weights_that_add_up_to_one() -> None:
    """Tables of quadrature over [-1, 1] have weights that add up to 2."""
    _, weights = np.polynomial.legendre.leggauss(3)
    assert 0.5 * weights.sum() == pytest.approx(1.0, abs=1e-15)
    np.testing.assert_allclose(np.sort(gauss(3).weights), np.sort(0.5 * weights), rtol=0, atol=1e-15)


def damped(weight: float, h: float, steps: int, doubled: float = 1.0) -> float:
    """H at the end over H at the start: minimise `doubled` times g plus `weight` times h/4 d v1^2, v1 = 2 (x - x0)/h - v0."""
    x, v, d = 1.0, 0.0, DELTA * K
    for _ in range(steps):
        y, c = x + h * v - h * h / 12 * K * x, 2.0 / h
        left = doubled * (M + h * h / 6 * K + h * h / 12 * K) + weight * d * c
        right = doubled * (M * y - h * h / 6 * K * x) + weight * d * (c * x + v)
        new = right / left
        x, v = new, c * (new - x) - v
    return (K * x * x + M * v * v) / K


def decay() -> float:
    """The same of the true motion after 2 s."""
    a = DELTA * K / (2 * M)
    w = np.sqrt(K / M - a * a)
    x, v = np.cos(2 * w) + a / w * np.sin(2 * w), -(w + a * a / w) * np.sin(2 * w)
    return float(np.exp(-4 * a) * (K * x * x + M * v * v) / K)


@pytest.mark.parametrize("name", ["h^2/2", "1", "h^2", "h^2/12"])
def test_the_weight_of_damping(name: str) -> None:
    ends = []
    for steps in (200, 400):
        h = 2.0 / steps
        ends.append(damped({"h^2/2": h * h / 2, "1": 1.0, "h^2": h * h, "h^2/12": h * h / 12}[name], h, steps))
    missed = np.abs(np.array(ends) / decay() - 1.0)
    if name == "h^2/2":
        assert missed[1] < 0.6 * missed[0] < 0.01
    else:
        assert missed.min() > 0.2


def test_an_objective_that_is_doubled_halves_the_damping() -> None:
    h, steps = 1 / 400, 800
    twice = damped(h * h / 2, h, steps, doubled=2.0)
    assert twice == pytest.approx(np.sqrt(decay()), rel=0.02)
    assert damped(h * h, h, steps, doubled=2.0) == pytest.approx(damped(h * h / 2, h, steps), rel=1e-12)


def test_the_stiffness_of_the_example() -> None:
    rest, at = np.array([[0.0, 0, 0], [1, 0, 0]]), 0.6
    spring = StVKSprings(rest, np.array([[0, 1]]), 3000.0)
    found = build_system(rest, np.ones(2), [spring]).potential.by_group(np.array([[0.0, 0, 0], [at, 0, 0]]))
    assert found["elastic"] == pytest.approx(1500 * (at**2 - 1) ** 2, rel=1e-13)
