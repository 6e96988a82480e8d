"""Newton's method for stages with constraints, for positions and multipliers at once (equations: multipliers.py).

Steps are shortened until |momentum|^2 and |velocity|^2 in the norm of M^-1 plus mbar |g|^2 falls, with mbar the mean mass and
g measured as a distance. Near the solution full steps go on until g is nothing but rounding error: what is left of it would
add up over a run.
"""

from __future__ import annotations

import math

import numpy as np

from supple.dynamics.reactions import Reactions
from supple.dynamics.stage import Stage
from supple.dynamics.step import Solution
from supple.dynamics.system import System
from supple.errors import StageNotConverged, SuppleError
from supple.linalg.reduce import dot, largest
from supple.solvers.multipliers import Layout, Point, Problem
from supple.solvers.options import SolverOptions
from supple.solvers.report import Outcome, SolveReport

ROUND_OFF = 4 * np.finfo(np.float64).eps
SUFFICIENT = 1e-4
"""Fraction of the decrease promised by the linear model that must be had."""
HALVINGS = 12
SHORTENINGS = 60
POLISHES = 4
"""Full steps after everything is small."""


class ConstrainedSolver:
    """Solves stages of one system; patterns are analysed once."""

    def __init__(self, system: System, options: SolverOptions) -> None:
        self._options = options
        self._hessian = np.empty(system.pattern.nnz)
        self._layouts: dict[bool, Layout] = {}

    def solve(self, system: System, stage: Stage, reactions: Reactions) -> tuple[Solution, SolveReport]:
        """The solution; raises StageNotConverged rather than returning anything else."""
        report, conserving = SolveReport(), reactions.moves is not None
        if conserving not in self._layouts:
            self._layouts[conserving] = Layout(system, conserving)
        problem = Problem(system, stage, reactions, self._layouts[conserving])
        now = self._start(problem, report)
        polished = 0
        while not (small := self._small(problem, now)) or (polished < POLISHES and not _exact(problem, now)):
            if report.iterations == self._options.max_iterations:
                raise self._failure(Outcome.EXHAUSTED, now, report)
            report.iterations += 1
            polished += small
            found = self._search(problem, now, 0 if small else HALVINGS, report)
            if found is None:
                if small:
                    break  # rounding error: nothing can be made smaller
                raise self._failure(Outcome.STALLED, now, report)
            now = found
        report.gradient_norm, report.residual = _relative(now), now.momentum
        reaction, report.constraint_forces = problem.outcome(now)
        return Solution(now.x, reaction, now.w), report

    def close(self) -> None:
        for layout in self._layouts.values():
            layout.matrix.close()

    def _start(self, problem: Problem, report: SolveReport) -> Point:
        """The prediction, shortened until everything is finite there, without forces of constraints."""
        objective, stage, none = problem.objective, problem.objective.stage, np.zeros(len(problem.system.constraints))
        origin, start = objective.place(stage.origin), objective.place(stage.start)
        w = np.zeros_like(start) if problem.reactions.moves is None else problem.reactions.moves[1]
        longest = min(1.0, objective.max_step(origin, start - origin))
        for k in range(SHORTENINGS):
            t = longest * 0.5**k
            now = problem.at(origin + t * (start - origin) if t < 1.0 else start, w, none, none)
            if math.isfinite(now.merit):
                return now
        raise self._failure(Outcome.NOT_FINITE, now, report)

    def _small(self, problem: Problem, now: Point) -> bool:
        tolerance, stop = self._options.tolerance, problem.objective.stage.energy_stop
        missed = max(largest(now.momentum), largest(now.velocity))
        if not (largest(now.off) <= tolerance * problem.size and missed <= max(tolerance * now.scale, problem.floor)):
            return False
        if stop is None or missed <= problem.floor:
            return True
        moved = now.x - stop.x0
        noise = ROUND_OFF * now.scale * float(np.abs(moved).sum())
        return abs(stop.factor * dot(moved, now.momentum)) <= max(stop.bound, stop.factor * noise)

    def _search(self, problem: Problem, now: Point, halvings: int, report: SolveReport) -> Point | None:
        """The first of Newton's whole step, half of it ... that misses less."""
        report.factorisations += 1
        problem.objective.hessian(now.x, self._hessian)
        problem.floor = 2 * ROUND_OFF * largest(self._hessian) * problem.size
        try:
            dx, dw, dnu, dmu = problem.moved(now, self._hessian)
        except (SuppleError, FloatingPointError):
            raise self._failure(Outcome.SINGULAR, now, report) from None
        longest = min(1.0, problem.objective.max_step(now.x, dx))
        for k in range(halvings + 1):
            t = longest * 0.5**k
            report.line_search_steps += 1
            then = problem.at(now.x + t * dx, now.w + t * dw, now.nu + t * dnu, now.mu + t * dmu)
            if then.merit < (1.0 - SUFFICIENT * t) * now.merit:
                return then
        return None

    def _failure(self, outcome: Outcome, now: Point, report: SolveReport) -> StageNotConverged:
        report.outcome, report.gradient_norm, report.residual = outcome, _relative(now), now.momentum
        return StageNotConverged(
            f"a stage with constraints was not solved: {outcome.value} ({report.iterations} iterations, relative residual "
            f"{report.gradient_norm:.1e}, constraints off by {largest(now.off):.1e} m); a smaller time.step may help",
            report,
        )


def _exact(problem: Problem, now: Point) -> bool:
    """Whether the constraints are fulfilled to rounding error."""
    return bool(largest(now.off) <= ROUND_OFF * problem.size)


def _relative(now: Point) -> float:
    return largest(now.momentum) / now.scale if now.scale > 0.0 else 0.0
