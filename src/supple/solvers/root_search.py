"""Newton's method for equations that are not gradients, damped by backtracking on the residual.

Steps are shortened until |r| in the norm of M^-1 decreases. Near the root full steps are taken until they no longer
reduce the residual: the remainder is round-off. A Jacobian that removed most of the residual is reused for the next
step, which then costs one evaluation of the residual. Without an objective the search may end at a point that is not a
root; it then reports failure.
"""

from __future__ import annotations

import math
from typing import Generic, TypeVar

import numpy as np

from supple.dynamics.equation import EquationOf, Residual
from supple.dynamics.system import System
from supple.errors import StageNotConverged, StepRejected
from supple.linalg.reduce import dot, largest, within
from supple.solvers.options import SolverOptions
from supple.solvers.report import Outcome, SolveReport
from supple.types import Array

J = TypeVar("J")

SUFFICIENT = 1e-4
"""Required fraction of the decrease predicted by the linear model."""
ROUND_OFF = 8 * np.finfo(np.float64).eps
POLISHES = 12
"""Steps after the residual is small; an inexact Jacobian gains a digit or two with each of them."""
HALVINGS = 10
KEPT = 1e-3
"""Fraction of the residual that a full step may leave for its Jacobian to be reused in the next step, which leaves
about twice this fraction again."""
COARSEST, FINEST = 1e-3, 1e-8
"""Relative residuals required of linear systems, from the first iteration to the last."""
PROGRESS = 0.75
"""Fraction of a residual that may remain after as many iterations as the caller's patience."""
DIRECT = 0.0
"""Requests a direct solve."""
SHORTENINGS = 60


class RootSearch(Generic[J]):
    """The common part of root finders; they differ in the direction computed from a Jacobian."""

    keeps: bool = False
    """Whether Jacobians and factors are reused over several steps."""

    def __init__(self, system: System, options: SolverOptions) -> None:
        self._system = system
        self._options = options

    def _direction(self, jacobian: J, now: Residual, accuracy: float, report: SolveReport) -> tuple[Array, Array]:
        """The Newton step, with a relative residual of at most `accuracy`, and the absolute diagonal of the matrix;
        both shaped like the residual."""
        raise TypeError(f"{type(self).__name__} does not define _direction")

    def solve(self, equation: EquationOf[J], patience: int = 0) -> tuple[Array, SolveReport]:
        """The root; raises StageNotConverged rather than returning anything else. `patience`: iterations within which
        the residual must fall by a quarter; 0: unlimited."""
        report = SolveReport()
        return self._newton(equation, *self._start(equation, report), patience, report)

    def _newton(
        self, equation: EquationOf[J], x: Array, now: Residual, patience: int, report: SolveReport
    ) -> tuple[Array, SolveReport]:
        """The root, starting from a point with its residual."""
        first, before = largest(now.vector), report.iterations
        floor: Array | float = 0.0
        polished, kept, full = 0, False, True
        jacobian: J | None = None
        sizes = [weighted_size(self._system, now)]
        while not within(now.vector, floor) and polished < POLISHES:
            if report.iterations - before == self._options.max_iterations:
                raise self._failure(Outcome.EXHAUSTED, now, report)
            report.iterated()
            if jacobian is None or not kept:
                jacobian = equation.jacobian(x)
            # where steps must be shortened the search wanders: old factors hardly help there, and every digit counts
            accuracy = self._accuracy(now, first) if full and self.keeps else DIRECT
            p, stiffness = self._direction(jacobian, now, accuracy, report)
            floor = ROUND_OFF * largest(x) * stiffness
            if within(now.vector, floor):
                break  # only round-off from the start
            small = largest(now.vector) <= self._options.tolerance * now.scale
            polished += small
            tried = report.line_search_steps + 1
            found = self._search(equation, x, now, p, 0 if small or kept else HALVINGS, report)
            full = report.line_search_steps == tried
            if found is None and kept:
                kept = False
                continue
            if found is None:
                if small:
                    break  # round-off: the residual cannot be reduced further
                raise self._failure(Outcome.STALLED, now, report)
            kept = self.keeps and largest(found[1].vector) <= KEPT * largest(now.vector)
            x, now = found
            sizes.append(weighted_size(self._system, now))
            if patience and len(sizes) > patience and not small and sizes[-1] > PROGRESS * sizes[-1 - patience]:
                raise self._failure(Outcome.SLOW, now, report)
        return self._done(x, now, report)

    @staticmethod
    def _done(x: Array, now: Residual, report: SolveReport) -> tuple[Array, SolveReport]:
        report.gradient_norm = _relative(now)
        report.residual = now.vector
        return x, report

    @staticmethod
    def _accuracy(now: Residual, first: float) -> float:
        """Accuracy of an inexact solve: increasing towards the root, never beyond round-off."""
        size = largest(now.vector)
        return min(COARSEST, max(FINEST, 0.1 * size / first, ROUND_OFF * now.scale / size))

    def _start(self, equation: EquationOf[J], report: SolveReport) -> tuple[Array, Residual]:
        """The prediction, shortened until the residual is finite there."""
        origin, start = equation.place(equation.origin), equation.place(equation.start)
        longest = min(1.0, equation.max_step(origin, start - origin))
        for k in range(SHORTENINGS):
            t = longest * 0.5**k
            x = origin + t * (start - origin) if t < 1.0 else start
            now = evaluated(equation, x)
            if now is not None:
                return x, now
        raise self._failure(Outcome.NOT_FINITE, Residual(np.full_like(start, np.nan), math.nan), report)

    def _search(
        self, equation: EquationOf[J], x: Array, now: Residual, p: Array, halvings: int, report: SolveReport
    ) -> tuple[Array, Residual] | None:
        """The first of x + p, x + p/2, ... with a smaller residual."""
        size = weighted_size(self._system, now)
        longest = min(1.0, equation.max_step(x, p))
        for k in range(halvings + 1):
            t = longest * 0.5**k
            report.searched()
            then = evaluated(equation, x + t * p)
            if then is not None and weighted_size(self._system, then) < (1.0 - SUFFICIENT * t) * size:
                return x + t * p, then
        return None

    def _failure(self, outcome: Outcome, now: Residual, report: SolveReport) -> StageNotConverged:
        report.outcome = outcome
        report.gradient_norm = _relative(now)
        report.residual = now.vector
        return StageNotConverged(
            f"an equation was not solved: {outcome.value} "
            f"({report.iterations} iterations, relative residual {report.gradient_norm:.1e}, "
            f"required {self._options.tolerance:.0e}); a smaller time.step may help",
            report,
        )


def evaluated(equation: EquationOf[J], x: Array) -> Residual | None:
    """The residual, or None where it is not defined."""
    try:
        residual = equation.residual(x)
    except StepRejected:
        return None
    return residual if np.isfinite(residual.vector).all() else None


def weighted_size(system: System, residual: Residual) -> float:
    """|r| in the norm of M^-1, which balances heavy and light vertices."""
    return math.sqrt(dot(residual.vector / system.mass[:, None], residual.vector))


def _relative(now: Residual) -> float:
    return largest(now.vector) / now.scale if now.scale > 0.0 else 0.0
