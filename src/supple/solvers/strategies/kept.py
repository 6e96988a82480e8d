"""Conjugate gradients with a preconditioner of an older matrix, reused until a new one pays off.

An ageing preconditioner takes more iterations than when it was new. Once these extra iterations cost as much as a
renewal it is renewed: at most twice the cost of the best schedule. Decisions depend on counts, never on the clock: runs
are reproducible to the bit.
"""

from __future__ import annotations

import math

import numpy as np

from supple.errors import NotPositiveDefinite
from supple.linalg.krylov import CgResult, preconditioned_cg
from supple.linalg.precond.preconditioner import Preconditioner
from supple.solvers.report import SolveReport
from supple.solvers.strategies.matrix import Matrix
from supple.solvers.strategies.patience import Patience
from supple.types import Array


class Kept:
    """One preconditioner with its age data."""

    def __init__(
        self,
        name: str,
        preconditioner: Preconditioner,
        limit: int,
        limit_new: int | None = None,
        patience: Patience | None = None,
    ) -> None:
        self.name = name
        self.preconditioner = preconditioner
        self.limit = limit
        """Iterations beyond which it is renewed immediately."""
        self.limit_new = limit if limit_new is None else limit_new
        """Iterations beyond which a new one is abandoned."""
        self.patience = patience
        """Patience for attempts with an old one, whose iteration limit then decides alone; None: it is always tried, and ages."""
        self.ready = False
        self._source = (np.empty(0), np.empty((0, 3)))
        self._best = math.inf
        self._wasted = 0.0

    @property
    def may_err(self) -> bool:
        """Whether it may reject a matrix that is in fact definite."""
        return self.preconditioner.may_err

    def solve(self, matrix: Matrix, rhs: Array, accuracy: float, report: SolveReport) -> Array | None:
        """Solve with the current preconditioner; None if it has to be renewed."""
        if not self.ready or not self.preconditioner.renewal or (self.patience is not None and self.patience.waits()):
            return None
        result = self._iterate(matrix, 0.0, rhs, accuracy, report, self.limit)
        if self.patience is not None:
            self.patience.learn(result.x is not None)
        elif result.x is not None:
            self._age(result.iterations, accuracy)
        return result.x

    def solve_anew(
        self, matrix: Matrix, shift: float, rhs: Array, accuracy: float, report: SolveReport
    ) -> Array | None:
        """Solve with a preconditioner of (A + shift M) for that matrix; raises NotPositiveDefinite, and returns None
        after too many iterations."""
        report.factorisations += self.preconditioner.factorises
        self.renew(matrix.shifted(shift), matrix.places)
        result = self._iterate(matrix, shift, rhs, accuracy, report, self.limit_new)
        if result.indefinite:
            self.ready = False
            raise NotPositiveDefinite("conjugate gradients found a direction of negative curvature")
        if result.x is not None:
            self._best = _rate(result.iterations, accuracy)
        return result.x

    def renew(self, values: Array, places: Array) -> None:
        """Build the preconditioner from a matrix; raises NotPositiveDefinite."""
        self.ready = False
        self._source, self._best, self._wasted = (values, places), math.inf, 0.0
        self.preconditioner.renew(values, places)
        self.ready = True

    def forget(self) -> None:
        """Force a renewal in the next solve."""
        self.ready = False

    def memory(self) -> dict[str, Array]:
        patience = {} if self.patience is None else {"patience": self.patience.memory()}
        if not self.ready or not self.preconditioner.renewal:
            return patience
        values, places = self._source
        known = {"best": np.array(self._best), "wasted": np.array(self._wasted)}
        return {"factored": values.copy(), "places": places.copy(), **known, **patience}

    def restore(self, memory: dict[str, Array]) -> None:
        self.ready = False
        if self.patience is not None and "patience" in memory:
            self.patience.restore(memory["patience"])
        if memory.get("factored", np.empty(0)).size:
            self.renew(np.array(memory["factored"]), np.array(memory.get("places", np.empty((0, 3)))))
            self._best = float(memory.get("best", math.inf))
            self._wasted = float(memory.get("wasted", 0.0))

    def close(self) -> None:
        self.ready = False
        self.preconditioner.close()

    def _iterate(
        self, matrix: Matrix, shift: float, rhs: Array, accuracy: float, report: SolveReport, limit: int
    ) -> CgResult:
        def product(p: Array) -> Array:
            return matrix.times(p, shift)

        result = preconditioned_cg(product, self.preconditioner.solve, rhs, accuracy, limit)
        report.cg_iterations += result.iterations
        return result

    def _age(self, iterations: int, accuracy: float) -> None:
        self._best = min(self._best, _rate(iterations, accuracy))
        self._wasted += max(iterations - math.ceil(self._best * _digits(accuracy)), 0)
        if self._wasted > self.preconditioner.renewal:
            self.forget()


def _digits(accuracy: float) -> float:
    return max(-math.log10(accuracy), 1.0)


def _rate(iterations: int, accuracy: float) -> float:
    """Iterations per digit."""
    return iterations / _digits(accuracy)
