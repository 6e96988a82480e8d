"""Newton's method for equations that are no gradients, damped by backtracking on the residual.

Steps are shortened until |r| in the norm of M^-1 falls. Near the root full steps are taken until they no longer make the
residual smaller: what is left is rounding error. A Jacobian that took away most of the residual is kept for the next step,
which costs one evaluation of the residual then. Without an objective the search may end in a point that is no root; then
it says so.
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
"""Fraction of the decrease promised by the linear model that must be had."""
ROUND_OFF = 8 * np.finfo(np.float64).eps
POLISHES = 12
"""Steps after the residual is small; a Jacobian that is not exact gains a digit or two with each of them."""
HALVINGS = 10
KEPT = 1e-3
"""Part of the residual that a full step may leave if its Jacobian is to serve the next step as well: that leaves about twice
this part again."""
COARSEST, FINEST = 1e-3, 1e-8
"""Relative residuals that are asked of linear systems, from far away to the last one."""
PROGRESS = 0.75
"""Part of a residual that may be left where a search has as many iterations as its caller has patience for."""
DIRECT = 0.0
"""Asks for a direct solve."""
SHORTENINGS = 60


class RootSearch(Generic[J]):
    """What root finders share; they differ in how a Jacobian gives a direction."""

    keeps: bool = False
    """Whether Jacobians and factors serve more than one step."""

    def __init__(self, system: System, options: SolverOptions) -> None:
        self._system = system
        self._options = options

    def _direction(self, jacobian: J, now: Residual, accuracy: float, report: SolveReport) -> tuple[Array, Array]:
        """The Newton step, with a relative residual of at most `accuracy`, and the diagonal of the matrix, without its sign;
        both like the residual."""
        raise TypeError(f"{type(self).__name__} does not define _direction")

    def solve(self, equation: EquationOf[J], patience: int = 0) -> tuple[Array, SolveReport]:
        """The root; raises StageNotConverged rather than returning anything else. `patience`: iterations in which the residual
        has to fall by a quarter; 0: any number."""
        report = SolveReport()
        return self._newton(equation, *self._start(equation, report), patience, report)

    def _newton(
        self, equation: EquationOf[J], x: Array, now: Residual, patience: int, report: SolveReport
    ) -> tuple[Array, SolveReport]:
        """The root, from a point with its residual on."""
        first, before = largest(now.vector), report.iterations
        floor: Array | float = 0.0
        polished, kept, full = 0, False, True
        jacobian: J | None = None
        sizes = [weighted_size(self._system, now)]
        while not within(now.vector, floor) and polished < POLISHES:
            if report.iterations - before == self._options.max_iterations:
                raise self._failure(Outcome.EXHAUSTED, now, report)
            report.iterations += 1
            if jacobian is None or not kept:
                jacobian = equation.jacobian(x)
            # where steps must be shortened the search wanders: old factors hardly pay there, and every digit counts
            accuracy = self._accuracy(now, first) if full and self.keeps else DIRECT
            p, stiffness = self._direction(jacobian, now, accuracy, report)
            floor = ROUND_OFF * largest(x) * stiffness
            if within(now.vector, floor):
                break  # nothing but rounding error from the start on
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
                    break  # round-off: the residual cannot be made smaller
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
        """How well an inexact solve must do: better and better as the root comes near, never beyond rounding error."""
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
            report.line_search_steps += 1
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
            f"wanted {self._options.tolerance:.0e}); a smaller time.step may help",
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
    """|r| in the norm of M^-1, in which heavy and light vertices count alike."""
    return math.sqrt(dot(residual.vector / system.mass[:, None], residual.vector))


def _relative(now: Residual) -> float:
    return largest(now.vector) / now.scale if now.scale > 0.0 else 0.0
