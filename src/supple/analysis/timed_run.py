"""One run of a study: final state and cost, or the reason of a failure.

Adaptive methods continue until the end has passed; the state there is interpolated by the cubic through the
last two. Its error is of order 4 in positions and 3 in velocities, below that of methods with step rules. With error
control the number of steps depends on the tolerance: `tightened` returns a method for each requested number.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from supple.adaptive.error_control import ErrorControl
from supple.analysis.evaluations import counted
from supple.dynamics.state import State
from supple.dynamics.step import Integrator, StepReport
from supple.dynamics.system import System
from supple.errors import SuppleError
from supple.integrators.wrapper import Wrapper
from supple.recording.cadence import between
from supple.solvers.options import SolverOptions
from supple.solvers.report import SolveReport
from supple.solvers.tools import StepTools

Watch = Callable[[State, State, StepReport], None]
"""Called after every step with the states before and after it."""
MOST = 1000
"""Largest number of steps taken per requested step."""
NEARLY = 1e-9
"""Tolerance for reaching the end, as a fraction of a step: accumulated times are not exact."""


@dataclass(frozen=True)
class Problem:
    """A simulation task: a system from its (placed) start over a duration [s]."""

    system: System
    start: State
    duration: float
    options: SolverOptions


@dataclass(frozen=True)
class TimedRun:
    """Outcome of a run."""

    state: State
    taken: int
    """Number of steps."""
    cpu: float
    """CPU time of all threads within the steps [s]."""
    wall: float
    """[s]"""
    iterations: int
    evaluations: float
    """Number of evaluations of all forces."""
    failure: str


def tightened(method: Integrator, factor: float) -> Integrator:
    """The same method for steps shorter by a factor: with error control, at the corresponding tolerance."""
    if isinstance(method, ErrorControl):
        return replace(method, tolerance=method.tolerance * factor**method.facts.order)
    if isinstance(method, Wrapper):
        return cast(Integrator, replace(cast(Any, method), of=tightened(method.of, factor)))
    return method


def timed_run(problem: Problem, method: Integrator, steps: int, watch: Watch) -> TimedRun:
    """Run with steps of duration/steps, or with adaptive steps based on it."""
    system, count = counted(problem.system)
    state, h = problem.start, problem.duration / steps
    if refusal := method.refuses(system):
        return TimedRun(state, 0, 0.0, 0.0, 0, 0.0, f"refused: {refusal}")
    tools = StepTools(system, problem.options)
    failure, cpu, wall, taken, old = "", 0.0, 0.0, 0, state
    end = problem.start.t + problem.duration
    try:
        _warm_up(problem, system, method, h, tools)
        count.elements = 0
        memory = method.start(system, state)
        with np.errstate(over="ignore", invalid="ignore"):
            while not failure and (state.t < end - NEARLY * h if method.adapts else taken < steps):
                began, worked = time.perf_counter(), time.process_time()
                new, memory, report = method.advance(system, state, memory, h, tools)
                cpu, wall = cpu + time.process_time() - worked, wall + time.perf_counter() - began
                taken += 1
                if not np.isfinite(new.x).all():
                    failure = f"diverged in step {taken}"
                    break
                if taken >= MOST * steps:
                    failure = f"failed: {taken} steps reached only t = {new.t:g} s"
                watch(state, new, report)
                old, state = state, new
    except SuppleError as trouble:
        failure = f"failed: {trouble}"
    finally:
        tools.close()
    if method.adapts and not failure and state.t > end + NEARLY * h:
        state = between(old, state, end)
    return TimedRun(state, taken, cpu, wall, tools.report.iterations, count.evaluations, failure)


def _warm_up(problem: Problem, system: System, method: Integrator, h: float, tools: StepTools) -> None:
    """One step that compiles kernels and analyses matrices, without other effects."""
    before = tools.memory()
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            method.advance(system, problem.start, method.start(system, problem.start), h, tools)
    except SuppleError:
        return  # the run will fail in the same way and report it
    finally:
        tools.restore(before)
        tools.report = SolveReport()
