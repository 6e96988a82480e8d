"""Observed orders: every integrator converges as it claims, without and with linear damping."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from builders import four_nodes, run
from supple.dynamics.state import State
from supple.integrators import INTEGRATORS
from supple.integrators.implicit.bdf2 import BDF2
from supple.integrators.implicit.newmark import GeneralizedAlpha, Newmark
from supple.progress import begin
from supple.solvers.options import SolverOptions
from supple.solvers.tools import StepTools

DURATION = 0.5
DAMPING = 0.3
TIMED = {
    name: cls()
    for name, cls in sorted(INTEGRATORS.load().items())
    if cls().facts.order > 0 and not cls().refuses(four_nodes()[0])
}
"""Methods that support quartic springs; others have separate tests."""
VARIANTS = {
    "newmark gamma=0.6": Newmark(beta=0.3025, gamma=0.6),
    "generalized-alpha rho=0": GeneralizedAlpha(rho=0.0),
    "generalized-alpha rho=1": GeneralizedAlpha(rho=1.0),
}
STEPS = {
    **dict.fromkeys(("bdf2", "bdf2-ere", "beere", "sbdf2-ere", "siere"), 40),
    **dict.fromkeys(("backward-euler", "generalized-alpha", "sdirk3", "si"), 20),
    "sbdf2": 80,
}
"""Steps from which the order shows to 0.15; of the others 10 if they solve, and 40 if they do not."""
AT_LEAST_WITH_DAMPING = {"yoshida": 3}
"""Yoshida composes Verlet by default, which is not symmetric with velocity-dependent forces, and declares it: 3.0 and 3.4."""


@cache
def reference(damping: float) -> tuple[np.ndarray, np.ndarray]:
    """Positions and velocities at the end, by a method of order 8 at the limit of its accuracy."""
    system, start = four_nodes(damping)

    def slope(t: float, y: np.ndarray) -> np.ndarray:
        x, v = y.reshape(2, system.n, 3)
        return np.stack([v, system.acceleration(State(t, x, v))]).ravel()

    y0 = np.stack([start.x, start.v]).ravel()
    end = solve_ivp(slope, (0.0, DURATION), y0, method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
    return tuple(end.reshape(2, system.n, 3))


def errors(state: State, damping: float) -> np.ndarray:
    x, v = reference(damping)
    return np.array([np.abs(state.x - x).max(), np.abs(state.v - v).max()])


def observed(integrator: Any, damping: float, n: int = 0) -> np.ndarray:
    """Orders of position and velocity, from n and 2 n steps."""
    n = n or STEPS.get(integrator.name, 10 if integrator.facts.solves else 40)
    found = []
    for steps in (n, 2 * n):
        end = run(four_nodes(damping), integrator, DURATION / steps, steps, tolerance=1e-12)[-1]
        found.append(errors(end.state, damping))
    return np.log2(found[0] / found[1])


@pytest.mark.parametrize("name", TIMED)
def test_order(name: str) -> None:
    np.testing.assert_allclose(observed(TIMED[name], 0.0), TIMED[name].facts.order, rtol=0, atol=0.15)


@pytest.mark.parametrize("name", [name for name, m in TIMED.items() if not m.refuses(four_nodes(DAMPING)[0])])
def test_order_with_damping(name: str) -> None:
    found = observed(TIMED[name], DAMPING)
    if name in AT_LEAST_WITH_DAMPING:
        assert (found > AT_LEAST_WITH_DAMPING[name] - 0.15).all()
    else:
        np.testing.assert_allclose(found, TIMED[name].facts.order, rtol=0, atol=0.15)


@pytest.mark.parametrize("name", VARIANTS)
def test_order_of_variants(name: str) -> None:
    integrator = VARIANTS[name]
    assert integrator.facts.order == (1 if "0.6" in name else 2)
    np.testing.assert_allclose(observed(integrator, 0.0, n=80), integrator.facts.order, rtol=0, atol=0.15)


def test_bdf2_keeps_its_order_when_the_step_changes() -> None:
    system, start = four_nodes()
    found = []
    for pairs in (40, 80):
        tools = StepTools(system, SolverOptions(tolerance=1e-12))
        progress = begin(system, BDF2(), start, tools)
        state, memory = progress.state, progress.memory
        long = DURATION / pairs * 2 / 3
        for _ in range(pairs):
            for h in (long, long / 2):
                state, memory, _ = BDF2().step(system, state, memory, h, tools)
        assert state.t == pytest.approx(DURATION, rel=1e-12)
        found.append(errors(state, 0.0))
    np.testing.assert_allclose(np.log2(found[0] / found[1]), 2, rtol=0, atol=0.15)
