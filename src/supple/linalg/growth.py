"""A fixed pattern to which blocks come and go: contact couples vertices that no element joins.

Analysing a pattern anew costs a part of a factorisation, carrying many zeros along costs more: so the blocks that were
needed stay as long as they are not many more than those that are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from supple.linalg.pattern import SymmetricPattern, symmetric_pattern
from supple.linalg.scatter import add_hessians
from supple.types import Array, Ints

ROOM = 2.0
"""How many times the blocks that are needed may be kept."""


class Growth:
    """`pattern` covers the fixed one and all blocks of the elements that were asked for last."""

    def __init__(self, base: SymmetricPattern) -> None:
        self._base = base
        self.pattern = base
        self._place = np.arange(base.nnz)

    def cover(self, elements: Sequence[Ints]) -> bool:
        """Make room for elements (m, k) of unknown numbers (-1: held); says whether the pattern is another one now."""
        wanted = symmetric_pattern(self._base.n, list(elements)).keys
        extra = np.setdiff1d(wanted, self._base.keys, assume_unique=True)
        present = np.setdiff1d(self.pattern.keys, self._base.keys, assume_unique=True)
        covered = np.isin(extra, present, assume_unique=True).all()
        if covered and len(present) <= ROOM * len(extra):
            return False
        both = np.union1d(extra, present)
        keys = both if len(both) <= ROOM * len(extra) else extra
        n = max(self._base.n, 1)
        pairs = np.stack([keys // n, keys % n], axis=1).astype(np.int32)
        base = np.stack([self._base.keys // n, self._base.keys % n], axis=1).astype(np.int32)
        self.pattern = symmetric_pattern(self._base.n, [base, pairs])
        self._place = _places(self._base, self.pattern)
        return True

    def lay(self, fixed: Array, values: Array) -> None:
        """Entries of a matrix of the fixed pattern, in the present one; all others zero."""
        values[:] = 0.0
        values[self._place] = fixed

    def add(self, elements: Ints, matrices: Array, values: Array) -> None:
        """values += element matrices (m, 3k, 3k)."""
        m, n = len(elements), self.pattern.n
        add_hessians(
            np.zeros(n, np.int32), np.array([0, m], np.int32), np.arange(m, dtype=np.int32), np.maximum(elements, 0),
            np.arange(n, dtype=np.int32), self.pattern.row_length, self.pattern.element_slots(elements),
            np.ascontiguousarray(matrices), values,
        )  # fmt: skip


def _places(base: SymmetricPattern, grown: SymmetricPattern) -> np.ndarray:
    """Where each entry of the fixed pattern stands in the grown one."""
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
