"""A fixed pattern with blocks that are added and removed: contact couples vertices that share no element.

Reanalysing a pattern costs part of a factorisation, storing many zeros costs more: so old blocks are kept as long as
they do not greatly outnumber the required ones.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from supple.linalg.pattern import SymmetricPattern, symmetric_pattern
from supple.linalg.scatter import add_blocks, locate
from supple.types import Array, Ints

ROOM = 2.0
"""Largest ratio of stored to required blocks."""


class Growth:
    """`pattern` covers the fixed one and all blocks of the last requested elements."""

    def __init__(self, base: SymmetricPattern) -> None:
        self._base = base
        self._found: list[tuple[Ints, Ints]] = []
        self._take(base)

    def cover(self, elements: Sequence[Ints]) -> bool:
        """Extend the pattern for elements (m, k) of unknown indices (-1: prescribed); returns whether it changed."""
        used = np.zeros(len(self.pattern.keys), dtype=np.bool_)
        self._found = [
            (own, np.empty((len(own), own.shape[1] * (own.shape[1] + 1) // 2), np.int32)) for own in elements
        ]
        missing = sum(self._locate(own, slots, used) for own, slots in self._found)
        present = len(self.pattern.keys) - len(self._base.keys)
        if not missing and present <= ROOM * int(np.count_nonzero(used & ~self._fixed)):
            return False
        wanted = symmetric_pattern(self._base.n, list(elements)).keys
        extra = np.setdiff1d(wanted, self._base.keys, assume_unique=True)
        both = np.union1d(extra, self.added)
        self.grow(both if len(both) <= ROOM * len(extra) else extra)
        for own, slots in self._found:
            self._locate(own, slots, np.zeros(len(self.pattern.keys), dtype=np.bool_))
        return True

    @property
    def added(self) -> np.ndarray:
        """Keys of the blocks in addition to the fixed ones: the memory needed to restore the pattern."""
        return self.pattern.keys[~self._fixed]

    def grow(self, keys: np.ndarray) -> None:
        """Set the pattern to the fixed one plus blocks of these keys; the fixed one itself if there are none."""
        if not len(keys):
            self._take(self._base)
            return
        n = max(self._base.n, 1)
        pairs, base = (np.stack([k // n, k % n], axis=1).astype(np.int32) for k in (keys, self._base.keys))
        self._take(symmetric_pattern(self._base.n, [base, pairs]))

    def lay(self, fixed: Array, values: Array) -> None:
        """Entries of a matrix of the fixed pattern, in the current one; all others zero."""
        values[:] = 0.0
        values[self._place] = fixed

    def add(self, elements: Ints, matrices: Array, values: Array) -> None:
        """values += element matrices (m, 3k, 3k) of the last requested elements."""
        slots = next(slots for own, slots in self._found if own is elements)
        add_blocks(elements, self.pattern.row_length, slots, np.ascontiguousarray(matrices), values)

    def _take(self, pattern: SymmetricPattern) -> None:
        n = pattern.n
        self.pattern = pattern
        self._place = _places(self._base, pattern)
        self._fixed = np.isin(pattern.keys, self._base.keys, assume_unique=True)
        # the diagonal block is the first of its row
        self._first = np.append(
            np.searchsorted(pattern.keys, np.arange(n, dtype=np.int64) * (n + 1)), len(pattern.keys)
        )

    def _locate(self, elements: Ints, slots: Ints, used: np.ndarray) -> int:
        p = self.pattern
        return int(locate(elements, p.n, p.keys, self._first, p.indptr, slots, used))


def grown(growth: Growth | None) -> np.ndarray:
    """The checkpoint data of a growth, if there is one."""
    return np.empty(0, np.int64) if growth is None else growth.added


def _places(base: SymmetricPattern, grown: SymmetricPattern) -> np.ndarray:
    """Slot of each entry of the fixed pattern in the grown one."""
    n = max(base.n, 1)
    row, column = base.keys // n, base.keys % n
    old, new = base.slots(row, column).astype(np.int64), grown.slots(row, column).astype(np.int64)
    place = np.empty(base.nnz, dtype=np.int64)
    for r in range(3):
        for c in range(3):
            keep = (row != column) | (c >= r)  # the diagonal block stores its upper half only
            place[_entry(base, old, row, column, r, c)[keep]] = _entry(grown, new, row, column, r, c)[keep]
    return place


def _entry(p: SymmetricPattern, slot: np.ndarray, row: np.ndarray, column: np.ndarray, r: int, c: int) -> np.ndarray:
    """Entry (r, c) of blocks that begin at `slot` (see pattern.py)."""
    length = p.row_length[row].astype(np.int64)
    below = (np.zeros_like(length), length, 2 * length - 1)[r] + c - r
    across = (np.zeros_like(length), length - 1, 2 * length - 3)[r] + c
    return slot + np.where(row == column, below, across)
