"""One attempt at a step, and what is done when no attempt succeeds.

A step is refused, and tried again in halves, if its stages are not solved, if its energy is not finite, or if a method that
promises to keep the energy has missed more than it promises. The smallest piece is taken all the same: as it is if only
energy is missing, otherwise by backward Euler, which solves where anything does; what that loses is booked and reported.
A step that was accepted is shown to the witness, which says whether its residue is to be doubted.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from supple.dynamics.ledger import Ledger
from supple.dynamics.state import State
from supple.dynamics.step import Integrator, Memory, StepReport
from supple.dynamics.system import System
from supple.dynamics.witness import PROMISED, Step, Witness
from supple.errors import NotPositiveDefinite, QuadratureTooCoarse, StageNotConverged, StepFailed, StepRejected
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.linalg.fields import all_finite
from supple.linalg.reduce import largest
from supple.progress import Progress, first_memory, quiet
from supple.solvers.report import SolveReport
from supple.solvers.tools import StepTools

PIECES = 6
"""How often backward Euler may halve a piece that the method gave up."""
ATTEMPT = 100
"""Work of an attempt besides its iterations and evaluations, in terms of these."""
STILL = 1e-9
"""Motion over the size of the coordinates whose energy is nothing but rounding error [1/s]."""
FARTHEST = 1e100
"""Coordinate beyond which products of positions and momenta may overflow [m]."""


@dataclass(frozen=True)
class Taken:
    """A step that was taken."""

    state: State
    memory: Memory
    report: StepReport
    ledger: Ledger
    excuse: str = ""
    """Why it is not the step that was asked for; empty if it is."""


class EnergyMissed(StepRejected):
    """A step of a conserving method that does not conserve; `taken` is what it would be."""

    def __init__(self, message: str, taken: Taken) -> None:
        self.taken = taken
        super().__init__(message)


def attempt(system: System, integrator: Integrator, progress: Progress, h: float, tools: StepTools) -> Taken:
    """A step of h; raises StepRejected if it cannot be accepted."""
    with quiet():
        try:
            state, memory, report = integrator.advance(system, progress.state, progress.memory, h, tools)
        except (
            ArithmeticError,
            np.linalg.LinAlgError,
            NotPositiveDefinite,
        ) as problem:
            if integrator.facts.solves == 0:
                raise _unstable(
                    progress, progress.state, f"numbers that arithmetic cannot carry ({problem})"
                ) from problem
            raise StepRejected(f"its numbers are beyond what arithmetic can carry ({problem})") from problem
        _require_finite(progress, state)
        energies = integrator.energies(system, state, memory, tools)
        if not math.isfinite(energies.total):
            if integrator.facts.solves == 0:  # smaller pieces would only hide that the step is unstable
                raise _unstable(progress, state, "an energy that is not finite")
            raise StepRejected(f"the energy at its end, t = {state.t:g} s, is infinite: elements are flat or inverted")
        ledger = progress.ledger.after(system, progress.state, state, report, energies)
    if not ledger.is_finite:
        raise _unstable(progress, state, "work or heat that is not finite")
    taken = Taken(state, memory, report, ledger)
    promised = integrator.promises(system)
    if promised is not None:
        missed = abs(ledger.residue - progress.ledger.residue)
        scale = max(progress.ledger.energies.scale, energies.scale, abs(ledger.initial))
        if missed > max(promised, 10.0 * tools.energy_tolerance) * scale:  # a loose solve was asked for
            raise EnergyMissed(f"it would miss {missed:.1e} J of {scale:.1e} J", taken)
    return taken


def _require_finite(progress: Progress, state: State) -> None:
    reach = largest(state.x)  # NaN if there is one
    if not (math.isfinite(reach) and all_finite(state.v)):
        raise _unstable(progress, state, "positions or velocities that are not finite")
    if reach > FARTHEST:
        raise _unstable(progress, state, f"positions beyond {FARTHEST:g} m")


def _unstable(progress: Progress, state: State, what: str) -> StepFailed:
    return StepFailed(f"step {progress.step + 1} at t = {state.t:g} s gave {what}: unstable")


def witnessed(
    system: System, integrator: Integrator, progress: Progress, taken: Taken, tools: StepTools
) -> tuple[Witness, str]:
    """The witness after a step that was taken, and its doubt in words. Steps that have an excuse are explained already."""
    promised, grid = integrator.promises(system), taken.report.grid
    if promised is not None:
        promised = max(promised, PROMISED, 10.0 * tools.energy_tolerance)
    named = taken.report.collided + taken.ledger.springs - progress.ledger.springs
    named += grid.transfer + grid.collided + grid.restored if grid else 0.0
    step = Step(progress.ledger, taken.ledger, named, promised)
    witness, doubt = progress.witness.hears(step)
    if not doubt or taken.excuse or max(witness.in_play, taken.ledger.residue) <= _rounding(system, taken):
        return witness, ""
    return witness, f"t = {taken.state.t:g} s: doubtful: {doubt}"


def _rounding(system: System, taken: Taken) -> float:
    """Energy of motions too small to be told from rounding errors of the positions [J]."""
    speed = STILL * largest(taken.state.x)
    return 0.5 * float(system.mass.sum()) * speed * speed


def spend(progress: Progress, tools: StepTools, problem: StepRejected | None, *reports: SolveReport) -> None:
    """Count an attempt and its work; raises StepFailed when the step has had all that it may have."""
    if isinstance(problem, StageNotConverged):
        reports = (*reports, problem.report)
    progress.work += ATTEMPT + sum(report.iterations + report.line_search_steps for report in reports)
    most = tools.solver.options.max_work
    if progress.work > most:
        since = f", since {problem}" if problem else ""
        raise StepFailed(
            f"step {progress.step + 1} at t = {progress.state.t:g} s: the step of the run that it is part of has had all the "
            f"work that it may take, solver.max_work = {most}{since}; take a smaller time.step, or raise it"
        )


def give_way(
    system: System, integrator: Integrator, progress: Progress, h: float, tools: StepTools, problem: StepRejected
) -> Taken:
    """The step of h that no attempt got right, taken somehow; raises StepFailed if that is not possible either."""
    excuse = f"accepted in a piece of {h:g} s although {problem}"
    if isinstance(problem, EnergyMissed):
        return replace(problem.taken, excuse=excuse)
    if isinstance(problem, QuadratureTooCoarse) and integrator.relaxed is not None:
        with suppress(StepRejected):
            try:
                return replace(attempt(system, integrator.relaxed, progress, h, tools), excuse=excuse)
            except EnergyMissed as missed:
                return replace(missed.taken, excuse=excuse)
    return _rescued(system, integrator, progress, h, tools, problem)


def _rescued(
    system: System, integrator: Integrator, progress: Progress, h: float, tools: StepTools, problem: StepRejected
) -> Taken:
    """The step by backward Euler, in 1, 2, 4, ... pieces; its loss is booked as rescued."""
    plain = BackwardEuler()
    refusal = plain.refuses(system)
    for k in range(0 if refusal else PIECES + 1):
        trial = replace(progress, memory=first_memory(system, plain, progress.state), pending=[])
        try:
            for _ in range(2**k):
                taken = attempt(system, plain, trial, h / 2**k, tools)
                trial.advance(taken.state, taken.memory, taken.ledger)
        except StepRejected as another:
            spend(progress, tools, another)
            continue
        before, after = progress.ledger.residue, trial.ledger.residue
        ledger = replace(trial.ledger, rescued=trial.ledger.rescued + before - after)
        report = StepReport(h, dissipated=0.0, external_work=0.0)
        pieces = f" in {2**k} pieces" if k else ""
        excuse = f"a piece of {h:g} s taken by {plain.name}{pieces}, which lost {before - after:.2g} J, since {problem}"
        return Taken(trial.state, integrator.restarted(system, trial.state, progress.memory), report, ledger, excuse)
    tried = f"; {refusal}" if refusal else f"; {plain.name} failed in pieces of {h / 2**PIECES:g} s too"
    raise StepFailed(
        f"step {progress.step + 1} at t = {progress.state.t:g} s failed even in pieces of {h:g} s: {problem}"
        + ("" if system.on_grid else tried)  # no other method moves material points
    )


def worst_vertex(problem: StepRejected) -> int | None:
    """The vertex at which a stage was furthest from solved, if that is what went wrong."""
    if not isinstance(problem, StageNotConverged) or not len(problem.report.residual):
        return None
    size = np.nan_to_num(np.abs(problem.report.residual).max(axis=1), nan=np.inf)
    return int(np.argmax(size))
