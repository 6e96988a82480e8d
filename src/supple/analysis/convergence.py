"""Convergence studies: runs of several methods with increasing numbers of steps, their errors, orders and cost.

Between runs of n and m steps the observed order is ln(e_n/e_m) / ln(m/n).

Cost is the CPU time of all threads within the steps, that of the fastest of several repeats. Every run first takes one
step that does not count, in which kernels are compiled and the pattern of the matrix is analysed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from supple.analysis.timed_run import Problem, tightened, timed_run
from supple.analysis.yardstick import Drift, Yardstick
from supple.dynamics.state import State
from supple.dynamics.step import Integrator, StepReport
from supple.dynamics.system import System

EXPLOSION = 1e3
"""Error, in sizes of body and motion, beyond which a run has diverged from the solution."""


@dataclass(frozen=True)
class Trial:
    """One method with one number of steps: its errors against the reference, and its cost."""

    integrator: str
    steps: int
    """Requested steps: the duration over h."""
    h: float
    """[s]"""
    error_x: float
    """[m]; NaN if the run did not reach the end, like the other errors."""
    error_v: float
    """[m/s]"""
    error_energy: float
    """Largest energy created or lost by the numerics, relative to the energy in play [-]."""
    error_modes: float
    """[m]; NaN where no modes were requested."""
    cpu_seconds: float
    """CPU time of all threads within the steps."""
    wall_seconds: float
    """Wall time of the same steps."""
    iterations: int
    taken: int = 0
    """Steps taken; differs from the requested number for adaptive methods."""
    evaluations: float = 0.0
    """Number of evaluations of all forces."""
    failure: str = ""
    """Reason for a missing error."""


def placed(system: System, state: State) -> State:
    """A writable copy of a state with prescribed vertices in position."""
    x, v = np.array(state.x, np.float64, order="C"), np.array(state.v, np.float64, order="C")
    return State(state.t, system.motion.place(x, state.t), system.motion.drive(v, state.t))


def trials(
    problem: Problem, methods: Mapping[str, Integrator], steps: Sequence[int], yardstick: Yardstick,
    tell: Callable[[], None] = lambda: None, repeats: int = 1,
) -> Iterator[Trial]:  # fmt: skip
    """All runs, one method after the other; `tell` is called after each step. The tolerance of error control applies to the
    first number of steps."""
    for name, method in methods.items():
        for count in steps:
            yield _trial(problem, name, tightened(method, steps[0] / count), count, yardstick, tell, repeats)


def orders(errors: Sequence[float], steps: Sequence[int]) -> list[float]:
    """Observed order of each run against the previous one; NaN for the first and for unusable errors."""
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

    first = timed_run(problem, method, steps, book)
    runs = [first]
    while not first.failure and len(runs) < repeats:  # a failure would repeat
        runs.append(timed_run(problem, method, steps, lambda *_: tell()))
    best = min(runs, key=lambda run: run.cpu)
    error_x, error_v, error_modes, error_energy, failure = math.nan, math.nan, math.nan, math.nan, first.failure
    if not failure:
        error_x, error_v, error_modes = yardstick.errors(first.state)
        error_energy = drift.largest / yardstick.energy
        failure = "diverged" if error_x > EXPLOSION * yardstick.size else ""
    return Trial(
        name, steps, problem.duration / steps, error_x, error_v, error_energy, error_modes,
        best.cpu, best.wall, first.iterations, first.taken, first.evaluations, failure,
    )  # fmt: skip
