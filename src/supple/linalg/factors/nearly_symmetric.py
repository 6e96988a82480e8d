"""Linear systems whose matrix is symmetric up to a small part: Jacobians of mean forces over a step.

Cholesky factors of the symmetric part, which cost half of an LU, precondition GMRES on the matrix itself; so do factors
of an earlier matrix. Where that is not worthwhile the matrix is factorised anew: its symmetric part or, if that is not
positive definite or too far from the whole, the full matrix. Large matrices use single-precision factors where the
backend supports them: they only precondition. The last factorised entries are memory: a run resumed from a checkpoint
has the same factors and continues bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol, TypeAlias

import numpy as np

from supple.errors import NotPositiveDefinite
from supple.linalg.factors.factorisation import Factorisation, analyse, has_single
from supple.linalg.krylov import preconditioned_gmres, symmetric_product
from supple.linalg.pattern import SymmetricPattern
from supple.linalg.square import SquarePattern, both_halves, square_pattern
from supple.linalg.threads import threads
from supple.types import Array

LIMIT = 20
"""Iterations beyond which a new factorisation is cheaper."""
LARGE = 10_000
"""Unknowns from which single-precision factors take half the time of others."""
RATE = 28.0
"""Operations of a factorisation in the time that a solve takes for one entry of the factors."""
FEWEST = 16.0
"""Solves in the time of assembly and factorisation of a small matrix."""
Factors: TypeAlias = Literal["cholesky", "lu", "single"]
KINDS: tuple[Factors, ...] = ("cholesky", "lu", "single")
"""By their indices in checkpoints; `single`: single-precision Cholesky factors."""


class Update(Protocol):
    """A part of a matrix that couples all unknowns: a sum of a b^T."""

    def times(self, p: Array) -> Array:
        """Its product with p (N,)."""

    def solve(self, factors: Callable[[Array], Array], rhs: Array) -> Array:
        """(A + this)^-1 rhs for rhs (k, N), where `factors` solves with A."""


@dataclass(frozen=True)
class Matrix:
    """Entries of the upper triangle of a symmetric matrix, or of a whole nonsymmetric one; plus an update."""

    half: Array | None
    whole: Array | None
    update: Update | None = None


class Work(Protocol):
    """Work counts."""

    factorisations: int
    cg_iterations: int


class NearlySymmetric:
    """Solves with matrices of one pattern. `reuses`: whether factors are used for more than one solve."""

    def __init__(self, half: SymmetricPattern, backend: str, reuses: bool) -> None:
        self._half, self._backend, self._reuses = half, backend, reuses
        self._factors: dict[Factors, Factorisation] = {}
        self._known: tuple[Factors, Array] | None = None
        large = half.unknowns >= LARGE and has_single(backend)
        self._symmetric: tuple[Factors, ...] = ("single", "cholesky") if large else ("cholesky",)

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
            if p is None and self.factor_symmetric(matrix, work):
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

    @property
    def known(self) -> Literal["none", "symmetric", "whole"]:
        """The origin of the current factors: none, a symmetric part, or a full matrix."""
        if self._known is None:
            return "none"
        return "whole" if self._known[0] == "lu" else "symmetric"

    @property
    def renewal(self) -> float:
        """Solves in the time of a new symmetric part and its factors."""
        assert self._known is not None
        made = self._factors[self._known[0]]
        return max(made.operations / (RATE * made.entries), FEWEST) if made.entries else FEWEST

    def factored_diagonal(self) -> Array:
        """Entries of the matrix whose symmetric part was factorised last."""
        assert self._known is not None
        return np.asarray(self._known[1][self._half.diagonal])

    def precondition(self, rhs: Array) -> Array:
        """The solution with the current factors."""
        assert self._known is not None
        return self._factors[self._known[0]].solve(rhs)

    def factor_symmetric(self, matrix: Matrix, work: Work) -> bool:
        """Whether the symmetric part has Cholesky factors; if so, they become current."""
        half = matrix.half
        if half is None:
            assert matrix.whole is not None
            half = self._square.symmetric_part(matrix.whole)
        for kind in self._symmetric:  # single precision may report a definite matrix as indefinite
            try:
                self._factor(kind, half, work)
            except NotPositiveDefinite:
                continue
            return True
        return False

    def memory(self) -> dict[str, np.ndarray]:
        """The kind of the last factors and their matrix entries."""
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
        """By the current factors; None where that is not worthwhile."""
        result = preconditioned_gmres(lambda p: self._product(matrix, p), self.precondition, rhs, accuracy, LIMIT)
        work.cg_iterations += result.iterations
        return result.x

    def _product(self, matrix: Matrix, p: Array) -> Array:
        if matrix.whole is not None:
            out = self._square.product(matrix.whole, p, threads())
        else:
            assert matrix.half is not None
            out = symmetric_product(self._half.indptr, self._half.indices, matrix.half, p)
        return out if matrix.update is None else out + matrix.update.times(p)

    def _factor(self, kind: Factors, values: Array, work: Work) -> None:
        work.factorisations += 1
        self._known = None
        self._made(kind).factor(values)
        self._known = kind, values

    def _made(self, kind: Factors) -> Factorisation:
        if kind not in self._factors:
            pattern = self._square if kind == "lu" else self._half
            rows, single = (pattern.indptr, pattern.indices), kind == "single"
            method: Literal["cholesky", "lu"] = "lu" if kind == "lu" else "cholesky"
            self._factors[kind] = analyse(method, *rows, self._backend, threads(), single)
        return self._factors[kind]
