"""Linear systems whose matrix is symmetric but for a small part: Jacobians of mean forces over a step.

Cholesky factors of the symmetric part, which cost half of an LU, precondition GMRES on the matrix itself; so do factors of
an earlier matrix. Where that does not pay the matrix is factorised afresh: its symmetric part, and where that is not
positive definite or too far from the whole, all of it. The numbers that were factorised last are memory: a run that goes on
from a checkpoint has the same factors and so the same bits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from supple.errors import NotPositiveDefinite
from supple.linalg.factors.factorisation import Factorisation, Kind, analyse
from supple.linalg.krylov import preconditioned_gmres, symmetric_product
from supple.linalg.pattern import SymmetricPattern
from supple.linalg.square import SquarePattern, both_halves, square_pattern
from supple.linalg.threads import threads
from supple.types import Array

LIMIT = 20
"""Iterations beyond which a fresh factorisation is cheaper."""
KINDS: tuple[Kind, ...] = ("cholesky", "lu")


class Update(Protocol):
    """A part of a matrix that reaches over all unknowns: a sum of a b^T."""

    def times(self, p: Array) -> Array:
        """Its product with p (N,)."""

    def solve(self, factors: Callable[[Array], Array], rhs: Array) -> Array:
        """(A + this)^-1 rhs for rhs (k, N), where `factors` solves with A."""


@dataclass(frozen=True)
class Matrix:
    """Entries of the upper triangle of a symmetric matrix, or of the whole of one that is not; plus an update."""

    half: Array | None
    whole: Array | None
    update: Update | None = None


class Work(Protocol):
    """What is counted."""

    factorisations: int
    cg_iterations: int


class NearlySymmetric:
    """Solves with matrices of one pattern. `reuses`: whether factors serve more than the one solve they were made for."""

    def __init__(self, half: SymmetricPattern, backend: str, reuses: bool) -> None:
        self._half, self._backend, self._reuses = half, backend, reuses
        self._factors: dict[Kind, Factorisation] = {}
        self._known: tuple[Kind, Array] | None = None

    @cached_property
    def _square(self) -> SquarePattern:
        return square_pattern(self._half)

    @cached_property
    def _both_halves(self) -> np.ndarray:
        return both_halves(self._half)

    def solve(self, matrix: Matrix, rhs: Array, accuracy: float, work: Work) -> Array:
        """A^-1 rhs, to that accuracy (relative residual; 0: by LU) or better; raises where the matrix is singular."""
        if self._reuses and accuracy:
            p = self._iterated(matrix, rhs, accuracy, work) if self._known is not None else None
            if p is None and self._factor_symmetric(matrix, work):
                p = self._iterated(matrix, rhs, accuracy, work)
            if p is not None:
                return p
        self._factor("lu", self.whole(matrix), work)
        solve = self._factors["lu"].solve
        return solve(rhs) if matrix.update is None else matrix.update.solve(solve, rhs[None])[0]

    def whole(self, matrix: Matrix) -> Array:
        """Entries of the whole matrix, without its update."""
        if matrix.whole is not None:
            return matrix.whole
        assert matrix.half is not None
        return np.asarray(matrix.half[self._both_halves])

    def diagonal(self, matrix: Matrix) -> Array:
        if matrix.whole is not None:
            return np.asarray(matrix.whole[self._square.diagonal])
        assert matrix.half is not None
        return np.asarray(matrix.half[self._half.diagonal])

    def memory(self) -> dict[str, np.ndarray]:
        """The kind of the last factors and the numbers that they were made of."""
        if self._known is None or not self._reuses:
            return {"kind": np.array(-1), "factored": np.empty(0)}
        kind, values = self._known
        return {"kind": np.array(KINDS.index(kind)), "factored": values.copy()}

    def restore(self, memory: dict[str, np.ndarray]) -> None:
        if memory["factored"].size:
            kind = KINDS[int(memory["kind"])]
            values = np.ascontiguousarray(memory["factored"])
            self._made(kind).factor(values)
            self._known = kind, values

    def close(self) -> None:
        for factorisation in self._factors.values():
            factorisation.close()

    def _iterated(self, matrix: Matrix, rhs: Array, accuracy: float, work: Work) -> Array | None:
        """By the factors at hand; None where that does not pay."""
        assert self._known is not None
        precondition = self._factors[self._known[0]].solve
        result = preconditioned_gmres(lambda p: self._product(matrix, p), precondition, rhs, accuracy, LIMIT)
        work.cg_iterations += result.iterations
        return result.x

    def _product(self, matrix: Matrix, p: Array) -> Array:
        if matrix.whole is not None:
            out = self._square.product(matrix.whole, p, threads())
        else:
            assert matrix.half is not None
            out = symmetric_product(self._half.indptr, self._half.indices, matrix.half, p)
        return out if matrix.update is None else out + matrix.update.times(p)

    def _factor_symmetric(self, matrix: Matrix, work: Work) -> bool:
        """Whether the symmetric part has Cholesky factors."""
        half = matrix.half
        if half is None:
            assert matrix.whole is not None
            half = self._square.symmetric_part(matrix.whole)
        try:
            self._factor("cholesky", half, work)
        except NotPositiveDefinite:
            return False
        return True

    def _factor(self, kind: Kind, values: Array, work: Work) -> None:
        work.factorisations += 1
        self._known = None
        self._made(kind).factor(values)
        self._known = kind, values

    def _made(self, kind: Kind) -> Factorisation:
        if kind not in self._factors:
            pattern = self._square if kind == "lu" else self._half
            self._factors[kind] = analyse(kind, pattern.indptr, pattern.indices, self._backend, threads())
        return self._factors[kind]
