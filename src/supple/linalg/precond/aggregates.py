"""Set-up of smoothed aggregation: nodes grouped into aggregates, and the rigid-body modes of each as coarse unknowns.

The coarse space contains translations and rotations of each aggregate (Vanek, Mandel and Brezina 1996), so a coarse
correction moves parts of the body without straining them.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.types import Array, Ints

MODES = 6


@njit(cache=True, nogil=True)
def strong(start, column, data, threshold, kept):
    """Mark the couplings |A_ij|^2 > threshold^2 |A_ii| |A_jj| of blocks, in the Frobenius norm."""
    n = start.size - 1
    size = np.zeros(n)
    for i in range(n):
        for b in range(start[i], start[i + 1]):
            if column[b] == i:
                size[i] = np.sqrt((data[b] * data[b]).sum())
    for i in range(n):
        for b in range(start[i], start[i + 1]):
            j = column[b]
            kept[b] = j != i and (data[b] * data[b]).sum() > threshold * threshold * size[i] * size[j]


@njit(cache=True, nogil=True)
def aggregate(start, column, kept, out):
    """Aggregate index of each node, and the number of aggregates.

    First, whole neighbourhoods of unassigned nodes become aggregates. Then nodes beside an aggregate join it. Finally,
    the remaining nodes group around the first of them.
    """
    n = start.size - 1
    out[:] = -1
    count = 0
    for i in range(n):
        free = out[i] < 0
        for b in range(start[i], start[i + 1]):
            if kept[b] and out[column[b]] >= 0:
                free = False
        if free:
            out[i] = count
            for b in range(start[i], start[i + 1]):
                if kept[b]:
                    out[column[b]] = count
            count += 1
    joined = np.full(n, -1, np.int32)
    for i in range(n):
        if out[i] < 0:
            for b in range(start[i], start[i + 1]):
                if kept[b] and out[column[b]] >= 0:
                    joined[i] = out[column[b]]
                    break
    for i in range(n):
        if joined[i] >= 0:
            out[i] = joined[i]
    for i in range(n):
        if out[i] < 0:
            out[i] = count
            for b in range(start[i], start[i + 1]):
                if kept[b] and out[column[b]] < 0:
                    out[column[b]] = count
            count += 1
    return count


@njit(cache=True, nogil=True)
def orthonormal(first, member, modes, tentative, coarse):
    """Modes (n, k, 6) of the nodes of each aggregate as orthonormal columns (n, k, 6), and their coefficients (m, 6,
    6). Columns that depend on earlier ones are zero: a single node has no rotation."""
    k = modes.shape[1]
    for a in range(first.size - 1):
        nodes = member[first[a] : first[a + 1]]
        for c in range(MODES):
            before = 0.0
            for i in nodes:
                for r in range(k):
                    tentative[i, r, c] = modes[i, r, c]
                    before += modes[i, r, c] ** 2
            for _ in range(2):  # twice is enough
                for p in range(c):
                    along = 0.0
                    for i in nodes:
                        for r in range(k):
                            along += tentative[i, r, p] * tentative[i, r, c]
                    coarse[a, p, c] += along
                    for i in nodes:
                        for r in range(k):
                            tentative[i, r, c] -= along * tentative[i, r, p]
            after = 0.0
            for i in nodes:
                for r in range(k):
                    after += tentative[i, r, c] ** 2
            length = np.sqrt(after) if after > 1e-16 * before else 0.0
            coarse[a, c, c] = length
            for i in nodes:
                for r in range(k):
                    tentative[i, r, c] = tentative[i, r, c] / length if length else 0.0


def rigid_modes(places: Array) -> Array:
    """(n, 3, 6) translations and rotations of vertices, about their mean and in units of their spread."""
    centred = places - places.mean(axis=0)
    x, y, z = (centred / max(float(np.abs(centred).max(initial=0.0)), 1e-300)).T
    modes = np.zeros((len(places), 3, MODES))
    modes[:, [0, 1, 2], [0, 1, 2]] = 1.0
    modes[:, 0, 3], modes[:, 1, 3] = -y, x
    modes[:, 1, 4], modes[:, 2, 4] = -z, y
    modes[:, 2, 5], modes[:, 0, 5] = -x, z
    return modes


def gathered(number: Ints, count: int) -> tuple[Ints, Ints]:
    """Start of each aggregate's members, and the members."""
    first = np.concatenate([[0], np.cumsum(np.bincount(number, minlength=count))])
    return first.astype(np.int32), np.argsort(number, kind="stable").astype(np.int32)
