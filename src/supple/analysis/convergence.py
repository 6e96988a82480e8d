"""Convergence studies: runs of several methods with more and more steps, their errors, orders and cost.

Between runs of n and m steps the observed order is ln(e_n/e_m) / ln(m/n).

Cost is the CPU time of all threads within the steps, that of the fastest of several repeats. Every run first takes one
step that does not count, in which kernels are compiled and the pattern of the matrix is analysed.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from supple.analysis.yardstick import Drift, Yardstick
from supple.dynamics.state import State
from supple.dynamics.step import Integrator, StepReport
from supple.dynamics.system import System
from supple.errors import SuppleError
from supple.solvers.options import SolverOptions
from supple.solvers.report import SolveReport
from supple.solvers.tools import StepTools

EXPLOSION = 1e3
"""An error so many times the size of body and motion has nothing to do with the solution any more."""

Watch = Callable[[State, State, StepReport], None]
"""Called after every step with the states before and after it."""


@dataclass(frozen=True)
class Problem:
    """What is simulated: a system from its (placed) start over a duration [s]."""

    system: System
    start: State
    duration: float
    options: SolverOptions


@dataclass(frozen=True)
class Trial:
    """One method with one number of steps: how far from the reference it ended, and what it cost."""

    integrator: str
    steps: int
    h: float
    """[s]"""
    error_x: float
    """[m]; NaN if the run did not reach the end, like the other errors."""
    error_v: float
    """[m/s]"""
    error_energy: float
    """Largest energy that the numerics made or lost, relative to the energy in play [-]."""
    error_modes: float
    """[m]; NaN where no modes were asked for."""
    cpu_seconds: float
    """CPU time of all threads within the steps."""
    wall_seconds: float
    """Time of the same steps by the clock."""
    iterations: int
    failure: str = ""
    """Why there is no usable error."""


@dataclass(frozen=True)
class _Run:
    state: State
    cpu: float
    wall: float
    iterations: int
    failure: str


def placed(system: System, state: State) -> State:
    """A writable copy of a state with prescribed vertices in their place."""
    x, v = np.array(state.x, np.float64, order="C"), np.array(state.v, np.float64, order="C")
    return State(state.t, system.motion.place(x, state.t), system.motion.drive(v, state.t))


def trials(
    problem: Problem, methods: Mapping[str, Integrator], steps: Sequence[int], yardstick: Yardstick,
    tell: Callable[[], None] = lambda: None, repeats: int = 1,
) -> Iterator[Trial]:  # fmt: skip
    """All runs, one method after the other; `tell` is called after each step."""
    for name, method in methods.items():
        for count in steps:
            yield _trial(problem, name, method, count, yardstick, tell, repeats)


def orders(errors: Sequence[float], steps: Sequence[int]) -> list[float]:
    """Observed order of each run against the one before; NaN for the first and where an error is not usable."""
    found = [math.nan]
    for k in range(1, len(errors)):
        a, b = errors[k - 1], errors[k]
        usable = 0.0 < a < math.inf and 0.0 < b < math.inf and steps[k] != steps[k - 1]
        found.append(math.log(a / b) / math.log(steps[k] / steps[k - 1]) if usable else math.nan)
    return found


def _trial(
    problem: Problem, name: str, method: Integrator, steps: int, yardstick: Yardstick, tell: Callable[[], None],
    repeats: int,
) -> Trial:  # fmt: skip
    drift = Drift(problem.system, problem.start)

    def book(old: State, new: State, report: StepReport) -> None:
        drift.book(old, new, report)
        tell()

    first = _run(problem, method, steps, book)
    runs = [first]
    while not first.failure and len(runs) < repeats:  # what failed would fail again
        runs.append(_run(problem, method, steps, lambda *_: tell()))
    best = min(runs, key=lambda run: run.cpu)
    error_x, error_v, error_modes, error_energy, failure = math.nan, math.nan, math.nan, math.nan, first.failure
    if not failure:
        error_x, error_v, error_modes = yardstick.errors(first.state)
        error_energy = drift.largest / yardstick.energy
        failure = "exploded" if error_x > EXPLOSION * yardstick.size else ""
    return Trial(
        name, steps, problem.duration / steps, error_x, error_v, error_energy, error_modes,
        best.cpu, best.wall, first.iterations, failure,
    )  # fmt: skip


def _run(problem: Problem, method: Integrator, steps: int, watch: Watch) -> _Run:
    system, state, h = problem.system, problem.start, problem.duration / steps
    if refusal := _refusal(method, system):
        return _Run(state, 0.0, 0.0, 0, f"refused: {refusal}")
    tools = StepTools(system, problem.options)
    failure, cpu, wall = "", 0.0, 0.0
    try:
        _warm_up(problem, method, h, tools)
        memory = method.start(system, state)
        with np.errstate(over="ignore", invalid="ignore"):
            for k in range(steps):
                began, worked = time.perf_counter(), time.process_time()
                new, memory, report = method.advance(system, state, memory, h, tools)
                cpu, wall = cpu + time.process_time() - worked, wall + time.perf_counter() - began
                if not np.isfinite(new.x).all():
                    failure = f"exploded in step {k + 1}"
                    break
                watch(state, new, report)
                state = new
    except SuppleError as trouble:
        failure = f"failed: {trouble}"
    finally:
        tools.close()
    return _Run(state, cpu, wall, tools.report.iterations, failure)


def _refusal(method: Integrator, system: System) -> str:
    if method.adapts:
        return f"{method.name} chooses the length of its steps and does not end at the time of the reference"
    return method.refuses(system)


def _warm_up(problem: Problem, method: Integrator, h: float, tools: StepTools) -> None:
    """One step that compiles kernels and analyses matrices, and that leaves nothing else behind."""
    before = tools.memory()
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            method.advance(problem.system, problem.start, method.start(problem.system, problem.start), h, tools)
    except SuppleError:
        return  # the run will fail likewise, and say so
    finally:
        tools.restore(before)
        tools.report = SolveReport()
