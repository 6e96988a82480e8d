"""Rows of one list of pairs that another does not have, by a table of hashes: the union of two lists in linear time."""

from __future__ import annotations

import numpy as np
from numba import njit

MIXED = np.int64(0x9E3779B97F4A7C1)
"""An odd multiplier without a pattern in its bits."""


@njit(cache=True, nogil=True, inline="always")
def _place(row, mask):
    """Start of the search for a row."""
    key = np.int64(0)
    for a in range(4):
        key = (key ^ np.int64(row[a])) * MIXED
        key ^= key >> np.int64(29)
    return key & mask


@njit(cache=True, nogil=True, inline="always")
def _same(a, b):
    return a[0] == b[0] and a[1] == b[1] and a[2] == b[2] and a[3] == b[3]


@njit(cache=True, nogil=True)
def missing(known, rows):
    """Indices of the rows (m, 4) that are not among the known ones (k, 4), ascending."""
    size = 4
    while size < 2 * len(known):
        size *= 2
    table, mask = np.full(size, -1, dtype=np.int64), np.int64(size - 1)
    for e in range(len(known)):
        place = _place(known[e], mask)
        while table[place] >= 0:
            place = (place + 1) & mask
        table[place] = e
    out, count = np.empty(len(rows), dtype=np.int64), 0
    for e in range(len(rows)):
        place = _place(rows[e], mask)
        while table[place] >= 0 and not _same(known[table[place]], rows[e]):
            place = (place + 1) & mask
        if table[place] < 0:
            out[count] = e
            count += 1
    return out[:count]
