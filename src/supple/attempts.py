"""One attempt at a step, and the fallback if no attempt succeeds.

A step is rejected and retried in halves if a stage does not converge, if its energy is not finite, or if a conserving
method exceeds its guaranteed energy error. The smallest substep is taken in any case: unchanged if only the energy
error is too large, otherwise with backward Euler, the most robust method. The energy lost in this way is booked and
reported. The witness judges whether the energy residual of an accepted step is doubtful.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from supple.dynamics.invariants import Energies
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
from supple.solvers.tools import StepTools
from supple.work import ATTEMPT, OutOfWork, Work, counted

PIECES = 6
"""How often backward Euler may halve a substep on which the method failed."""
STILL = 1e-9
"""Speed relative to the size of the coordinates below which kinetic energy is mere round-off [1/s]."""
FARTHEST = 1e100
"""Coordinate beyond which products of positions and momenta may overflow [m]."""


@dataclass(frozen=True)
class Taken:
    """An accepted step."""

    state: State
    memory: Memory
    report: StepReport
    ledger: Ledger
    excuse: str = ""
    """Why it differs from the requested step; empty if it does not."""


class EnergyMissed(StepRejected):
    """A step of a conserving method that does not conserve energy; `taken` is the step itself."""

    def __init__(self, message: str, taken: Taken) -> None:
        self.taken = taken
        super().__init__(message)


def attempt(system: System, integrator: Integrator, progress: Progress, h: float, tools: StepTools) -> Taken:
    """A step of h; raises StepRejected if it cannot be accepted, StepFailed if the work of the step is exhausted."""
    try:
        with quiet(), counted(Work(progress.work, tools.solver.options.max_work)) as work:
            try:
                taken, energies = _tried(system, integrator, progress, h, tools)
            finally:
                progress.work = work.done
    except OutOfWork as problem:
        raise _exhausted(progress, tools, None) from problem
    if not taken.ledger.is_finite:
        raise _unstable(progress, taken.state, "work or heat that is not finite")
    promised = integrator.promises(system)
    if promised is not None:
        missed = abs(taken.ledger.residual - progress.ledger.residual)
        scale = max(progress.ledger.energies.scale, energies.scale, abs(taken.ledger.initial))
        if missed > max(promised, 10.0 * tools.energy_tolerance) * scale:  # the user chose a loose tolerance
            raise EnergyMissed(f"it would miss {missed:.1e} J of {scale:.1e} J", taken)
    return taken


def _tried(
    system: System, integrator: Integrator, progress: Progress, h: float, tools: StepTools
) -> tuple[Taken, Energies]:
    """A step of h as the method takes it, and the energies at its end."""
    try:
        state, memory, report = integrator.advance(system, progress.state, progress.memory, h, tools)
    except (ArithmeticError, np.linalg.LinAlgError, NotPositiveDefinite) as problem:
        if integrator.facts.solves == 0:
            raise _unstable(
                progress, progress.state, f"values beyond the range of double precision ({problem})"
            ) from problem
        raise StepRejected(f"its values are beyond the range of double precision ({problem})") from problem
    _require_finite(progress, state)
    energies = integrator.energies(system, state, memory, tools)
    if not math.isfinite(energies.total):
        if integrator.facts.solves == 0:  # smaller substeps would only hide the instability
            raise _unstable(progress, state, "an energy that is not finite")
        raise StepRejected(f"the energy at its end, t = {state.t:g} s, is infinite: elements are flat or inverted")
    ledger = progress.ledger.after(system, progress.state, state, report, energies)
    return Taken(state, memory, report, ledger), energies


def _require_finite(progress: Progress, state: State) -> None:
    reach = largest(state.x)  # NaN if any coordinate is NaN
    if not (math.isfinite(reach) and all_finite(state.v)):
        raise _unstable(progress, state, "positions or velocities that are not finite")
    if reach > FARTHEST:
        raise _unstable(progress, state, f"positions beyond {FARTHEST:g} m")


def _unstable(progress: Progress, state: State, what: str) -> StepFailed:
    return StepFailed(f"step {progress.step + 1} at t = {state.t:g} s gave {what}: unstable")


def witnessed(
    system: System, integrator: Integrator, progress: Progress, taken: Taken, tools: StepTools
) -> tuple[Witness, str]:
    """The witness after an accepted step, and its doubt in words; steps with an excuse are already explained."""
    promised, grid = integrator.promises(system), taken.report.grid
    if promised is not None:
        promised = max(promised, PROMISED, 10.0 * tools.energy_tolerance)
    named = taken.report.collided + taken.ledger.springs - progress.ledger.springs
    named += grid.transfer + grid.collided + grid.restored if grid else 0.0
    step = Step(progress.ledger, taken.ledger, named, promised)
    witness, doubt = progress.witness.hears(step)
    if not doubt or taken.excuse or max(witness.in_play, taken.ledger.residual) <= _rounding(system, taken):
        return witness, ""
    return witness, f"t = {taken.state.t:g} s: doubtful: {doubt}"


def _rounding(system: System, taken: Taken) -> float:
    """Energy of motions too small to distinguish from round-off in the positions [J]."""
    speed = STILL * largest(taken.state.x)
    return 0.5 * float(system.mass.sum()) * speed * speed


def spend(progress: Progress, tools: StepTools, problem: StepRejected | None = None) -> None:
    """Count an attempt; raises StepFailed when the step has had all the work that it may have."""
    progress.work += ATTEMPT
    if progress.work > tools.solver.options.max_work:
        raise _exhausted(progress, tools, problem)


def _exhausted(progress: Progress, tools: StepTools, problem: StepRejected | None) -> StepFailed:
    since = f", since {problem}" if problem else ""
    return StepFailed(
        f"step {progress.step + 1} at t = {progress.state.t:g} s: the step of the run that it is part of has had all the "
        f"work that it may take, solver.max_work = {tools.solver.options.max_work}{since}; take a smaller time.step, or raise it"
    )


def give_way(
    system: System, integrator: Integrator, progress: Progress, h: float, tools: StepTools, problem: StepRejected
) -> Taken:
    """Fallback for a step of h that every attempt failed; raises StepFailed if the fallback fails too."""
    excuse = f"accepted in a substep of {h:g} s although {problem}"
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
    """The step by backward Euler, in 1, 2, 4, ... substeps; its energy loss is booked as rescued."""
    plain = BackwardEuler()
    refusal = plain.refuses(system)
    for k in range(0 if refusal else PIECES + 1):
        # what is pending stays so: its work counts on
        trial = replace(progress, memory=first_memory(system, plain, progress.state), pending=[h])
        try:
            for _ in range(2**k):
                taken = attempt(system, plain, trial, h / 2**k, tools)
                trial.advance(taken.state, taken.memory, taken.ledger)
        except StepRejected as another:
            progress.work = trial.work
            spend(progress, tools, another)
            continue
        progress.work = trial.work
        before, after = progress.ledger.residual, trial.ledger.residual
        ledger = replace(trial.ledger, rescued=trial.ledger.rescued + before - after)
        report = StepReport(h, dissipated=0.0, external_work=0.0)
        pieces = f" in {2**k} substeps" if k else ""
        excuse = (
            f"a substep of {h:g} s taken by {plain.name}{pieces}, which lost {before - after:.2g} J, since {problem}"
        )
        return Taken(trial.state, integrator.restarted(system, trial.state, progress.memory), report, ledger, excuse)
    tried = f"; {refusal}" if refusal else f"; {plain.name} failed in substeps of {h / 2**PIECES:g} s too"
    raise StepFailed(
        f"step {progress.step + 1} at t = {progress.state.t:g} s failed even in substeps of {h:g} s: {problem}"
        + ("" if system.on_grid else tried)  # no other method advances material points
    )


def worst_vertex(problem: StepRejected) -> int | None:
    """The vertex with the largest residual, if a stage did not converge."""
    if not isinstance(problem, StageNotConverged) or not len(problem.report.residual):
        return None
    size = np.nan_to_num(np.abs(problem.report.residual).max(axis=1), nan=np.inf)
    return int(np.argmax(size))
