"""The loop: a generator of frames. A step that fails is taken in halves; everything else stays outside."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from supple.dynamics.ledger import Ledger
from supple.dynamics.state import State
from supple.dynamics.step import Integrator
from supple.dynamics.system import System
from supple.errors import StepFailed, StepRejected
from supple.progress import Progress, begin
from supple.solvers.report import SolveReport
from supple.solvers.tools import StepTools


@dataclass(frozen=True)
class Frame:
    """One accepted step; `step` 0 is the initial state."""

    step: int
    state: State
    h: float
    ledger: Ledger
    solve: SolveReport
    wall_seconds: float
    whole: bool
    """False within a step that is being taken in pieces."""
    note: str = ""
    """What the user should know about this step."""
    collided: float = 0.0
    """Energy that putting bodies out of obstacles made (positive) or took in this step [J]."""
    rejected: int = 0
    """Steps that were tried and thrown away before this one."""


def simulate(
    system: System,
    integrator: Integrator,
    start: State | Progress,
    h: float,
    steps: int,
    tools: StepTools | None = None,
) -> Iterator[Frame]:
    """Frames up to `steps` whole steps of h [s], the initial state first. A method that chooses the length of its steps
    itself goes on until so much time has passed; its last step may end later.

    A Progress given as `start` is kept up to date, so that it can be saved at any frame and a run can go on from there;
    it needs the `tools` it was made with, which hold the solver's choices and memory.
    """
    tools = tools or StepTools(system)
    progress = start if isinstance(start, Progress) else begin(system, integrator, start, tools)
    began = time.perf_counter()
    note, halved = "", 0
    if progress.step == 0:
        yield Frame(0, progress.state, 0.0, progress.ledger, SolveReport(), 0.0, True, progress.note)
    while progress.whole_steps < steps:
        if not progress.pending:
            progress.pending.append(h)
        piece = progress.pending[-1]
        tools.report = SolveReport()
        try:
            state, memory, report = integrator.advance(system, progress.state, progress.memory, piece, tools)
        except StepRejected as problem:
            note = _halve(progress, piece, h, tools.solver.options.max_halvings, problem)
            halved += 1
            continue
        if not (np.isfinite(state.x).all() and np.isfinite(state.v).all()):
            raise StepFailed(
                f"step {progress.step + 1} at t = {state.t:g} s gave positions that are not finite: unstable"
            )
        progress.pending.pop()
        ledger = progress.ledger.after(system, progress.state, state, report, tools.energies(state))
        progress.advance(state, memory, ledger, h if integrator.adapts else None)
        note = "; ".join(filter(None, (note, report.note)))
        wall = time.perf_counter() - began
        whole = not progress.pending
        rejected = report.rejected + halved
        yield Frame(progress.step, state, report.h, ledger, tools.report, wall, whole, note, report.collided, rejected)
        note, halved = "", 0
        began = time.perf_counter()


def _halve(progress: Progress, piece: float, h: float, most: int, problem: StepRejected) -> str:
    """Put two halves in the place of a piece that failed."""
    if piece <= h * 0.5**most * 1.5:
        raise StepFailed(
            f"step {progress.step + 1} at t = {progress.state.t:g} s failed even in pieces of {piece:g} s: {problem}"
        )
    progress.pending.pop()
    progress.pending += [piece / 2, piece / 2]
    return f"t = {progress.state.t:g} s: taken in steps of {piece / 2:g} s, since {problem}"
