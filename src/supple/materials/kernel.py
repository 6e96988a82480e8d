"""Data layout between laws and element loops: batches of elements, lane innermost.

A batch holds LANES elements. Deformation gradients are one flat array, entry ij = 3 i + j of lane l at
`F[ij * LANES + l]`, so every formula is a loop over lanes that the compiler vectorises. Tangents are symmetric 9x9 matrices: only
the entries with row <= column are stored, at `pair(row, column) * LANES + l`. Constants of a batch have the same
layout, constant k of lane l at `constants[k * LANES + l]`.
"""

from __future__ import annotations

from typing import Any

from numba import njit

LANES = 16

FAST: dict[str, Any] = {"fastmath": {"nsz"}}
"""Signed zeros do not matter. Contraction into fused multiply-adds stays off: the choice of fused products would
depend on inlining. Code compiled in this process would differ in the last bits from the same code in the cache."""


@njit(cache=True, nogil=True, inline="always")
def pair(row, column):
    """Index of entry (row, column), row <= column, in the packed upper half of a 9x9 matrix."""
    return row * 9 - row * (row - 1) // 2 + column - row


@njit(cache=True, nogil=True)
def unpack(C, out, lane):
    """The full 9x9 matrix of one lane."""
    for r in range(9):
        for c in range(r, 9):
            out[r, c] = C[pair(r, c) * LANES + lane]
            out[c, r] = out[r, c]


@njit(cache=True, nogil=True)
def batch(chosen, start, ids):
    """Element indices of a batch; lanes beyond the end repeat the last one. Returns the number of distinct elements."""
    last = chosen.size - 1
    for q in range(LANES):
        ids[q] = chosen[min(start + q, last)]
    return min(LANES, chosen.size - start)


@njit(cache=True, nogil=True)
def gather(table, ids, constants):
    """constants (c * LANES) of a batch, from a table (m, c) of all elements."""
    for q in range(LANES):
        for k in range(table.shape[1]):
            constants[k * LANES + q] = table[ids[q], k]
