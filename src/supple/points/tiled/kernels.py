"""Loops over the particles of a block, for fields at the nodes of a `Grid`; see tiles.py."""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.materials.kernel import FAST
from supple.points.kernels import origin_of
from supple.points.vector.intrinsics import give_cubic, give_quadratic, see_cubic, see_quadratic

INDEX = np.uintp


@njit(cache=True, nogil=True, **FAST)
def fill_nodes(nodes, field, tile):
    """tile (T^3, 4) = field (N, 3) at the nodes (T^3,) of a tile, where negative entries mark missing nodes."""
    for s in range(INDEX(nodes.size)):
        i = nodes[s]
        if i >= 0:
            at = INDEX(i)
            tile[s, 0], tile[s, 1], tile[s, 2] = field[at, 0], field[at, 1], field[at, 2]
        else:
            tile[s, 0] = tile[s, 1] = tile[s, 2] = 0.0


@njit(cache=True, nogil=True, **FAST)
def look(degree, tile, offset, p, numbers, x, seen):
    if degree == 2:
        see_quadratic(tile, offset, p, numbers, x, seen)
    else:
        see_cubic(tile, offset, p, numbers, x, seen)


@njit(cache=True, nogil=True, **FAST)
def give(degree, tile, offset, p, q, t, numbers, x, values, columns):
    if degree == 2:
        give_quadratic(tile, offset, p, q, t, numbers, x, values, columns)
    else:
        give_cubic(tile, offset, p, q, t, numbers, x, values, columns)


@njit(cache=True, nogil=True, **FAST)
def seen_part(begin, end, degree, start, corner, nodes, numbers, x, field, out):
    """out (n, 16) = interpolation of a field (N, 3) to particles of blocks begin:end: the mean, and the columns of B."""
    tile, seen = np.zeros((nodes.shape[1], 4)), np.empty(16)
    for b in range(begin, end):
        fill_nodes(nodes[b], field, tile)
        offset = origin_of(degree, corner[b])
        for s in range(start[b], start[b + 1]):
            p = INDEX(s)
            look(degree, tile, offset, p, numbers, x, seen)
            for c in range(INDEX(16)):
                out[p, c] = seen[c]


@njit(cache=True, nogil=True, **FAST)
def given_part(begin, end, degree, start, corner, numbers, x, values, columns, tiles):
    """tiles (b, T^3, 4) = sum of w (values + columns r/dx) of blocks begin:end; values (n, 4), columns (n, 9) or one row."""
    slanted = INDEX(columns.shape[0] == x.shape[0])
    for b in range(begin, end):
        tile = tiles[b]
        tile[:] = 0.0
        offset = origin_of(degree, corner[b])
        for s in range(start[b], start[b + 1]):
            p = INDEX(s)
            give(degree, tile, offset, p, p, p * slanted, numbers, x, values, columns)


@njit(cache=True, nogil=True, **FAST)
def summed_part(begin, end, slot_start, slots, tiles, out):
    """out (N, c) = sums of tiles (b T^3, 4 or 8) at nodes begin:end, in the order of blocks."""
    total = np.empty(8)
    for i in range(begin, end):
        total[:] = 0.0
        for s in range(slot_start[i], slot_start[i + 1]):
            at = INDEX(slots[s])
            for c in range(INDEX(4)):
                total[c] += tiles[at, c]
            if tiles.shape[1] == 8:
                for c in range(INDEX(4), INDEX(8)):
                    total[c] += tiles[at, c]
        for c in range(out.shape[1]):
            out[i, c] = total[c]
