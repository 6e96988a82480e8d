"""A run that can be differentiated: its steps, or checkpoints from which they are repeated."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from supple.checks import checked_call
from supple.dynamics.equation import Equation
from supple.dynamics.stage import Stage
from supple.dynamics.state import State
from supple.dynamics.step import Memory, Solution
from supple.dynamics.system import System
from supple.errors import SuppleError
from supple.integrators.method import Method
from supple.loop import Frame, simulate
from supple.model.model import Model
from supple.progress import Progress, begin
from supple.sensitivity.guard import check
from supple.sensitivity.refusals import refuse
from supple.sensitivity.rehearsal.program import Program
from supple.sensitivity.rehearsal.rehearse import rehearse, rehearse_start
from supple.sensitivity.replay import Played, Step
from supple.solvers.options import SolverOptions
from supple.solvers.tools import StepTools
from supple.types import Array
from supple.values import Count, Positive

if TYPE_CHECKING:
    from supple.sensitivity.sweeps import Bars, Direction, Dots, Loss
    from supple.sensitivity.twins import Twin

Watch: TypeAlias = Callable[[Frame], None]
"""Callback for every frame of a run."""


class KeepingTools(StepTools):
    """Tools that store the results of their solves, for one attempt at a step."""

    def __init__(self, system: System, options: SolverOptions | None) -> None:
        super().__init__(system, options)
        self.found: list[tuple[Array, int]] = []
        """Results, and the number of samples of the first potential of their stages."""
        self.last: KeepingTools = self

    def for_step(self) -> KeepingTools:
        view = super().for_step()
        view.found = []
        self.last = view
        return view

    def minimise(self, stage: Stage) -> Solution:
        solution = super().minimise(stage)
        self.found.append((solution.x, len(stage.parts[0][1]) if stage.parts else len(stage.positions)))
        return solution

    def root(self, equation: Equation, patience: int = 0) -> Array:
        x = super().root(equation, patience)
        self.found.append((x, 0))
        return x


@dataclass(frozen=True)
class Kept:
    """A checkpoint: the run before step `index`."""

    index: int
    """Number of accepted steps before it."""
    progress: Progress
    """Progress of the run at that point."""


@dataclass
class Record:
    """Created by `record`; `states` has the initial state and the state after every step, if kept."""

    model: Model
    """Simulated model."""
    method: Method
    """Integrator."""
    h: float
    """Time step [s]."""
    steps: int
    """Number of requested steps."""
    keep: int | Literal["all"]
    """All states, or a checkpoint every so many steps."""
    solver: SolverOptions
    """Options of the solver."""
    times: list[float] = field(default_factory=list)
    """Times of the initial state and after each accepted step [s]."""
    taken: list[Step] = field(default_factory=list)
    """All steps, if kept; otherwise those since the last checkpoint."""
    checkpoints: list[Kept] = field(default_factory=list)
    """Checkpoints, in the order of the run."""
    start: State | None = None
    """Initial state."""
    last: State | None = None
    """State after the last step."""
    notes: list[str] = field(default_factory=list)
    """Warnings and remarks of the run."""
    programs: dict[tuple[object, ...], Program] = field(default_factory=dict, repr=False)
    """Rehearsed programs of steps, by kind of step."""

    @property
    def system(self) -> System:
        return self.model.system

    @property
    def states(self) -> list[State]:
        """The initial state and the state after every step."""
        assert self.start is not None
        return [self.start, *(step.after for step in self.forwards())]

    def pull(self, loss: Loss, twins: Sequence[Twin] = (), fields: bool = True) -> Bars:
        """Derivatives of a loss with respect to all inputs of the run (sweeps.py)."""
        from supple.sensitivity.sweeps import pull

        return pull(self, loss, twins, fields)

    def push(self, directions: Sequence[Direction]) -> Iterator[tuple[int, State, list[Dots]]]:
        """Changes of the motion along directions, step by step (sweeps.py)."""
        from supple.sensitivity.sweeps import push

        return push(self, directions)

    def forwards(self) -> Iterator[Step]:
        """All steps from the first to the last; with checkpoints they are recomputed."""
        if self.keep == "all":
            yield from self.taken
            return
        with self._tools() as tools:
            for kept in self.checkpoints[:-1]:
                yield from self._run(_again(kept.progress), tools, self.keep)
        yield from self.taken

    def backwards(self) -> Iterator[Step]:
        """All steps from the last to the first; with checkpoints one segment is in memory at a time."""
        yield from reversed(self.taken)
        if self.keep == "all":
            return
        with self._tools() as tools:
            for kept in reversed(self.checkpoints[:-1]):
                yield from reversed(list(self._run(_again(kept.progress), tools, self.keep)))

    def start_step(self) -> Step:
        """The start of the run as a step: prescribed vertices in position, and the initial memory of the method."""
        assert self.start is not None
        program = rehearse_start(self.method, self.system)
        return Step(self.start, {}, 0.0, (), program, self.start)

    @contextmanager
    def _tools(self) -> Iterator[KeepingTools]:
        """Tools for all segments of a sweep: the factors of one are good preconditioners of the next."""
        tools = KeepingTools(self.system, self.solver)
        try:
            yield tools
        finally:
            tools.close()

    def _run(
        self, progress: Progress, tools: KeepingTools, count: int | None, each: Watch | None = None
    ) -> Iterator[Step]:
        """Steps from some progress on, `count` of them or all remaining."""
        before, memory = progress.state, progress.memory
        for frame in simulate(self.system, self.method, progress, self.h, self.steps, tools):
            if each is not None:
                each(frame)
            if frame.step == 0:
                continue
            if frame.exceptional:
                raise SuppleError(f"no derivatives of this run: {frame.note}")
            step = self._step(before, memory, frame, tools.last.found)
            before, memory = progress.state, progress.memory
            yield step
            count = None if count is None else count - 1
            if count == 0:
                return

    def _step(self, before: State, memory: Memory, frame: Frame, found: Sequence[tuple[Array, int]]) -> Step:
        taken = self.method.replayed(memory, [count for _, count in found])
        numbers = tuple((k, a.tobytes()) for k, a in sorted(taken.items()) if a.shape != before.x.shape)
        fields = tuple(sorted(k for k, a in taken.items() if a.shape == before.x.shape))
        key = (frame.h, fields, numbers)
        if key not in self.programs:
            self.programs[key] = rehearse(self.method, self.system, 0.0, frame.h, taken, self.solver.energy_tolerance)
        program = self.programs[key]
        if program.solves > len(found):
            raise SuppleError(
                f"{self.method.name}: no derivatives of its steps: a rehearsed step has more solves than the actual one"
            )
        solved = [x for x, _ in found[len(found) - program.solves :]]
        after = frame.state
        solved = [after.x if np.array_equal(x, after.x) else x for x in solved]
        return Step(before, memory, frame.h, tuple(solved), program, after)


@checked_call
def record(
    model: Model,
    method: Method,
    *,
    h: Positive,
    steps: Count,
    start: State | None = None,
    keep: int | Literal["all"] = "all",
    solver: SolverOptions | None = None,
    each: Watch | None = None,
) -> Record:
    """A run of `steps` steps of h [s] that can be pulled back (`pull`) and pushed along (`push`).

        found = supple.record(model, supple.AVF(), h=1 / 60, steps=60)
        bars = found.pull(lambda frame: ...)

    keep: "all" states (48 bytes per vertex and step), or a checkpoint every n steps, from which segments are recomputed.
    each: called with every frame. Methods and systems whose steps have no derivatives here are refused with the reason.
    """
    refuse(model.system, method)
    if keep != "all" and not (isinstance(keep, int) and keep >= 1):
        raise SuppleError(f'record: keep = {keep!r}; give "all", or a number of steps, at least 1')
    options = solver or SolverOptions(**model.system.solver)
    found = Record(model, method, h, steps, keep, options)
    tools = KeepingTools(model.system, options)
    try:
        progress = begin(model.system, method, start or model.state, tools)
        found.start, found.times = progress.state, [progress.state.t]
        _take(found, progress, tools, each)
    finally:
        tools.close()
    return found


def _take(found: Record, progress: Progress, tools: KeepingTools, each: Watch | None) -> None:
    if found.keep != "all":
        found.checkpoints.append(Kept(0, _again(progress)))

    def seen(frame: Frame) -> None:
        found.notes += [frame.note] if frame.note else []
        if each is not None:
            each(frame)

    for taken, step in enumerate(found._run(progress, tools, None, seen), start=1):
        check(Played(found.system, found.method, step), found.method.name, found.solver.tolerance)
        found.times.append(step.after.t)
        found.last = step.after
        found.taken.append(step)
        if found.keep != "all" and taken % found.keep == 0 and progress.whole_steps < found.steps:
            found.checkpoints.append(Kept(taken, _again(progress)))
            found.taken.clear()


def _again(progress: Progress) -> Progress:
    """An independent copy of the progress."""
    return replace(copy.copy(progress), pending=list(progress.pending))
