"""Fixed sparsity: the 3x3 blocks filled by a sum of element matrices, and the slots of each block's entries.

A matrix over n vertices is stored as the upper triangle in CSR, three scalar rows per vertex, every row's diagonal
first, columns ascending, zeros of a block kept. Row 3i has L = 3 * (blocks of vertex i) entries, the rows below it L-1
and L-2, so the position of a block's first row determines its other rows: s + L - 1 and s + 2L - 3 (diagonal
block: s + L and s + 2L - 1).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from supple.types import Ints

GROUP = 500_000
"""Pairs of corners that are looked up at once."""


class SymmetricPattern:
    """Upper triangle over `n` vertices, of the sum of element matrices whose corners are unknown indices 0..n-1;
    negative ones are skipped. Built on first use: matrix-free solvers never build it."""

    def __init__(self, n: int, element_lists: Sequence[Ints]) -> None:
        self.n, self._element_lists = n, element_lists

    @property
    def unknowns(self) -> int:
        return 3 * self.n

    @cached_property
    def keys(self) -> np.ndarray:
        """i * n + j of every stored block i <= j, ascending."""
        n = self.n
        keys = [np.arange(n, dtype=np.int64) * (n + 1)]
        for elements in self._element_lists:
            for a, b in _corner_pairs(len(elements), elements.shape[1], first=1):
                lo = np.minimum(elements[:, a], elements[:, b]).astype(np.int64)
                hi = np.maximum(elements[:, a], elements[:, b]).astype(np.int64)
                keys.append(np.unique((lo * n + hi)[lo >= 0]))
        return np.unique(np.concatenate(keys))

    @cached_property
    def _firsts(self) -> np.ndarray:
        """Place of each diagonal block among the keys: the first of its row."""
        return np.searchsorted(self.keys, np.arange(self.n, dtype=np.int64) * (self.n + 1))

    @cached_property
    def row_length(self) -> Ints:
        """L of each vertex."""
        return (3 * np.bincount(self._blocks[0], minlength=self.n)).astype(np.int32)

    @cached_property
    def indptr(self) -> Ints:
        """Starts of the scalar rows."""
        length = self.row_length
        indptr = np.zeros(3 * self.n + 1, dtype=np.int32)
        np.cumsum(np.stack([length, length - 1, length - 2], axis=1).ravel(), out=indptr[1:])
        return indptr

    @cached_property
    def indices(self) -> Ints:
        """Columns of the scalar entries."""
        return _scalar_columns(self.n, *self._blocks, self.indptr)

    @property
    def _blocks(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows and columns of the blocks."""
        return (self.keys // self.n, self.keys % self.n) if self.n else (self.keys, self.keys)

    @property
    def nnz(self) -> int:
        return int(self.indptr[-1])

    @property
    def diagonal(self) -> Ints:
        """Slot of each diagonal entry: the first of its row."""
        return self.indptr[:-1]

    def slots(self, i: np.ndarray, j: np.ndarray) -> Ints:
        """Slot of block (min(i,j), max(i,j)) for each pair, -1 where one of them is negative (not an unknown)."""
        lo, hi = np.minimum(i, j).astype(np.int64), np.maximum(i, j).astype(np.int64)
        unknown = lo >= 0
        place = np.searchsorted(self.keys, np.where(unknown, lo * self.n + hi, 0))
        if not self.n:
            return np.full(lo.shape, -1, dtype=np.int32)
        lo = np.where(unknown, lo, 0)
        return np.where(unknown, self.indptr[3 * lo] + 3 * (place - self._firsts[lo]), -1).astype(np.int32)

    def element_slots(self, elements: Ints) -> Ints:
        """(m, k(k+1)/2) slots of the blocks (a, b), a <= b, of elements given by unknown indices (-1: prescribed)."""
        pairs = _corner_pairs(len(elements), elements.shape[1])
        return np.concatenate([self.slots(elements[:, a], elements[:, b]) for a, b in pairs], axis=1)


def _corner_pairs(m: int, k: int, first: int = 0) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Corners (a, b) with b - a >= first of m elements, in groups: few calls for elements with many corners, and
    little memory for many elements."""
    a, b = np.triu_indices(k, first)
    size = max(1, GROUP // max(m, 1))
    for start in range(0, len(a), size):
        yield a[start : start + size], b[start : start + size]


def symmetric_pattern(n: int, element_lists: Sequence[Ints]) -> SymmetricPattern:
    """Pattern of the sum of element matrices; corners are unknown indices 0..n-1; negative ones are skipped."""
    return SymmetricPattern(n, element_lists)


def _scalar_columns(n: int, row: np.ndarray, column: np.ndarray, indptr: Ints) -> Ints:
    """Column indices of all scalar entries, row by row."""
    indices = np.empty(int(indptr[-1]), dtype=np.int32)
    first_block = np.searchsorted(row, np.arange(n))
    place = np.arange(row.size) - first_block[row]
    for r in range(3):
        for c in range(3):
            keep = (row != column) | (c >= r)  # the diagonal block stores its upper half only
            indices[indptr[3 * row[keep] + r] + 3 * place[keep] + c - r] = 3 * column[keep] + c
    return indices
