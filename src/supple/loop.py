"""The loop: a generator of frames. A failed step is retried in halves; everything else stays outside."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn

from supple.attempts import Taken, attempt, give_way, spend, witnessed, worst_vertex
from supple.dynamics.ledger import Ledger
from supple.dynamics.state import State
from supple.dynamics.step import Integrator
from supple.dynamics.system import System
from supple.errors import StepFailed, StepRejected, SuppleError
from supple.progress import Progress, Saved, begin, demand_step
from supple.solvers.report import SolveReport
from supple.solvers.tools import StepTools
from supple.types import Array


def _not_of_a_run() -> NoReturn:
    raise SuppleError("this frame does not belong to a run: only its own fields are available")


@dataclass(frozen=True)
class Frame:
    """One accepted step; `step` 0 is the initial state."""

    step: int
    """Number of accepted steps, substeps included."""
    state: State
    """Time, positions and velocities after the step."""
    h: float
    """Length of the step [s]; 0 for the initial state."""
    ledger: Ledger
    """Energies, dissipated energy, work and residual up to this step."""
    solve: SolveReport
    """Iterations and residuals of the solves in this step."""
    wall_seconds: float
    """Wall time of the step [s]."""
    whole: bool
    """False for a substep that does not complete its step."""
    note: str = ""
    """Remark about this step for the user."""
    collided: float = 0.0
    """Energy gained (positive) or lost in this step by pushing bodies out of obstacles [J]."""
    rejected: int = 0
    """Attempts rejected before this step."""
    exceptional: bool = False
    """Whether the step lacks the method's guaranteed properties; the note gives the reason."""
    trouble: int | None = None
    """Vertex with the largest residual, if the requested step did not converge."""
    whole_steps: int = 0
    """Completed steps of the requested length."""
    save: Callable[[], Saved] = _not_of_a_run
    """Data for a checkpoint of the run; valid until the next frame."""
    momenta: Callable[[], tuple[Array, Array]] = _not_of_a_run
    """Linear and angular momentum, including the part in the method's memory; valid until the next frame."""
    densities: Callable[[], Array | None] = _not_of_a_run
    """Elastic energy density per vertex, None unless the method's memory holds it; valid until the next frame [J/m^3]."""
    deformations: Callable[[], Array | None] = _not_of_a_run
    """Deformation gradient of each particle (n, 3, 3), None if the method stores none; valid until the next frame [-]."""
    doubtful: bool = False
    """Whether the energy residual exceeds the limit that follows from the method's properties; the note states by how much."""


def simulate(
    system: System,
    integrator: Integrator,
    start: State | Progress,
    h: float,
    steps: int,
    tools: StepTools | None = None,
) -> Iterator[Frame]:
    """Frames up to `steps` full steps of h [s], the initial state first. A method that chooses its own step length
    runs until the same time has passed; its last step may end later.

    A Progress given as `start` is kept up to date: it can be saved at any frame and the run resumed from there. It
    requires the `tools` it was created with, which hold the solver's options and memory.
    """
    demand_step(integrator, h)
    tools = tools or StepTools(system)
    progress = start if isinstance(start, Progress) else begin(system, integrator, start, tools)
    asked = _asked(system, integrator, progress, tools)
    began = time.perf_counter()
    note, halved, trouble = "", 0, None
    if progress.step == 0:
        _require_energy(progress)
        yield Frame(0, progress.state, 0.0, progress.ledger, SolveReport(), 0.0, True, progress.note, **asked)
    while progress.whole_steps < steps:
        if not progress.pending:
            progress.pending.append(h)
        piece = progress.pending[-1]
        if piece > progress.longest:
            untried = _halve(progress, piece, "longer ones failed shortly before")
            note = note or untried
            continue
        during = tools.for_step()
        try:
            taken = attempt(system, integrator, progress, piece, during)
        except StepRejected as problem:
            spend(progress, during, problem)
            halvings = tools.solver.options.max_halvings // (2 if progress.gave_way else 1)
            smallest = piece <= h * 0.5**halvings * 1.5
            if not smallest:
                note = _halve(progress, piece, problem)
                progress.failed(piece, lasting=bool(system.potential.roles.couplings))
                halved += 1
                continue
            trouble = worst_vertex(problem)
            taken = _give_way(system, integrator, progress, piece, during, problem)
        spend(progress, during)
        doubt = _doubt(system, integrator, progress, taken, during)
        progress.pending.pop()
        progress.taken(piece)
        report = taken.report
        progress.advance(taken.state, taken.memory, taken.ledger, h if integrator.adapts else None)
        excuse = f"t = {taken.state.t:g} s: {taken.excuse}" if taken.excuse else ""
        yield Frame(
            progress.step, taken.state, report.h, taken.ledger, during.report, time.perf_counter() - began,
            not progress.pending, "; ".join(filter(None, (note, report.note, excuse, doubt))), report.collided,
            report.rejected + halved, bool(excuse), trouble, progress.whole_steps, doubtful=bool(doubt), **asked,
        )  # fmt: skip
        note, halved, trouble = "", 0, None
        began = time.perf_counter()


def _require_energy(progress: Progress) -> None:
    """Reject an initial state whose energy is not finite."""
    if not math.isfinite(progress.ledger.energies.total):
        raise StepFailed("the energy at the start is not finite: something is flat, inverted, touching or too fast")


def _doubt(system: System, integrator: Integrator, progress: Progress, taken: Taken, tools: StepTools) -> str:
    """The verdict of the witness on a step; with the solver's option `strict`, a doubtful step stops the run."""
    progress.witness, doubt = witnessed(system, integrator, progress, taken, tools)
    if doubt and tools.solver.options.strict:
        raise StepFailed(f"step {progress.step + 1} at {doubt}")
    return doubt


def _asked(system: System, integrator: Integrator, progress: Progress, tools: StepTools) -> dict[str, Any]:
    """Quantities that frames compute on request."""
    return {
        "save": partial(progress.save, tools),
        "momenta": partial(_momenta, system, integrator, progress),
        "densities": partial(_densities, system, integrator, progress),
        "deformations": partial(_deformations, integrator, progress),
    }


def _momenta(system: System, integrator: Integrator, progress: Progress) -> tuple[Array, Array]:
    return integrator.momenta(system, progress.state, progress.memory)


def _densities(system: System, integrator: Integrator, progress: Progress) -> Array | None:
    return integrator.densities(system, progress.memory)


def _deformations(integrator: Integrator, progress: Progress) -> Array | None:
    return integrator.deformations(progress.memory)


def _halve(progress: Progress, piece: float, problem: StepRejected | str) -> str:
    """Replace a substep that failed, or would fail, by two halves."""
    progress.pending.pop()
    progress.pending += [piece / 2, piece / 2]
    return f"t = {progress.state.t:g} s: taken in steps of {piece / 2:g} s, since {problem}"


def _give_way(
    system: System, integrator: Integrator, progress: Progress, piece: float, tools: StepTools, problem: StepRejected
) -> Taken:
    """The fallback for the smallest substep; with the solver's option `strict`, the run stops instead."""
    if tools.solver.options.strict:
        raise StepFailed(
            f"step {progress.step + 1} at t = {progress.state.t:g} s failed even in substeps of {piece:g} s: {problem}"
        )
    taken = give_way(system, integrator, progress, piece, tools, problem)
    progress.gave_way, progress.longest = True, math.inf
    return taken
