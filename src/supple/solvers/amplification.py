"""One step of a method as a matrix, for the undamped oscillator x'' = -omega^2 x: its spectral radius shows its damping.

The step of a linear problem is a matrix T acting on x, v and the memory of the method. Its columns are steps from unit
vectors. With the spectral radius rho of T an oscillation decays at the rate -ln(rho)/h.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from supple.dynamics.state import State
from supple.dynamics.step import Integrator, Memory
from supple.dynamics.system import System, build_system
from supple.energies.springs.anchor import Anchors
from supple.errors import SuppleError
from supple.solvers.options import SolverOptions
from supple.solvers.tools import StepTools
from supple.types import Array

TIGHT = SolverOptions(tolerance=1e-14, energy_tolerance=1e-15)
NOT_LINEAR = 1e-8
"""Relative error of T y beyond which a step is not linear; round-off in T stays far below."""
FIRST_STEPS = 8
"""Steps within which the memory of a method must have reached its final form."""


def own_decay(method: Integrator, omega: float, h: float) -> float:
    """Numerical damping rate of a method for an oscillation of omega [rad/s] in steps of h [s] [1/s]; 0 where it is undefined."""
    system = build_system(np.zeros((1, 3)), np.ones(1), [Anchors(np.zeros((1, 3)), 1.0)])
    tools = StepTools(system, TIGHT)
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            T = amplification(system, method, h * omega, tools)  # time in units of 1/omega
        rho = float(np.abs(np.linalg.eigvals(T)).max())
        return max(0.0, -math.log(rho) / h) if rho > 0.0 else 0.0
    except (SuppleError, np.linalg.LinAlgError):
        return 0.0
    finally:
        tools.close()


def amplification(system: System, method: Integrator, h: float, tools: StepTools) -> Array:
    """T along the first coordinate of a one-particle system, whose coordinates are independent."""
    memory = _settled_memory(system, method, h, tools)
    swings = [key for key, value in memory.items() if np.shape(value) == (system.n, 3)]
    steps = _Steps(system, method, h, tools, memory, swings)
    T = np.stack([steps.after(unit) for unit in np.eye(2 + len(swings))], axis=1)
    mixed = (-1.0) ** np.arange(len(T)) * (1.3 + np.arange(len(T)))
    if np.isfinite(T).all() and not _close(steps.after(mixed), T @ mixed, T):
        raise SuppleError("a step of this method is not linear in x and v even for a linear body: it has no matrix")
    return T


@dataclass(frozen=True)
class _Steps:
    """Steps of a method as a function of (x, v, remembered ...) along the first coordinate."""

    system: System
    method: Integrator
    h: float
    tools: StepTools
    memory: Memory
    swings: list[str]
    """Names in the memory that hold positions, velocities or accelerations."""

    def after(self, y: Array) -> Array:
        x, v, *remembered = (np.array([[value, 0.0, 0.0]]) for value in y)
        memory = {**self.memory, **dict(zip(self.swings, remembered, strict=True))}
        state, memory, _ = self.method.advance(self.system, State(0.0, x, v), memory, self.h, self.tools)
        return np.array([state.x[0, 0], state.v[0, 0], *(memory[key][0, 0] for key in self.swings)])


def _settled_memory(system: System, method: Integrator, h: float, tools: StepTools) -> Memory:
    """The memory of a running simulation: multi-step methods begin with steps of another kind."""
    state = State(0.0, np.array([[1.0, 0.0, 0.0]]), np.zeros((1, 3)))
    memory = method.start(system, state)
    for _ in range(FIRST_STEPS):
        known = memory.keys()
        state, memory, _ = method.advance(system, state, memory, h, tools)
        if memory.keys() == known:
            break
    return memory


def _close(found: Array, expected: Array, T: Array) -> bool:
    return bool(np.abs(found - expected).max() <= NOT_LINEAR * max(1.0, float(np.abs(T).max())))
