"""Newton's method for stages with constraints, for positions and multipliers at once (equations: multipliers.py).

Steps are shortened until |momentum|^2 and |velocity|^2 in the norm of M^-1 plus mbar |g|^2 decreases, with mbar the
mean mass and g measured as a distance. Near the solution full steps continue until g is only round-off: any remainder
would accumulate over a run.
"""

from __future__ import annotations

import math

import numpy as np

from supple.dynamics.reactions import Reactions
from supple.dynamics.step import Solution
from supple.dynamics.system import System
from supple.errors import StageNotConverged, SuppleError
from supple.linalg.reduce import dot, largest, within
from supple.solvers.multipliers import Point, Problem
from supple.solvers.options import SolverOptions
from supple.solvers.report import Outcome, SolveReport
from supple.solvers.saddle.matrix import SaddleMatrix
from supple.solvers.saddle.unheld import Unheld
from supple.types import Array

ROUND_OFF = 4 * np.finfo(np.float64).eps
SUFFICIENT = 1e-4
"""Required fraction of the decrease predicted by the linear model."""
HALVINGS = 12
SHORTENINGS = 60
POLISHES = 4
"""Full steps after all residuals are small."""


class ConstrainedSolver:
    """Solves stages of one system; patterns are analysed once, and again when contact extends them."""

    def __init__(self, system: System, options: SolverOptions) -> None:
        self._system, self._options = system, options
        self._matrices: dict[bool, SaddleMatrix] = {}

    def solve(self, system: System, unheld: Unheld, reactions: Reactions) -> tuple[Solution, SolveReport]:
        """The solution; raises StageNotConverged rather than returning anything else."""
        report = SolveReport()
        problem, matrix = Problem(system, unheld, reactions), self._matrix(reactions.moves is not None)
        now = self._start(problem, report)
        polished = 0
        while not (small := self._small(problem, now)) or (polished < POLISHES and not _exact(problem, now)):
            if small and unheld.rough is not None:
                break
            if report.iterations == self._options.max_iterations:
                raise self._failure(Outcome.EXHAUSTED, now, report)
            report.iterated()
            polished += small
            found = self._search(problem, matrix, now, 0 if small else HALVINGS, report)
            if found is None:
                if small:
                    break  # round-off: no further reduction possible
                raise self._failure(Outcome.STALLED, now, report)
            now = found
        report.gradient_norm, report.residual = _relative(now), now.momentum
        reaction, report.constraint_forces, worked = problem.outcome(now)
        return Solution(now.x, reaction, now.w, worked), report

    def memory(self) -> dict[str, Array]:
        """Memory that affects later solves."""
        return {f"{int(conserving)}.{k}": v for conserving, m in self._matrices.items() for k, v in m.memory().items()}

    def restore(self, memory: dict[str, Array]) -> None:
        for conserving in (False, True):
            own = {k[2:]: v for k, v in memory.items() if k.startswith(f"{int(conserving)}.")}
            if own:
                self._matrix(conserving).restore(own)

    def close(self) -> None:
        for matrix in self._matrices.values():
            matrix.close()

    def _matrix(self, conserving: bool) -> SaddleMatrix:
        if conserving not in self._matrices:
            self._matrices[conserving] = SaddleMatrix(self._system, conserving, self._options)
        return self._matrices[conserving]

    def _start(self, problem: Problem, report: SolveReport) -> Point:
        """The prediction, shortened until all quantities are finite, without constraint forces."""
        none = np.zeros(len(problem.system.constraints))
        origin, start = problem.origin, problem.start
        w = np.zeros_like(start) if problem.reactions.moves is None else problem.reactions.moves[1]
        longest = min(1.0, problem.unheld.max_step(origin, start - origin))
        for k in range(SHORTENINGS):
            t = longest * 0.5**k
            now = problem.at(origin + t * (start - origin) if t < 1.0 else start, w, none, none)
            if math.isfinite(now.merit):
                return now
        raise self._failure(Outcome.NOT_FINITE, now, report)

    def _small(self, problem: Problem, now: Point) -> bool:
        tolerance, stop = problem.unheld.rough or self._options.tolerance, problem.unheld.energy_stop
        if not largest(now.off) <= tolerance * problem.size:
            return False
        if within(now.momentum, problem.floor) and within(now.velocity, problem.floor):
            return True
        if not max(largest(now.momentum), largest(now.velocity)) <= tolerance * now.scale:
            return False
        if stop is None or problem.unheld.rough is not None:
            return True
        moved = now.x - stop.x0
        noise = ROUND_OFF * now.scale * float(np.abs(moved).sum())
        return abs(stop.factor * dot(moved, now.momentum)) <= max(stop.bound, stop.factor * noise)

    def _search(
        self, problem: Problem, matrix: SaddleMatrix, now: Point, halvings: int, report: SolveReport
    ) -> Point | None:
        """The first of the full Newton step, half of it ... with a smaller residual."""
        try:
            (dx, dw, dnu, dmu), stiffness = matrix.moved(problem, now, report)
        except (SuppleError, FloatingPointError, np.linalg.LinAlgError):
            raise self._failure(Outcome.SINGULAR, now, report) from None
        problem.floor = 2 * ROUND_OFF * problem.size * stiffness
        longest = min(1.0, problem.unheld.max_step(now.x, dx))
        for k in range(halvings + 1):
            t = longest * 0.5**k
            report.searched()
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
    """Whether the constraints are satisfied to round-off."""
    return bool(largest(now.off) <= ROUND_OFF * problem.size)


def _relative(now: Point) -> float:
    return largest(now.momentum) / now.scale if now.scale > 0.0 else 0.0
