"""Convergence studies: runs of several methods with more and more steps, their errors, orders and wall times.

Errors are max-norms at the end: error_x = max |x - x_ref| [m], error_v = max |v - v_ref| [m/s] over vertices and axes.
Between runs of n and m steps the observed order is ln(e_n/e_m) / ln(m/n).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from supple.dynamics.state import State
from supple.dynamics.step import Integrator
from supple.dynamics.system import System
from supple.errors import SuppleError
from supple.solvers.options import SolverOptions
from supple.solvers.tools import StepTools
from supple.types import Array

EXPLOSION = 1e3
"""An error so many times the size of body and motion has nothing to do with the solution any more."""


@dataclass(frozen=True)
class Problem:
    """What is simulated: a system from its (placed) start over a duration [s]."""

    system: System
    start: State
    duration: float
    options: SolverOptions


@dataclass(frozen=True)
class Trial:
    """One run and how far from the reference it ended."""

    integrator: str
    steps: int
    h: float
    """[s]"""
    error_x: float
    """[m]; NaN if the run did not reach the end."""
    error_v: float
    """[m/s]"""
    wall_seconds: float
    """Time of the steps alone, without compilation."""
    iterations: int
    failure: str = ""
    """Why there is no usable error."""


def placed(system: System, state: State) -> State:
    """A writable copy of a state with prescribed vertices in their place."""
    x, v = np.array(state.x, np.float64, order="C"), np.array(state.v, np.float64, order="C")
    return State(state.t, system.motion.place(x, state.t), system.motion.drive(v, state.t))


def trials(
    problem: Problem, methods: Mapping[str, Integrator], steps: Sequence[int], reference: State,
    tell: Callable[[], None] = lambda: None,
) -> Iterator[Trial]:  # fmt: skip
    """All runs, one method after the other; `tell` is called after each step."""
    for name, method in methods.items():
        _warm_up(problem, method, problem.duration / max(steps))
        for count in steps:
            yield _trial(problem, name, method, count, reference, tell)


def orders(errors: Sequence[float], steps: Sequence[int]) -> list[float]:
    """Observed order of each run against the one before; NaN for the first and where an error is not usable."""
    found = [math.nan]
    for k in range(1, len(errors)):
        a, b = errors[k - 1], errors[k]
        usable = 0.0 < a < math.inf and 0.0 < b < math.inf and steps[k] != steps[k - 1]
        found.append(math.log(a / b) / math.log(steps[k] / steps[k - 1]) if usable else math.nan)
    return found


def _warm_up(problem: Problem, method: Integrator, h: float) -> None:
    """One step that loads or compiles every kernel; if it fails, the runs will say so."""
    tools = StepTools(problem.system, problem.options)
    try:
        method.advance(problem.system, problem.start, method.start(problem.system, problem.start), h, tools)
    except SuppleError:
        return
    finally:
        tools.solver.close()


def _trial(
    problem: Problem, name: str, method: Integrator, steps: int, reference: State, tell: Callable[[], None]
) -> Trial:
    h = problem.duration / steps
    tools = StepTools(problem.system, problem.options)
    failure, wall = "", 0.0
    state = problem.start
    try:
        memory = method.start(problem.system, state)
        with np.errstate(over="ignore", invalid="ignore"):
            for k in range(steps):
                began = time.perf_counter()
                state, memory, _ = method.advance(problem.system, state, memory, h, tools)
                wall += time.perf_counter() - began
                if not np.isfinite(state.x).all():
                    failure = f"exploded in step {k + 1}"
                    break
                tell()
    except SuppleError as trouble:
        failure = f"failed: {trouble}"
    finally:
        tools.solver.close()
    error_x, error_v = (math.nan, math.nan) if failure else errors(state, reference)
    if error_x > EXPLOSION * _size(problem.start.x, reference.x):
        failure = "exploded"
    return Trial(name, steps, h, error_x, error_v, wall, tools.report.iterations, failure)


def errors(state: State, reference: State) -> tuple[float, float]:
    """Max-norms of the errors of positions [m] and velocities [m/s]."""
    return float(np.abs(state.x - reference.x).max()), float(np.abs(state.v - reference.v).max())


def _size(x0: Array, x1: Array) -> float:
    """Extent of a body together with its motion [m]."""
    return float(np.ptp(np.concatenate([x0, x1]), axis=0).max())
