"""A ladder of preconditioners: the first sufficient one is used, and a harder matrix climbs to the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from supple.errors import NotPositiveDefinite
from supple.linalg.factors.factorisation import check_finite
from supple.solvers.report import SolveReport
from supple.solvers.strategies.kept import Kept
from supple.solvers.strategies.matrix import Matrix
from supple.types import Array


class Strategy:
    """Rungs from the cheapest to the most robust. A rung is abandoned when a new preconditioner takes too many iterations."""

    def __init__(self, rungs: Sequence[Kept], more: Callable[[], list[Kept]] | None = None) -> None:
        """`more`: rungs above these, found when the first of them is needed."""
        self._rungs = list(rungs)
        self._more = more
        self._rung = 0
        self._proven = False

    @property
    def current(self) -> Kept:
        return self._rungs[self._rung]

    @property
    def name(self) -> str:
        return self.current.name

    def solve(self, matrix: Matrix, rhs: Array, accuracy: float, report: SolveReport) -> Array | None:
        """Solve with data retained from earlier matrices; None if it has to be prepared anew."""
        return self.current.solve(matrix, rhs, accuracy, report)

    def solve_anew(
        self, matrix: Matrix, shift: float, rhs: Array, accuracy: float, report: SolveReport
    ) -> Array | None:
        """Solve with the current matrix; raises NotPositiveDefinite, and returns None where only exact factors suffice."""
        try:
            while True:
                p = self._attempt(matrix, shift, rhs, accuracy, report)
                if p is not None or not self._climb():
                    return p
        except NotPositiveDefinite:
            check_finite(matrix.values)  # nothing is positive about a NaN
            raise

    def forget(self) -> None:
        """Force the next solve to prepare its matrix anew."""
        self.current.forget()

    def memory(self) -> dict[str, Array]:
        return {"rung": np.array(self._rung), "proven": np.array(self._proven), **self.current.memory()}

    def restore(self, memory: dict[str, Array]) -> None:
        self._rung = int(memory.get("rung", 0))  # checkpoints of older versions have none
        self._proven = bool(memory.get("proven", False))
        self._extend(self._rung)
        self.current.restore(memory)

    def close(self) -> None:
        for rung in self._rungs:
            rung.close()

    def _extend(self, rung: int) -> None:
        if rung >= len(self._rungs) and self._more is not None:
            self._rungs, self._more = [*self._rungs, *self._more()], None

    def _attempt(self, matrix: Matrix, shift: float, rhs: Array, accuracy: float, report: SolveReport) -> Array | None:
        """Solve with the current rung. Single-precision factors may fail on a definite matrix: until they have worked
        once, their failure counts only if double precision fails as well."""
        try:
            p = self.current.solve_anew(matrix, shift, rhs, accuracy, report)
        except NotPositiveDefinite:
            if self._proven or not self.current.may_err or self._rung + 1 == len(self._rungs):
                raise
            above = self._rungs[self._rung + 1]
            try:
                p = above.solve_anew(matrix, shift, rhs, accuracy, report)
            except NotPositiveDefinite:
                above.close()
                raise
            self._climb()
            return p
        self._proven = self._proven or p is not None
        return p

    def _climb(self) -> bool:
        """Leave a rung for the next one, if there is any."""
        self._extend(self._rung + 1)
        if self._rung + 1 == len(self._rungs):
            return False
        self.current.close()
        self._rung += 1
        self._proven = False
        return True
