"""Incomplete Cholesky factors without fill, A ~ U^T U on the 3x3 blocks of the pattern, in single precision.

Rows are split into one range for each thread and couplings between ranges are left out, so that ranges are factorised and solved
side by side; bits belong to the thread count. Where a pivot is not positive definite the diagonal is scaled up and the
factorisation begins anew (Manteuffel 1980).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.errors import NotPositiveDefinite
from supple.linalg.pattern import SymmetricPattern
from supple.linalg.pool import in_parts
from supple.linalg.precond.blocks import Blocks
from supple.linalg.threads import threads
from supple.types import Array

FIRST_RAISE, RAISES = 1e-3, 12
"""Part of the diagonal that is added after the first breakdown; four times as much after each other one."""


@njit(cache=True, nogil=True)
def _pivot(block, inverse):
    """Inverse of the upper factor of a symmetric block; False if it is not positive definite."""
    a, b, c = block[0, 0], block[0, 1], block[0, 2]
    if not a > 0.0:
        return False
    u00 = np.sqrt(a)
    u01, u02 = b / u00, c / u00
    d = block[1, 1] - u01 * u01
    if not d > 1e-6 * block[1, 1]:
        return False
    u11 = np.sqrt(d)
    u12 = (block[1, 2] - u01 * u02) / u11
    e = block[2, 2] - u02 * u02 - u12 * u12
    if not e > 1e-6 * block[2, 2]:
        return False
    u22 = np.sqrt(e)
    inverse[:] = 0
    inverse[0, 0], inverse[1, 1], inverse[2, 2] = 1 / u00, 1 / u11, 1 / u22
    inverse[0, 1] = -u01 / (u00 * u11)
    inverse[1, 2] = -u12 / (u11 * u22)
    inverse[0, 2] = (u01 * u12 / u11 - u02) / (u00 * u22)
    return True


@njit(cache=True, nogil=True)
def _factor(first, last, start, column, blocks):
    """In place; the diagonal becomes the inverse of its factor. Returns the row that broke down, or -1."""
    inverse, scaled = np.empty((3, 3), blocks.dtype), np.empty((3, 3), blocks.dtype)
    for i in range(first, last):
        head, end = start[i], start[i + 1]
        if not _pivot(blocks[head], inverse):
            return i
        blocks[head] = inverse
        for b in range(head + 1, end):
            if column[b] >= last:
                continue
            for r in range(3):  # U_ij = U_ii^-T A_ij
                for c in range(3):
                    total = inverse[0, r] * blocks[b, 0, c]
                    for k in range(1, r + 1):
                        total += inverse[k, r] * blocks[b, k, c]
                    scaled[r, c] = total
            blocks[b] = scaled
        for b in range(head + 1, end):
            j = column[b]
            if j >= last:
                continue
            target = start[j]
            for d in range(b, end):
                if column[d] >= last:
                    break
                while target < start[j + 1] and column[target] < column[d]:
                    target += 1
                if target < start[j + 1] and column[target] == column[d]:
                    for r in range(3):
                        for c in range(3):
                            blocks[target, r, c] -= (
                                blocks[b, 0, r] * blocks[d, 0, c]
                                + blocks[b, 1, r] * blocks[d, 1, c]
                                + blocks[b, 2, r] * blocks[d, 2, c]
                            )
    return -1


@njit(cache=True, nogil=True, fastmath={"contract", "nsz"})
def _solve(first, last, start, column, blocks, x):
    """U^-1 U^-T x in place."""
    for i in range(first, last):
        head = start[i]
        u = blocks[head]
        a, b, c = x[3 * i], x[3 * i + 1], x[3 * i + 2]
        y0, y1, y2 = u[0, 0] * a, u[0, 1] * a + u[1, 1] * b, u[0, 2] * a + u[1, 2] * b + u[2, 2] * c
        x[3 * i], x[3 * i + 1], x[3 * i + 2] = y0, y1, y2
        for k in range(head + 1, start[i + 1]):
            j = column[k]
            if j < last:
                for r in range(3):
                    x[3 * j + r] -= blocks[k, 0, r] * y0 + blocks[k, 1, r] * y1 + blocks[k, 2, r] * y2
    for i in range(last - 1, first - 1, -1):
        head = start[i]
        y0, y1, y2 = x[3 * i], x[3 * i + 1], x[3 * i + 2]
        for k in range(head + 1, start[i + 1]):
            j = column[k]
            if j < last:
                p, q, s = x[3 * j], x[3 * j + 1], x[3 * j + 2]
                y0 -= blocks[k, 0, 0] * p + blocks[k, 0, 1] * q + blocks[k, 0, 2] * s
                y1 -= blocks[k, 1, 0] * p + blocks[k, 1, 1] * q + blocks[k, 1, 2] * s
                y2 -= blocks[k, 2, 0] * p + blocks[k, 2, 1] * q + blocks[k, 2, 2] * s
        u = blocks[head]
        x[3 * i] = u[0, 0] * y0 + u[0, 1] * y1 + u[0, 2] * y2
        x[3 * i + 1] = u[1, 1] * y1 + u[1, 2] * y2
        x[3 * i + 2] = u[2, 2] * y2


class IncompleteCholesky:
    """IC(0) of blocks."""

    renewal = 6.0
    factorises = may_err = False

    def __init__(self, pattern: SymmetricPattern) -> None:
        self._blocks = Blocks(pattern)
        count = threads()
        self._ranges = [(k * pattern.n // count, (k + 1) * pattern.n // count) for k in range(count)]
        self._factors = np.empty((0, 3, 3), np.float32)
        self._scale = np.empty(0)

    def renew(self, values: Array, places: Array) -> None:
        start, column = self._blocks.first, self._blocks.column
        upper = self._blocks.upper(values)
        diagonal = np.einsum("nii->ni", upper[start[:-1]]).ravel()
        if not np.isfinite(diagonal).all() or not (diagonal > 0.0).all():
            raise NotPositiveDefinite("the diagonal is not positive")
        self._scale = 1.0 / np.sqrt(
            diagonal
        )  # a unit diagonal: neither units nor stiff parts leave the range of the numbers
        scaled = self._scale.reshape(-1, 3)
        row = np.repeat(np.arange(self._blocks.n), np.diff(start))
        upper *= scaled[row][:, :, None]
        upper *= scaled[column][:, None, :]
        for k in range(RAISES):
            self._factors = upper.astype(np.float32)
            if k:
                r = np.arange(3)
                self._factors[start[:-1, None], r, r] += np.float32(FIRST_RAISE * 4.0 ** (k - 1))
            if self._factorised(start, column):
                return
        raise NotPositiveDefinite("incomplete factors break down")

    def solve(self, rhs: Array) -> Array:
        size = float(np.abs(rhs).max(initial=0.0)) or 1.0
        x = (self._scale * (rhs / size)).astype(np.float32)
        start, column = self._blocks.first, self._blocks.column
        in_parts(lambda k: _solve(*self._ranges[k], start, column, self._factors, x), len(self._ranges))
        return np.asarray(self._scale * (size * x.astype(np.float64)))

    def close(self) -> None:
        self._factors = np.empty((0, 3, 3), np.float32)

    def _factorised(self, start: np.ndarray, column: np.ndarray) -> bool:
        broken = np.full(len(self._ranges), -1)

        def part(k: int) -> None:
            broken[k] = _factor(*self._ranges[k], start, column, self._factors)

        in_parts(part, len(self._ranges))
        return bool((broken < 0).all())
