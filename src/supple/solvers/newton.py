"""Newton's method for stages: minimise far away, solve for the gradient close by.

Far from the minimum: Hessian made definite (Tikhonov shift by the mass, or element projection), backtracking on Phi.
Near it the decrease of Phi is lost in round-off, so full Newton steps with the unmodified Hessian are accepted if the
gradient decreases. Any stationary point of an AVF stage conserves energy. A stage has converged when the
gradient is small relative to the largest single force in it and, where the stage requires it, the energy error of the
step is small.
"""

from __future__ import annotations

import math

import numpy as np

from supple.dynamics.stage import Evaluation, Stage, StageObjective
from supple.dynamics.system import System
from supple.errors import NotPositiveDefinite, StageNotConverged
from supple.linalg.fields import below, scaled_if_finite
from supple.linalg.reduce import dot, largest
from supple.solvers.line_search import Found, Standstill, backtrack
from supple.solvers.linear import LARGEST_SHIFT
from supple.solvers.matrix_free import linear_solver
from supple.solvers.options import SolverOptions
from supple.solvers.report import Outcome, SolveReport
from supple.types import Array

NEAR = 1e-4
"""Relative gradient below which the final phase starts."""
ROUND_OFF = 8 * np.finfo(np.float64).eps
SHORTENINGS = 60
HALVINGS = 12
RAISES = 12
MILD = 16.0
"""Largest multiple of the smallest shift: more would slow the whole body because of a few elements."""
HELD = 3
"""Iterations for which elements are projected once projection was needed."""


MANY = 10_000
"""Number of unknowns above which iterations of a linear solve cost more than the Newton iterations they save."""
LAST = 1e-8
"""Accuracy of linear solves in the final phase for fewer unknowns: effectively exact, so they cause no energy error."""


class NewtonSolver:
    """Minimises stages of one system in its current state."""

    def __init__(self, system: System, options: SolverOptions | None = None) -> None:
        self.options = options or SolverOptions()
        self._linear = linear_solver(system, self.options)
        self._projections = 0
        self._exacting = system.pattern.unknowns < MANY

    def minimise(self, system: System, stage: Stage) -> tuple[Array, SolveReport]:
        """The minimiser; raises StageNotConverged rather than returning anything else."""
        objective = StageObjective(system, stage)
        report = SolveReport()
        x, now = self._start(objective, report)
        first, standstill = now.size, Standstill(now)
        self._projections = 0
        floor = np.zeros((system.n, 3))
        while not self._done(stage, x, now, floor):
            if report.iterations == self.options.max_iterations:
                raise self._failure(Outcome.EXHAUSTED, now, report)
            if standstill.reached:
                raise self._failure(Outcome.SLOW, now, report)
            report.iterated(objective.effort)
            self._linear.assemble(objective, x, self._is_far(now) and self._projects, self._is_far(now))
            if not scaled_if_finite(self._linear.diagonal(), ROUND_OFF * largest(x), floor):
                raise self._failure(Outcome.OVERFLOW, now, report)  # an infinite floor would accept anything
            accuracy = self._accuracy(now, first)
            found = None
            if now.size <= NEAR * now.scale:
                found = self._end_game(objective, x, now, accuracy, report)
                if found is None and now.size <= self.options.tolerance * now.scale:
                    break  # round-off: the gradient is small and cannot be made smaller
            if found is None and below(now.gradient, floor):
                break  # only round-off from the start: an undeformed body in free flight
            if found is None:
                found = self._descend(objective, x, now, accuracy, report)
            standstill.moved(now, found.evaluation)
            x, now = found.x, found.evaluation
        report.gradient_norm = _relative(now)
        report.residual = now.gradient
        return x, report

    @property
    def matrix(self) -> Array:
        """Entries of the last Hessian in the pattern of the system."""
        return self._linear.values

    @property
    def strategy(self) -> str:
        """Name of the current linear solver."""
        return self._linear.strategy

    def memory(self) -> dict[str, Array]:
        """Everything that influences later solves."""
        return self._linear.memory()

    def restore(self, memory: dict[str, Array]) -> None:
        self._linear.restore(memory)

    def close(self) -> None:
        self._linear.close()

    def _start(self, objective: StageObjective, report: SolveReport) -> tuple[Array, Evaluation]:
        """The prediction, or the old configuration if that is lower; a prediction of infinite energy is shortened."""
        stage = objective.stage
        origin, start = objective.origin(), objective.place(stage.start)
        straight = start - origin
        move = objective.clipped(origin, straight)
        limit = objective.max_step(origin, move)
        if limit < 1.0 or move is not straight:
            start = origin + min(1.0, limit) * move
        x, now = start, objective.evaluate(start)
        if math.isfinite(now.value) and (stage.start is stage.origin or not stage.may_start_at_origin):
            return x, now
        old = objective.evaluate(origin)
        for k in range(1, SHORTENINGS):
            if math.isfinite(now.value):
                return (origin, old) if old.value < now.value else (x, now)
            x = origin + 0.5**k * (start - origin)
            now = objective.evaluate(x)
        raise self._failure(Outcome.NOT_FINITE, now, report)

    def _done(self, stage: Stage, x: Array, now: Evaluation, floor: Array) -> bool:
        if below(now.gradient, floor):
            return True
        if stage.tolerance is not None:
            return math.sqrt(dot(now.gradient, now.gradient)) <= stage.tolerance
        if stage.rough is not None:
            return now.size <= stage.rough * now.scale
        if not now.size <= self.options.tolerance * now.scale:
            return False
        stop = stage.energy_stop
        return stop is None or abs(stop.factor * dot(x - stop.x0, now.gradient)) <= stop.bound

    @staticmethod
    def _is_far(now: Evaluation) -> bool:
        return now.size > NEAR * now.scale

    def _accuracy(self, now: Evaluation, first: float) -> float:
        """Accuracy of an inexact solve: increasing towards the minimum, never beyond the required tolerance."""
        if self._exacting and not self._is_far(now):
            return LAST
        wanted = 0.1 * self.options.tolerance * now.scale / now.size
        rough, slope, least = (3e-3, 0.01, 1e-5) if self._exacting else (0.05, 0.1, 1e-4)
        return min(rough, max(wanted, slope * now.size / first, least))

    def _end_game(
        self, objective: StageObjective, x: Array, now: Evaluation, accuracy: float, report: SolveReport
    ) -> Found | None:
        """One full Newton step if it lowers the gradient."""
        try:
            p = self._linear.newton(now.gradient, accuracy, report)
        except FloatingPointError:
            return None
        trial = x + min(1.0, objective.max_step(x, p)) * p
        then = objective.evaluate(trial)
        report.searched(effort=objective.effort)
        if math.isfinite(then.value) and then.size < now.size:
            return Found(trial, then)
        return None

    def _descend(
        self, objective: StageObjective, x: Array, now: Evaluation, accuracy: float, report: SolveReport
    ) -> Found:
        """One step that lowers the objective."""
        projected = self._projects
        self._projections = max(self._projections - 1, 0)
        if projected and self._is_far(now):  # assembled with projection
            self._linear.drop_shift()
        elif projected:
            self._project(objective, x, now)
        most = MILD if objective.stage.forwards and not projected else LARGEST_SHIFT
        for _ in range(RAISES):
            try:
                p = self._linear.descent(now.gradient, accuracy, report, most)
            except NotPositiveDefinite:
                if most == LARGEST_SHIFT:
                    raise self._failure(Outcome.SINGULAR, now, report) from None
                # a few elements are so far from convex that a shift would slow the whole body
                most, self._projections = LARGEST_SHIFT, HELD
                self._project(objective, x, now)
                continue
            except FloatingPointError:  # energies so steep that their derivatives overflow
                raise self._failure(Outcome.OVERFLOW, now, report) from None
            if dot(p, now.gradient) < 0.0:
                found, tried = backtrack(objective, x, now, p, HALVINGS)
                report.searched(tried, objective.effort)
                if found is not None:
                    self._linear.relax_shift()
                    return found
            self._linear.raise_shift()
        raise self._failure(Outcome.STALLED, now, report)

    @property
    def _projects(self) -> bool:
        return self.options.convexify == "projection" or self._projections > 0

    def _project(self, objective: StageObjective, x: Array, now: Evaluation) -> None:
        self._linear.assemble(objective, x, project=True, safe=self._is_far(now))
        self._linear.drop_shift()

    def _failure(self, outcome: Outcome, now: Evaluation, report: SolveReport) -> StageNotConverged:
        report.outcome = outcome
        report.gradient_norm = _relative(now)
        report.residual = now.gradient
        return StageNotConverged(
            f"a stage was not minimised: {outcome.value} "
            f"({report.iterations} iterations, relative gradient {report.gradient_norm:.1e}, "
            f"required {self.options.tolerance:.0e}); a smaller time.step or a larger solver.max_iterations may help",
            report,
        )


def _relative(now: Evaluation) -> float:
    return now.size / now.scale if now.scale > 0.0 else 0.0
