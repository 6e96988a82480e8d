"""Reference state at the end of a study, against which errors are measured."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from supple.dynamics.state import State
from supple.dynamics.step import Integrator
from supple.dynamics.system import System
from supple.errors import StepFailed, SuppleError
from supple.solvers.options import SolverOptions
from supple.solvers.tools import StepTools
from supple.types import Array

ACCURACY = 1e-12
"""Relative and absolute tolerance of DOP853 (m and m/s)."""


def dop853(system: System, start: State, duration: float, tell: Callable[[float], None]) -> State:
    """The state after `duration` [s] by SciPy's explicit Runge-Kutta method of order 8 (Dormand and Prince).

    Only free vertices are unknowns; the others follow their script. `tell` is called with the time reached [s].
    Its steps are bounded by stability, so stiff bodies need very many. Impulses and collisions between steps are not forces:
    a system that has them is refused.
    """
    if system.impulses:
        raise SuppleError(
            "DOP853 supports forces only, but structure-preserving damping in its explicit and implicit forms gives impulses "
            'between steps: set form = "integrable" for that damping, or use a fine run: --reference verlet:4096'
        )
    if system.projections:
        raise SuppleError(
            'DOP853 supports forces only, but obstacles with law = "projection" move vertices between steps: '
            'use law = "quadratic" or "cubic", or a fine run: --reference verlet:4096'
        )
    from scipy.integrate import DOP853

    free, end = system.free, start.t + duration

    def placed(t: float, y: Array) -> State:
        x, v = np.zeros((2, system.n, 3))
        x[free], v[free] = y.reshape(2, -1, 3)
        return State(t, system.motion.place(x, t), system.motion.drive(v, t))

    def slope(t: float, y: Array) -> Array:
        state = placed(t, y)
        return np.stack([state.v[free], system.acceleration(state)[free]]).ravel()

    y0 = np.stack([start.x[free], start.v[free]]).ravel()
    solver = DOP853(slope, start.t, y0, end, rtol=ACCURACY, atol=ACCURACY)
    while solver.status == "running":
        trouble = solver.step()
        if solver.status == "failed":
            raise SuppleError(
                f"the reference solution by DOP853 failed at t = {solver.t:g} s: {trouble}; "
                "use a fine run of an implicit method: --reference tr-bdf2:4096"
            )
        tell(float(solver.t))
    return placed(end, solver.y)


def fine_run(
    system: System, method: Integrator, start: State, h: float, steps: int, options: SolverOptions,
    tell: Callable[[float], None],
) -> State:  # fmt: skip
    """The state after many small steps h [s] of a method; for stiff bodies."""
    tools = StepTools(system, options)
    state, memory = start, method.start(system, start)
    try:
        for k in range(steps):
            with np.errstate(over="ignore", invalid="ignore"):
                state, memory, _ = method.advance(system, state, memory, h, tools)
            if not np.isfinite(state.x).all():
                raise StepFailed(f"step {k + 1} gave positions that are not finite")
            tell(state.t)
    except SuppleError as problem:
        raise SuppleError(
            f"--reference: the run of {steps} steps failed: {problem}; use more steps or another method"
        ) from None
    finally:
        tools.solver.close()
    return state
