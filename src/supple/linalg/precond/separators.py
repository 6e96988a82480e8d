"""An order of the rows for eliminating ranges side by side: interiors first, then the rows that separate the ranges.

The number of ranges depends on the size of the matrix alone, so that results have the same bits on any number of threads.
Ranges of the second half are eliminated backwards. So elimination goes from both ends to the middle (twisted factorisation, van
der Vorst 1987). Against one range, two cost up to 3 % more iterations in bars and a cube (14 % if both went forwards), four cost
17 to 19 %.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from supple.types import Ints

ROWS, MOST = 8192, 4
"""Rows of blocks in a range, at least; ranges, at most."""


@dataclass(frozen=True)
class Separated:
    """The upper triangle of a matrix of blocks in the new order."""

    order: np.ndarray
    """Old row of each new one."""
    start: Ints
    column: Ints
    taken: np.ndarray
    """Old block of each new one."""
    turned: np.ndarray
    """New blocks that are transposes of old ones."""
    ranges: list[tuple[int, int]]
    """Interiors; rows of one have columns in it and in the separator."""
    separator: int
    """First row of the separator, which goes up to the last row."""
    touching: np.ndarray
    """Rows of interiors with columns in the separator."""

    def blocks(self, upper: np.ndarray) -> np.ndarray:
        """Blocks (b, 3, 3) of the old order in the new one."""
        found: np.ndarray = upper[self.taken]
        found[self.turned] = found[self.turned].transpose(0, 2, 1)
        return found


def separated(start: Ints, column: Ints) -> Separated:
    """Contiguous ranges; a row with a neighbour in a later range is one of the separator."""
    n = len(start) - 1
    count = max(1, min(MOST, n // ROWS))
    ends = np.array([(k + 1) * n // count for k in range(count)])
    part = np.searchsorted(ends, np.arange(n), side="right")
    # columns ascend, so that the last one of a row is its farthest neighbour
    cut = column[start[1:] - 1] >= ends[part] if n else np.zeros(0, bool)
    rows = np.arange(n)
    backwards = (part >= (count + 1) // 2) & (count > 1) & ~cut
    order = np.lexsort((np.where(backwards, -rows, rows), np.where(cut, count, part)))
    place = np.empty(n, np.int64)
    place[order] = rows
    a, b = place[np.repeat(rows, np.diff(start))], place[column]
    row, col = np.minimum(a, b), np.maximum(a, b)
    taken = np.lexsort((col, row))
    new = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=n))]).astype(np.int32)
    bounds = np.concatenate([[0], np.cumsum(np.bincount(part[~cut], minlength=count))]).tolist()
    separator = int(bounds[-1])
    columns = col[taken].astype(np.int32)
    last = columns[new[1 : separator + 1] - 1]
    return Separated(
        order, new, columns, taken, np.flatnonzero((a > b)[taken]), list(pairwise(bounds)),
        separator, np.flatnonzero(last >= separator),
    )  # fmt: skip
