"""Sums of element matrices that are not symmetric: the whole matrix in CSR, for LU.

Three scalar rows a vertex, all of the same length, columns ascending, zeros of a block kept. Sums are taken in the order
of the elements, so that their bits do not depend on threads.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from supple.linalg.pattern import SymmetricPattern
from supple.types import Array, Ints


@dataclass(frozen=True)
class SquarePattern:
    """All blocks over `n` vertices. `indptr`, `indices`: scalar CSR; `first[i]`: number of the first block of row i."""

    n: int
    indptr: Ints
    indices: Ints
    keys: np.ndarray
    """i * n + j of every stored block, ascending."""
    first: np.ndarray

    @property
    def nnz(self) -> int:
        return int(self.indptr[-1])

    @property
    def diagonal(self) -> np.ndarray:
        """Slot of each diagonal entry."""
        i = np.arange(self.n)
        return (self._blocks(i, i)[:, None] + np.arange(3) * (self._lengths(i)[:, None] + 1)).ravel()

    def assemble(self, diagonal: Array, parts: Iterable[tuple[Ints, Array]]) -> Array:
        """Entries of diag(diagonal) plus element matrices (m, 3k, 3k) of elements (m, k) of unknown numbers (-1: held)."""
        values = np.zeros(self.nnz + 1)  # the last one collects what belongs to held vertices
        values[self.diagonal] = diagonal
        for elements, matrices in parts:
            values += np.bincount(self._places(elements).ravel(), matrices.ravel(), self.nnz + 1)
        return values[:-1]

    def _places(self, elements: Ints) -> np.ndarray:
        """(m, 3k, 3k) slots of the entries of element matrices."""
        m, k = elements.shape
        i, j = np.broadcast_arrays(elements[:, :, None], elements[:, None, :])
        known = (i >= 0) & (j >= 0)
        i, j = np.where(known, i, 0), np.where(known, j, 0)
        block = np.where(known, self._blocks(i, j), self.nnz)
        row, column = np.arange(3)[:, None], np.arange(3)
        inside = row * self._lengths(i)[..., None, None] + column
        slots = block[..., None, None] + np.where(known[..., None, None], inside, 0)
        return slots.transpose(0, 1, 3, 2, 4).reshape(m, 3 * k, 3 * k)

    def _blocks(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Slot of the first entry of stored blocks (i, j)."""
        place = np.searchsorted(self.keys, i.astype(np.int64) * self.n + j)
        # a pair that no element has may be asked for where a vertex is held; its slot is not used
        return self.indptr[3 * i].astype(np.int64) + 3 * (place - self.first[i])

    def _lengths(self, i: np.ndarray) -> np.ndarray:
        return (self.indptr[3 * i + 1] - self.indptr[3 * i]).astype(np.int64)


def square_pattern(half: SymmetricPattern) -> SquarePattern:
    """The whole matrix of which `half` is the upper triangle."""
    n = half.n
    i, j = half.keys // max(n, 1), half.keys % max(n, 1)
    keys = np.unique(np.concatenate([half.keys, j * n + i]))
    row, column = keys // max(n, 1), keys % max(n, 1)
    count = np.bincount(row, minlength=n)
    first = np.cumsum(count) - count
    indptr = np.zeros(3 * n + 1, dtype=np.int32)
    np.cumsum(np.repeat(3 * count, 3), out=indptr[1:])
    indices = np.empty(int(indptr[-1]), dtype=np.int32)
    for r in range(3):
        for c in range(3):
            indices[indptr[3 * row + r] + 3 * (np.arange(row.size) - first[row]) + c] = 3 * column + c
    return SquarePattern(n, indptr, indices, keys, first)


def both_halves(half: SymmetricPattern) -> np.ndarray:
    """For each entry of the whole matrix, the entry of its upper triangle that has its value."""
    from scipy.sparse import csr_matrix, triu

    upper = csr_matrix((np.arange(1, half.nnz + 1), half.indices, half.indptr), shape=(half.unknowns, half.unknowns))
    whole = (upper + triu(upper, 1).T).tocsr()
    whole.sort_indices()
    return np.asarray(whole.data, dtype=np.int64) - 1


def sum_at_vertices(elements: Ints, vectors: Array, n: int) -> Array:
    """(n, 3) sum of element vectors (m, k, 3)."""
    entries = 3 * elements.astype(np.int64)[:, :, None] + np.arange(3)
    total = np.zeros(3 * n)
    total += np.bincount(entries.ravel(), vectors.ravel(), 3 * n)
    return total.reshape(n, 3)
