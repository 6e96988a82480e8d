"""Matrices of 3x3 blocks for preconditioners: upper rows, and whole rows in BSR form."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numba import njit

from supple.linalg.pattern import SymmetricPattern
from supple.types import Array, Ints


@njit(cache=True, nogil=True)
def _upper(first, indptr, lengths, values, out):
    for i in range(first.size - 1):
        L = lengths[i]
        start = indptr[3 * i]
        for b in range(first[i], first[i + 1]):
            slot = start + 3 * (b - first[i])
            if b == first[i]:  # the diagonal block stores its upper half only
                for r in range(3):
                    row = slot if r == 0 else slot + L if r == 1 else slot + 2 * L - 1
                    for c in range(r, 3):
                        out[b, r, c] = out[b, c, r] = values[row + c - r]
            else:
                for r in range(3):
                    row = slot if r == 0 else slot + L - 1 if r == 1 else slot + 2 * L - 3
                    for c in range(3):
                        out[b, r, c] = values[row + c]


@njit(cache=True, nogil=True)
def _mirrored_rows(first, column, start):
    n = first.size - 1
    start[:] = 0
    for i in range(n):
        start[i + 1] += first[i + 1] - first[i]
        for b in range(first[i] + 1, first[i + 1]):
            start[column[b] + 1] += 1
    for i in range(n):
        start[i + 1] += start[i]


@njit(cache=True, nogil=True)
def _mirror(first, column, upper, start, column_out, out):
    n = first.size - 1
    place = start[:n].copy()
    for i in range(n):  # rows above have written their transposes here already: columns ascend
        for b in range(first[i], first[i + 1]):
            j = column[b]
            column_out[place[i]] = j
            out[place[i]] = upper[b]
            place[i] += 1
            if j != i:
                column_out[place[j]] = i
                out[place[j]] = upper[b].T
                place[j] += 1


class Blocks:
    """The block structure of a pattern."""

    def __init__(self, pattern: SymmetricPattern) -> None:
        self._pattern = pattern
        self.n = pattern.n

    @cached_property
    def column(self) -> Ints:
        """Column of each stored block."""
        return (self._pattern.keys % max(self.n, 1)).astype(np.int32)

    @cached_property
    def first(self) -> Ints:
        """Starts of the rows of blocks; the diagonal is first."""
        return np.concatenate([[0], np.cumsum(self._pattern.row_length // 3)]).astype(np.int32)

    def upper(self, values: Array, dtype: type = np.float64) -> np.ndarray:
        """(blocks, 3, 3) of the upper triangle, whole on the diagonal."""
        out: np.ndarray = np.empty((len(self.column), 3, 3), dtype=dtype)
        _upper(self.first, self._pattern.indptr, self._pattern.row_length, values, out)
        return out

    def whole(self, values: Array) -> tuple[np.ndarray, Ints, Ints]:
        """Data, columns and row starts of both triangles."""
        upper, start = self.upper(values), np.empty(self.n + 1, np.int32)
        _mirrored_rows(self.first, self.column, start)
        column, out = np.empty(start[-1], np.int32), np.empty((start[-1], 3, 3))
        _mirror(self.first, self.column, upper, start, column, out)
        return out, column, start
