"""Sums of nonsymmetric element matrices: the whole matrix in CSR.

Three scalar rows per vertex, all of the same length, columns ascending, zeros of a block kept: the position of a
block's first row determines its other rows. Sums are taken in the order of the elements, so they do not depend on
threads.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numba import njit

from supple.linalg.parts import Parts
from supple.linalg.pattern import SymmetricPattern
from supple.linalg.pool import in_parts
from supple.types import Array, Ints

ENTRY_TIME = 1e-3
"""Approximate time per entry on one thread [us]."""


@dataclass(frozen=True, eq=False)
class SquarePattern:
    """All blocks over `n` vertices; row i of blocks has the columns `column[first[i]:first[i + 1]]`."""

    n: int
    first: np.ndarray
    column: np.ndarray

    @cached_property
    def row_length(self) -> Ints:
        """Length of the three scalar rows of each vertex."""
        return (3 * np.diff(self.first)).astype(np.int32)

    @cached_property
    def indptr(self) -> Ints:
        """Starts of the scalar rows."""
        indptr = np.zeros(3 * self.n + 1, dtype=np.int32)
        np.cumsum(np.repeat(self.row_length, 3), out=indptr[1:])
        return indptr

    @cached_property
    def indices(self) -> Ints:
        """Columns of the scalar entries."""
        indices = np.empty(self.nnz, dtype=np.int32)
        _scalar_columns(self.first, self.column, indices)
        return indices

    @cached_property
    def transpose(self) -> Ints:
        """For each entry, the slot of its transpose."""
        place = np.empty(self.nnz, dtype=np.int32)
        _mirror(self.indptr, self.indices, place)
        return place

    @cached_property
    def upper(self) -> Ints:
        """Slots of the entries of the upper triangle, in the order of `SymmetricPattern`."""
        rows = np.repeat(np.arange(3 * self.n, dtype=np.int32), np.diff(self.indptr))
        return np.flatnonzero(self.indices >= rows).astype(np.int32)

    @property
    def nnz(self) -> int:
        return 9 * int(self.first[-1])

    @cached_property
    def diagonal(self) -> np.ndarray:
        """Slot of each diagonal entry."""
        i = np.arange(self.n, dtype=np.int32)
        slots = self.element_slots(i[:, None])[:, 0].astype(np.int64)
        return (slots[:, None] + np.arange(3) * (self.row_length[:, None].astype(np.int64) + 1)).ravel()

    def element_slots(self, elements: Ints) -> Ints:
        """(m, k k) slots of the blocks (a, b) of elements (m, k) of unknown indices, -1 where one of them is prescribed (-1)."""
        m, k = elements.shape
        slots = np.empty((m, k * k), dtype=np.int32)
        _locate(self.first, self.column, np.ascontiguousarray(elements), slots)
        return slots

    def assemble(self, diagonal: Array, parts: Iterable[tuple[Ints, Array]]) -> Array:
        """Entries of diag(diagonal) plus element matrices (m, 3k, 3k) of elements (m, k) of unknown indices (-1: prescribed)."""
        values = np.zeros(self.nnz)
        values[self.diagonal] = diagonal
        for elements, matrices in parts:
            self.add(elements, matrices, values)
        return values

    def add(self, elements: Ints, matrices: Array, values: Array) -> None:
        """values += element matrices."""
        _add_blocks(elements, self.row_length, self.element_slots(elements), np.ascontiguousarray(matrices), values)

    def lay(self, base: SquarePattern, fixed: Array, values: Array) -> None:
        """values += entries of a matrix of a pattern that this one covers."""
        _add_rows(base.first, base.column, fixed, self.first, self.column, values)

    def symmetric_part(self, values: Array) -> Array:
        """Entries of (A + A^T)/2 in the upper triangle."""
        out = np.empty(len(self.upper))
        _symmetric_part(self.upper, self.transpose, values, out)
        return out

    def product(self, values: Array, x: Array, threads: int) -> Array:
        """A x."""
        out = np.empty_like(x)

        def some(k: int) -> None:
            _product(k * self.n // threads, (k + 1) * self.n // threads, self.first, self.indices, values, x, out)

        in_parts(some, threads, ENTRY_TIME * self.nnz)
        return out


_known: weakref.WeakKeyDictionary[SymmetricPattern, SquarePattern] = weakref.WeakKeyDictionary()


def square_pattern(half: SymmetricPattern) -> SquarePattern:
    """The whole matrix whose upper triangle is `half`; built once for each."""
    if half not in _known:
        n = half.n
        i, j = half.keys // max(n, 1), half.keys % max(n, 1)
        count = np.bincount(i, minlength=n) + np.bincount(j, minlength=n) - 1
        first = np.zeros(n + 1, dtype=np.int64)
        np.cumsum(count, out=first[1:])
        column = np.empty(int(first[-1]), dtype=np.int32)
        _both_columns(i, j, first[:-1].copy(), column)
        _known[half] = SquarePattern(n, first, column)
    return _known[half]


def both_halves(half: SymmetricPattern) -> np.ndarray:
    """For each entry of the whole matrix, the entry of its upper triangle that has its value."""
    whole = square_pattern(half)
    number = np.empty(whole.nnz, dtype=np.int64)
    number[whole.upper] = np.arange(len(whole.upper))
    number[whole.transpose[whole.upper]] = np.arange(len(whole.upper))
    return number


def sum_at_vertices(elements: Ints, vectors: Array, n: int) -> Array:
    """(n, 3) sum of element vectors (m, k, 3)."""
    entries = 3 * elements.astype(np.int64)[:, :, None] + np.arange(3)
    total = np.zeros(3 * n)
    total += np.bincount(entries.ravel(), vectors.ravel(), 3 * n)
    return total.reshape(n, 3)


def add_matrices(
    parts: Parts, elements: Ints, unknowns: Ints, lengths: Ints, slots: Ints, matrices: Array, values: Array
) -> None:
    """values += element matrices (m, 3k, 3k) at slots (m, k k), rows of each part's vertices by a separate thread."""

    def part(k: int) -> None:
        _add_part(k, parts.owner, parts.chosen(k), elements, unknowns, lengths, slots, matrices, values)

    in_parts(part, parts.count, ENTRY_TIME * matrices.size)


@njit(cache=True, nogil=True)
def _both_columns(i, j, place, column):
    # rows are ascending, so entries of the lower triangle are in each row before its own entries
    for e in range(len(i)):
        column[place[i[e]]] = j[e]
        place[i[e]] += 1
        if i[e] != j[e]:
            column[place[j[e]]] = i[e]
            place[j[e]] += 1


@njit(cache=True, nogil=True)
def _scalar_columns(first, column, indices):
    for i in range(len(first) - 1):
        length = 3 * (first[i + 1] - first[i])
        for b in range(first[i], first[i + 1]):
            place = 9 * first[i] + 3 * (b - first[i])
            for r in range(3):
                for c in range(3):
                    indices[place + r * length + c] = 3 * column[b] + c


@njit(cache=True, nogil=True)
def _mirror(indptr, indices, place):
    following = indptr[:-1].copy()
    for i in range(len(indptr) - 1):
        for e in range(indptr[i], indptr[i + 1]):
            j = indices[e]
            place[following[j]] = e
            following[j] += 1


@njit(cache=True, nogil=True)
def _locate(first, column, elements, slots):
    k = elements.shape[1]
    for e in range(len(elements)):
        for a in range(k):
            i = elements[e, a]
            for b in range(k):
                j = elements[e, b]
                slots[e, k * a + b] = -1
                if i < 0 or j < 0:
                    continue
                left, right = first[i], first[i + 1]
                while left < right:
                    middle = (left + right) // 2
                    if column[middle] < j:
                        left = middle + 1
                    else:
                        right = middle
                slots[e, k * a + b] = 9 * first[i] + 3 * (left - first[i])


@njit(cache=True, nogil=True, inline="always")
def _add_block(slot, length, matrix, row, column, values):
    for i in range(3):
        for j in range(3):
            values[slot + i * length + j] += matrix[row + i, column + j]


@njit(cache=True, nogil=True)
def _add_blocks(elements, lengths, slots, matrices, values):
    k = elements.shape[1]
    for e in range(len(elements)):
        for a in range(k):
            for b in range(k):
                slot = slots[e, k * a + b]
                if slot >= 0:
                    _add_block(slot, lengths[elements[e, a]], matrices[e], 3 * a, 3 * b, values)


@njit(cache=True, nogil=True)
def _add_part(part, owner, chosen, elements, unknowns, lengths, slots, matrices, values):
    k = elements.shape[1]
    for e in chosen:
        for a in range(k):
            v = elements[e, a]
            if owner[v] == part:
                for b in range(k):
                    slot = slots[e, k * a + b]
                    if slot >= 0:
                        _add_block(slot, lengths[unknowns[v]], matrices[e], 3 * a, 3 * b, values)


@njit(cache=True, nogil=True)
def _add_rows(first, column, fixed, grown_first, grown_column, values):
    for i in range(len(first) - 1):
        length, grown = 3 * (first[i + 1] - first[i]), 3 * (grown_first[i + 1] - grown_first[i])
        g = grown_first[i]
        for b in range(first[i], first[i + 1]):
            while grown_column[g] < column[b]:
                g += 1
            source, target = 9 * first[i] + 3 * (b - first[i]), 9 * grown_first[i] + 3 * (g - grown_first[i])
            for r in range(3):
                for c in range(3):
                    values[target + r * grown + c] += fixed[source + r * length + c]


@njit(cache=True, nogil=True)
def _symmetric_part(upper, transpose, values, out):
    for e in range(len(upper)):
        place = upper[e]
        out[e] = 0.5 * (values[place] + values[transpose[place]])


@njit(cache=True, nogil=True)
def _product(begin, end, first, indices, values, x, out):
    for i in range(begin, end):
        start, length = 9 * first[i], 3 * (first[i + 1] - first[i])
        a, b, c = 0.0, 0.0, 0.0
        for s in range(start, start + length):
            entry = x[indices[s]]
            a += values[s] * entry
            b += values[s + length] * entry
            c += values[s + 2 * length] * entry
        out[3 * i], out[3 * i + 1], out[3 * i + 2] = a, b, c
