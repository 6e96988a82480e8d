"""Incomplete Cholesky factors without fill, A ~ U^T U on the 3x3 blocks of the pattern, in single precision.

Interiors of row ranges are factorised and solved concurrently; one thread then handles the rows that separate them. Ranges depend
on the size of the matrix, not on the thread count, and no coupling is dropped, so the bits are the same on any number of threads.
Where a pivot is not positive definite, the diagonal is scaled up and the factorisation restarts (Manteuffel 1980).
"""

from __future__ import annotations

import numpy as np

from supple.errors import NotPositiveDefinite
from supple.linalg.pattern import SymmetricPattern
from supple.linalg.pool import in_parts
from supple.linalg.precond.blocks import Blocks
from supple.linalg.precond.incomplete_kernels import backward, factor, forward, hand_over, join
from supple.linalg.precond.separators import separated
from supple.types import Array

FIRST_RAISE, RAISES = 1e-3, 12
"""Fraction of the diagonal added after the first breakdown; four times as much after each further one."""
SOLVE = 0.01
"""Work of half a solve [us per block]."""


class IncompleteCholesky:
    """IC(0) of blocks."""

    renewal = 6.0
    factorises = may_err = False

    def __init__(self, pattern: SymmetricPattern) -> None:
        self._blocks = Blocks(pattern)
        self._rows = separated(self._blocks.first, self._blocks.column)
        self._factors: np.ndarray = np.empty((0, 3, 3), np.float32)
        self._scale = np.empty(0)

    def renew(self, values: Array, places: Array) -> None:
        start, column = self._blocks.first, self._blocks.column
        upper = self._blocks.upper(values)
        diagonal = np.einsum("nii->ni", upper[start[:-1]]).ravel()
        if not np.isfinite(diagonal).all() or not (diagonal > 0.0).all():
            raise NotPositiveDefinite("the diagonal is not positive")
        self._scale = 1.0 / np.sqrt(
            diagonal
        )  # a unit diagonal: neither units nor stiff parts exceed the floating-point range
        scaled = self._scale.reshape(-1, 3)
        row = np.repeat(np.arange(self._blocks.n), np.diff(start))
        upper *= scaled[row][:, :, None]
        upper *= scaled[column][:, None, :]
        for k in range(RAISES):
            self._factors = self._rows.blocks(upper.astype(np.float32))
            if k:
                r = np.arange(3)
                self._factors[self._rows.start[:-1, None], r, r] += np.float32(FIRST_RAISE * 4.0 ** (k - 1))
            if self._factorised():
                return
        raise NotPositiveDefinite("incomplete factors break down")

    def solve(self, rhs: Array) -> Array:
        size = float(np.abs(rhs).max(initial=0.0)) or 1.0
        rows, factors = self._rows, self._factors
        given = (self._scale * (rhs / size)).astype(np.float32)
        x = given.reshape(-1, 3)[rows.order].ravel()
        matrix = rows.start, rows.column, factors, x
        work, n = len(factors) * SOLVE, len(rows.order)
        in_parts(lambda k: forward(*rows.ranges[k], *matrix), len(rows.ranges), work)
        hand_over(rows.touching, rows.separator, *matrix)
        forward(rows.separator, n, *matrix)
        backward(rows.separator, n, *matrix)
        in_parts(lambda k: backward(*rows.ranges[k], *matrix), len(rows.ranges), work)
        given.reshape(-1, 3)[rows.order] = x.reshape(-1, 3)
        return np.asarray(self._scale * (size * given.astype(np.float64)))

    def close(self) -> None:
        self._factors = np.empty((0, 3, 3), np.float32)

    def _factorised(self) -> bool:
        rows, matrix = self._rows, (self._rows.start, self._rows.column, self._factors)
        broken = np.full(len(rows.ranges), -1)

        def part(k: int) -> None:
            broken[k] = factor(*rows.ranges[k], *matrix)

        in_parts(part, len(rows.ranges))
        if (broken >= 0).any():
            return False
        join(rows.touching, rows.separator, *matrix)
        return bool(factor(rows.separator, len(rows.order), *matrix) < 0)
