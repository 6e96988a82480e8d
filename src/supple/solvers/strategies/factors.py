"""Sparse factors of the matrices of one pattern: Cholesky for definite ones, LDL for the others."""

from __future__ import annotations

import numpy as np

from supple.errors import SuppleError
from supple.linalg.announcements import announced
from supple.linalg.factors.factorisation import Factorisation, Kind, analyse
from supple.linalg.pattern import SymmetricPattern
from supple.linalg.threads import threads
from supple.solvers.strategies.matrix import Matrix
from supple.types import Array


class Factors:
    """Exact solves with one matrix after the other."""

    def __init__(self, pattern: SymmetricPattern, backend: str) -> None:
        self._pattern, self._backend = pattern, backend
        self._kinds: dict[Kind, Factorisation] = {}

    def solve(self, matrix: Matrix, shift: float, rhs: Array) -> Array:
        """(A + shift M)^-1 rhs; raises NotPositiveDefinite."""
        return self._solved("cholesky", matrix, shift, rhs)

    def solve_indefinite(self, matrix: Matrix, rhs: Array) -> Array:
        """A^-1 rhs for a matrix that need not be definite."""
        return self._solved("ldl", matrix, 0.0, rhs)

    def close(self) -> None:
        for factorisation in self._kinds.values():
            factorisation.close()
        self._kinds = {}

    def _solved(self, kind: Kind, matrix: Matrix, shift: float, rhs: Array) -> Array:
        if matrix.pattern is not self._pattern:
            raise SuppleError("these factors belong to another pattern")
        if kind not in self._kinds:
            p = self._pattern
            with announced("analysing", p.unknowns):
                self._kinds[kind] = analyse(kind, p.indptr, p.indices, self._backend, threads())
        factor = self._kinds[kind]
        with announced("factorising", self._pattern.unknowns):
            factor.factor(matrix.shifted(shift) if shift else matrix.values)
        return _solve(factor, matrix, rhs)


def _solve(factor: Factorisation, matrix: Matrix, rhs: Array) -> Array:
    """A^-1 rhs; with equalities B^T p = 0: p = A^-1 rhs - Z (B^T Z)^-1 B^T A^-1 rhs, Z = A^-1 B."""
    normals, products = matrix.normals, matrix.products
    if normals is None or not len(normals):
        return factor.solve(rhs) if products is None else products.solve(factor.solve, rhs[None])[0]
    rows = np.concatenate([rhs[None], normals])
    p, *columns = factor.solve(rows) if products is None else products.solve(factor.solve, rows)
    Z = np.stack(columns)
    return np.asarray(p - np.linalg.solve(Z @ normals.T, normals @ p) @ Z)
