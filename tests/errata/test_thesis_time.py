"""Corrections of the thesis: integration in time, on a particle in V = x^2/2 + x^4/4."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, minimize_scalar


def slope(x: float) -> float:
    return x + x**3


def potential(x: float) -> float:
    return x**2 / 2 + x**4 / 4


def exact(t: float) -> np.ndarray:
    return solve_ivp(lambda _, y: (y[1], -slope(y[0])), (0.0, t), (1.0, 0.0), "DOP853", rtol=1e-12, atol=1e-12).y[:, -1]


def test_an_action_has_the_step_as_factor() -> None:
    """The momentum D2 L^d = p of a discrete Lagrangian h (v^2/2 - V), v = (x1 - x0)/h, is that of the particle."""

    def momentum(h: float, factor: float) -> float:
        def lagrangian(x1: float) -> float:
            return factor * (((x1 - 1.0) / h) ** 2 / 2 - potential((1.0 + x1) / 2))

        x1, eps = 1.0 + 0.5 * h, 1e-6
        return (lagrangian(x1 + eps) - lagrangian(x1 - eps)) / (2 * eps)

    assert momentum(0.01, 0.01) == pytest.approx(0.5, abs=0.02)
    assert momentum(0.01, 1.0) > 40.0


@pytest.mark.parametrize("printed", [False, True])
def test_the_step_of_a_kick(printed: bool) -> None:
    """Free fall with steps of many lengths: a kick has the step in which it acts, or velocities go wrong."""
    steps = np.array([0.1, 0.4, 0.05, 0.3, 0.15])
    p = 0.0
    for before, h in zip([0.1, *steps], steps, strict=False):
        p -= 9.8 * (before if printed else h)
    assert (p == pytest.approx(-9.8 * steps.sum())) != printed


def test_outer_forces_are_subtracted_from_the_lilyan() -> None:
    """The minimiser of v^2/2 - p v - h F v is v = p + h F."""
    p, F, h = 0.3, 2.0, 0.1
    found = [minimize_scalar(lambda v, sign=sign: v * v / 2 - p * v + sign * h * F * v).x for sign in (-1.0, 1.0)]
    assert found[0] == pytest.approx(p + h * F, abs=1e-7)
    assert found[1] == pytest.approx(p - h * F, abs=1e-7)


def straight_path_error(nodes: np.ndarray, weights: np.ndarray, h: float) -> float:
    """Error after 1 s of the variational method whose action is taken by a rule along straight pieces."""
    x, p = 1.0, 0.0

    def kick(v: float, end: bool) -> float:
        parts = nodes if end else 1 - nodes
        return h * sum(w * s * slope(x + a * h * v) for a, w, s in zip(nodes, weights, parts, strict=True))

    for _ in range(round(1 / h)):
        v = brentq(lambda v, p=p: v + kick(v, False) - p, p - 5, p + 5, xtol=1e-14, rtol=1e-14)
        x, p = x + h * v, v - kick(v, True)
    return float(np.abs(np.array([x, p]) - exact(1.0)).max())


def test_better_quadrature_does_not_raise_the_order() -> None:
    nodes, weights = np.array([0.0, 0.5, 1.0]), np.array([1, 4, 1]) / 6
    coarse, fine = (straight_path_error(nodes, weights, h) for h in (0.05, 0.025))
    assert np.log2(coarse / fine) == pytest.approx(2.0, abs=0.05)


@pytest.mark.parametrize("printed", [False, True])
def test_the_bracket_of_the_kick(printed: bool) -> None:
    """A mass on a stiff spring about x = 1, K = k, f = k: without the bracket f counts 2/h times as much."""
    k, h, q, p = 100.0, 0.02, 1.1, 0.0
    total = p * p / 2 + k * (q - 1) ** 2 / 2
    v = (p - h / 2 * (k * q - k)) / (1 + h * h / 4 * k)
    p = v - (h / 2 * k * (q + h * v / 2) - k if printed else h / 2 * (k * (q + h * v / 2) - k))
    q += h * v
    grown = (p * p / 2 + k * (q - 1) ** 2 / 2) / total
    assert grown > 1e3 if printed else grown == pytest.approx(1.0, abs=1e-12)
