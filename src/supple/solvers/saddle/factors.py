"""Solves with the matrices A of stages with constraints, which are nearly symmetric and never definite.

    (A + A^T)/2 = L D L^T (PARDISO, pivots by Bunch and Kaufman),  A y = b by GMRES with these factors as preconditioner
Mean gradients of constraints in the columns and gradients at the end in the rows differ by the order of a step, so a
few iterations suffice. Rows are scaled to a diagonal of 1, rows of constraints approximately to |G H^-1 G^T| = 1, and
get -1e-6 instead of zero on their diagonal: PARDISO would perturb pivots there, and refine every solve. In large
systems factors are reused over iterations and steps as long as they converge in time. The last resort is a pivoted
sparse LU, also used without PARDISO. A narrow band is solved as such (banded.py), and a small matrix is dense:
assembling a sparse one takes longer than solving it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from supple.errors import SuppleError
from supple.linalg.factors.factorisation import Factorisation, analyse, best_backend, check_finite
from supple.linalg.krylov import preconditioned_gmres
from supple.linalg.threads import threads
from supple.solvers.options import SolverOptions
from supple.solvers.report import SolveReport
from supple.solvers.saddle.banded import banded
from supple.solvers.saddle.entries import Entries
from supple.types import Array

WHOLE = 64
"""Unknowns up to which the matrix is dense."""
SMALL = 10_000
"""Unknowns below which `reuse = auto` always refactorises."""
OLD_LIMIT, FRESH_LIMIT = 20, 40
"""Iteration limits with old and new factors."""
FILLED = 1e-6
"""Diagonal entry of scaled constraint rows."""


class Saddle:
    """Factors of one pattern; the last factorised matrix is memory."""

    def __init__(self, entries: Entries, first: int, options: SolverOptions) -> None:
        """`first`: the first row of constraints."""
        self._entries, self._first, self._scale = entries, first, np.ones(entries.size)
        self._small = entries.size <= WHOLE
        self._band = None if self._small else banded(entries.indptr, entries.indices)
        backend = best_backend() if options.backend == "auto" else options.backend
        self._symmetric = backend == "pardiso"
        self.reuses = options.reuse == "always" or (options.reuse == "auto" and entries.size >= SMALL)
        self._ldl: Factorisation | None = None
        self._lu: Factorisation | None = None
        self.factored: Array | None = None
        """Entries of the last factorised upper triangle, while its factors are in use."""

    def solve(self, values: Array, rhs: Array, accuracy: float, report: SolveReport) -> Array:
        """Solution for (size,), with a residual of at most `accuracy` times the right-hand side."""
        check_finite(values)
        if self._small or self._band is not None:
            report.factorisations += 1
            return self._dense(values, rhs) if self._band is None else self._band.solve(values, rhs)
        if not self._symmetric:
            return self._by_lu(values, rhs, report)
        product = self._product(values)
        if self.reuses and self.factored is not None and self._ldl is not None:
            y = self._iterated(product, self._ldl, rhs, accuracy, OLD_LIMIT, report)
            if y is not None:
                return y
        self.factor(self._entries.symmetric(values), report)
        if self._ldl is not None and self.factored is not None:
            y = self._iterated(product, self._ldl, rhs, accuracy, FRESH_LIMIT, report)
            if y is not None:
                return y
        self.factored = None
        return self._by_lu(values, rhs, report)

    def factor(self, upper: Array, report: SolveReport) -> None:
        """Factorise a symmetric matrix and keep it."""
        report.factorisations += 1
        if self._ldl is None:
            self._ldl = analyse("ldl", *self._entries.half, "pardiso", threads())
        row, column = self._entries.ends
        scaled, self._scale = upper.copy(), self._scales(upper)
        scaled[self._entries.half[0][self._first : -1]] -= FILLED / self._scale[self._first :] ** 2
        try:
            self._ldl.factor(self._scale[row] * self._scale[column] * scaled)
            self.factored = upper
        except SuppleError:
            self.factored = None

    def _scales(self, upper: Array) -> Array:
        """(size,) one over the square root of the diagonal; for constraints, of the diagonal after positions are eliminated."""
        (row, column), first = self._entries.ends, self._first
        stiffness = np.abs(upper[self._entries.half[0][:-1]])
        stiffness[:first] = np.where(stiffness[:first] > 0.0, stiffness[:first], 1.0)
        border = (row < first) & (column >= first)
        weight = upper[border] ** 2 / stiffness[row[border]]
        stiffness[first:] = np.bincount(column[border] - first, weight, len(stiffness) - first)
        return np.asarray(1.0 / np.sqrt(np.where(stiffness > 0.0, stiffness, 1.0)))

    def close(self) -> None:
        for factors in (self._ldl, self._lu):
            if factors is not None:
                factors.close()

    def _iterated(
        self,
        product: Callable[[Array], Array],
        factors: Factorisation,
        rhs: Array,
        accuracy: float,
        limit: int,
        report: SolveReport,
    ) -> Array | None:
        found = preconditioned_gmres(
            product, lambda r: self._scale * factors.solve(self._scale * r), rhs, accuracy, limit
        )
        report.cg_iterations += found.iterations
        return found.x

    def _product(self, values: Array) -> Callable[[Array], Array]:
        from scipy.sparse import csr_matrix

        e = self._entries
        matrix: Any = csr_matrix((values, e.indices, e.indptr), shape=(e.size, e.size))
        return lambda p: np.asarray(matrix @ p)

    def _by_lu(self, values: Array, rhs: Array, report: SolveReport) -> Array:
        """SuperLU, whose pivoting handles zeros on the diagonal; PARDISO pivots only within small blocks."""
        report.factorisations += 1
        if self._lu is None:
            self._lu = analyse("lu", self._entries.indptr, self._entries.indices, "superlu")
        self._lu.factor(values)
        return self._lu.solve(rhs)

    def _dense(self, values: Array, rhs: Array) -> Array:
        e = self._entries
        matrix = np.zeros((e.size, e.size))
        matrix[np.repeat(np.arange(e.size), np.diff(e.indptr)), e.indices] = values
        try:
            return np.asarray(np.linalg.solve(matrix, rhs), dtype=np.float64)
        except np.linalg.LinAlgError as problem:
            raise SuppleError(f"the matrix could not be factorised: {problem}") from None
