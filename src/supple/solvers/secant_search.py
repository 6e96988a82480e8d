"""The search for a root by secant steps (secants.py), from a configuration near it.

Near the root it continues until steps no longer reduce the residual: the remainder is round-off. Where residuals
decrease slowly it stops, and Newton's method continues from the best point.
"""

from __future__ import annotations

import math

import numpy as np

from supple.dynamics.equation import EquationOf, Jacobian, Residual
from supple.dynamics.system import System
from supple.linalg.factors.nearly_symmetric import NearlySymmetric
from supple.linalg.fields import below, gathered, spread
from supple.linalg.reduce import largest
from supple.solvers.report import SolveReport
from supple.solvers.root_search import ROUND_OFF, evaluated, weighted_size
from supple.solvers.secants import Secants
from supple.types import Array

MOST = 40
"""Iteration limit of one search."""
WINDOW = 3
"""Iterations within which the residual must fall by half."""
FLOOR = np.finfo(np.float64).eps
"""Residual, relative to positions times stiffness, that is not worth a step. Newton's last step leaves far less than
required, a secant step does not: hence less than ROUND_OFF."""
MARGIN = ROUND_OFF / FLOOR
IDLE = 2
"""Consecutive steps near the root that do not reduce the residual: the rest is round-off."""


class SecantSearch:
    """One search with the available factors."""

    def __init__(self, system: System, linear: NearlySymmetric, tolerance: float) -> None:
        self._system, self._linear, self._tolerance = system, linear, tolerance
        self.iterations = 0
        self.digits = 0.0
        """Digits by which the residual has decreased."""

    def run(
        self, equation: EquationOf[Jacobian], x: Array, now: Residual, report: SolveReport
    ) -> tuple[Array, Residual, bool]:
        """The best configuration, its residual, and whether it is a root."""
        free, n = self._system.free, self._system.n
        stiffness = spread(np.abs(self._linear.factored_diagonal()), free, n)
        secants, idle = Secants(), 0
        best, sizes = (x, now), [weighted_size(self._system, now)]
        least = first = sizes[0]
        rhs = gathered(now.vector, free)
        solved = self._linear.precondition(rhs)
        while self.iterations < MOST:
            floor = FLOOR * largest(x) * stiffness
            if below(now.vector, floor):
                return self._ended(x, now, first, sizes[-1])
            move = secants.direction(rhs, solved)
            p = -spread(move, free, n)
            then = evaluated(equation, x + p) if equation.max_step(x, p) >= 1.0 else None
            self._count(report)
            if then is None:
                break
            x, now = x + p, then
            sizes.append(weighted_size(self._system, now))
            idle = 0 if sizes[-1] < least else idle + 1
            if sizes[-1] < least:
                best, least = (x, now), sizes[-1]
            slow = len(sizes) > WINDOW and not sizes[-1] <= 0.5 * sizes[-1 - WINDOW]
            if (idle or slow) and self._is_rest(best[1], idle, MARGIN * floor):
                return self._ended(*best, first, least)
            if slow:
                break
            following = gathered(now.vector, free)
            rest = self._linear.precondition(following)
            secants.learn(-move, rhs - following, solved - rest)
            rhs, solved = following, rest
        return (*best, False)

    def _is_rest(self, now: Residual, idle: int, floor: Array) -> bool:
        """Whether a residual that hardly decreases is round-off."""
        return below(now.vector, floor) or (idle >= IDLE and largest(now.vector) <= self._tolerance * now.scale)

    def _count(self, report: SolveReport) -> None:
        self.iterations += 1
        report.iterated()
        report.searched()
        report.cg_iterations += 1

    def _ended(self, x: Array, now: Residual, first: float, last: float) -> tuple[Array, Residual, bool]:
        self.digits = math.log10(first / last) if 0.0 < last < first else 0.0
        return x, now, True
