"""The loop: a generator of frames. A step that fails is taken in halves; everything else stays outside."""

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
from supple.progress import Progress, Saved, begin
from supple.solvers.report import SolveReport
from supple.solvers.tools import StepTools
from supple.types import Array


def _not_of_a_run() -> NoReturn:
    raise SuppleError("this frame does not come from a run: only its own fields are known")


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
    exceptional: bool = False
    """Whether it is not the step that the method promises; the note says why."""
    trouble: int | None = None
    """Vertex at which the step that was asked for was furthest from solved, if it was not."""
    whole_steps: int = 0
    """Steps of the length that was asked for which are complete."""
    save: Callable[[], Saved] = _not_of_a_run
    """What a checkpoint of the run needs, until the next frame is asked for."""
    momenta: Callable[[], tuple[Array, Array]] = _not_of_a_run
    """Linear and angular momentum, with what lives in the method's memory; until the next frame is asked for."""
    densities: Callable[[], Array | None] = _not_of_a_run
    """Elastic energy density at each vertex where it lives in the method's memory, else None; likewise [J/m^3]."""
    deformations: Callable[[], Array | None] = _not_of_a_run
    """Deformation gradient of each particle (n, 3, 3), None where no method carries any; likewise [-]."""
    doubtful: bool = False
    """Whether its residue exceeds what the method's own figures allow; the note says by how much."""


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
            spend(progress, during, problem, during.report)
            halvings = tools.solver.options.max_halvings // (2 if progress.gave_way else 1)
            smallest = piece <= h * 0.5**halvings * 1.5
            if not smallest:
                note = _halve(progress, piece, problem)
                progress.failed(piece, lasting=bool(system.potential.roles.couplings))
                halved += 1
                continue
            trouble = worst_vertex(problem)
            taken = _give_way(system, integrator, progress, piece, during, problem)
        spend(progress, during, None, during.report)
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
    """Refuse a start from which no step can be judged."""
    if not math.isfinite(progress.ledger.energies.total):
        raise StepFailed("the energy at the start is not finite: something is flat, inverted, touching or too fast")


def _doubt(system: System, integrator: Integrator, progress: Progress, taken: Taken, tools: StepTools) -> str:
    """What the witness says of a step, unless the solver's options say that the run shall end at a doubt."""
    progress.witness, doubt = witnessed(system, integrator, progress, taken, tools)
    if doubt and tools.solver.options.strict:
        raise StepFailed(f"step {progress.step + 1} at {doubt}")
    return doubt


def _asked(system: System, integrator: Integrator, progress: Progress, tools: StepTools) -> dict[str, Any]:
    """What frames answer only where somebody asks."""
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
    """Put two halves in the place of a piece that failed, or would."""
    progress.pending.pop()
    progress.pending += [piece / 2, piece / 2]
    return f"t = {progress.state.t:g} s: taken in steps of {piece / 2:g} s, since {problem}"


def _give_way(
    system: System, integrator: Integrator, progress: Progress, piece: float, tools: StepTools, problem: StepRejected
) -> Taken:
    """The smallest piece, taken somehow, unless the solver's options say that the run shall end here."""
    if tools.solver.options.strict:
        raise StepFailed(
            f"step {progress.step + 1} at t = {progress.state.t:g} s failed even in pieces of {piece:g} s: {problem}"
        )
    taken = give_way(system, integrator, progress, piece, tools, problem)
    progress.gave_way, progress.longest = True, math.inf
    return taken
