"""The first two passes of an explicit step: particles to tiles, tiles to nodes.

Gradients of weights are those of moving least squares, w r/D. A node of a tile has eight values: momentum, mass, force
and an unused one. A particle adds w (m v + m C r) to the momentum and -w (V tau/D) r to the force: both are a start
value and increments along the axes. Sums for the ledger are kept per block and added in the order of blocks.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.materials.kernel import FAST
from supple.points.vector.intrinsics import leave_cubic, leave_quadratic

INDEX = np.uintp


@njit(cache=True, nogil=True, **FAST)
def set_box(degree, low, high, corner, dx, box):
    """Nodes of a tile that particles between low (3,) and high reach: box (6,) = low and high of each axis."""
    shift = 0.5 if degree == 2 else 1.0
    for a in range(3):
        box[a] = int(np.floor(low[a] * (1.0 / dx) - shift)) - corner[a] + 1
        box[3 + a] = int(np.floor(high[a] * (1.0 / dx) - shift)) - corner[a] + 2 + degree


@njit(cache=True, nogil=True)
def set_boxes(degree, start, clouds, corner, dx, x, boxes):
    """Boxes (b, 6) of all blocks."""
    low, high = np.empty(3), np.empty(3)
    for b in range(boxes.shape[0]):
        first, last = start[b * clouds], start[(b + 1) * clouds]
        for a in range(3):
            low[a] = high[a] = x[first, a]
            for p in range(first, last):
                low[a], high[a] = min(low[a], x[p, a]), max(high[a], x[p, a])
        set_box(degree, low, high, corner[b], dx, boxes[b])


@njit(cache=True, nogil=True)
def origin_of(degree, corner):
    """The index of the origin node in the tile of a block that begins at cell `corner` (3,)."""
    side = 6 + degree
    return ((1 - corner[0]) * side + 1 - corner[1]) * side + 1 - corner[2]


@njit(cache=True, nogil=True, **FAST)
def scatter(
    begin, end, degree, start, clouds, corner, numbers, x, v, C, tau, thick, mass, volume, push, boxes, tiles
):  # fmt: skip
    """Tiles (b, T^3, 8) of blocks begin:end; `numbers` as in vector/particle.py. push (n, 3): forces on particles other
    than their stress, and thick (n, 9): their viscous stress; one row of zeros if there are none."""
    side = 6 + degree
    pushed, viscous = INDEX(push.shape[0] == x.shape[0]), INDEX(thick.shape[0] == x.shape[0])
    for b in range(begin, end):
        box, tile = boxes[b], tiles[b]
        for i in range(box[0], box[3]):
            for j in range(box[1], box[4]):
                tile[(i * side + j) * side + box[2] : (i * side + j) * side + box[5], :] = 0.0
        offset = origin_of(degree, corner[b])
        for s in range(start[b * clouds], start[(b + 1) * clouds]):
            p = INDEX(s)
            q, t = p * pushed, p * viscous
            if degree == 2:
                leave_quadratic(tile, offset, p, q, t, numbers, x, v, C, tau, thick, mass, volume, push)
            else:
                leave_cubic(tile, offset, p, q, t, numbers, x, v, C, tau, thick, mass, volume, push)


@njit(cache=True, nogil=True, **FAST)
def _add_tile(d, side, box, tile, total):
    """total (512,) += the nodes of a tile (8 T^3,) of the neighbouring block with index d = 0 ... 26."""
    # a block ahead by e blocks has node i of this block as its node i + 1 - 4 e
    s0, s1, s2 = 5 - 4 * (d // 9), 5 - 4 * (d // 3 % 3), 5 - 4 * (d % 3)
    low, high = max(0, box[2] - s2), min(4, box[5] - s2)
    for i in range(max(0, box[0] - s0), min(4, box[3] - s0)):
        for j in range(max(0, box[1] - s1), min(4, box[4] - s1)):
            source = INDEX(8 * (((i + s0) * side + j + s1) * side + low + s2))
            node = INDEX(8 * ((i * 4 + j) * 4 + low))
            for c in range(INDEX(8 * max(0, high - low))):
                total[node + c] += tile[source + c]


@njit(cache=True, nogil=True, **FAST)
def collect(begin, end, degree, sources, boxes, tiles, h, g, mass, old, new, sums):
    """Masses (64 B,), velocities (64 B, 4) before and after forces and gravity g in a step of h, of node blocks begin:end.
    sums (B, 3): kinetic energy before, after, and of the change."""
    total = np.empty(512)
    flat = tiles.reshape((tiles.shape[0], -1))
    for block in range(begin, end):
        total[:] = 0.0
        for d in range(27):
            b = sources[block, d]
            if b >= 0:
                _add_tile(d, 6 + degree, boxes[b], flat[b], total)
        before = after = kick = 0.0
        for node in range(64):
            at, first = INDEX(64 * block + node), INDEX(8 * node)
            m = total[first + INDEX(3)]
            mass[at] = m
            there = m > 0.0
            inverse = 1.0 / m if there else 0.0
            step = h if there else 0.0
            for c in range(INDEX(3)):
                v = total[first + c] * inverse
                dv = step * (total[first + INDEX(4) + c] * inverse + g[c])
                old[at, c] = v
                new[at, c] = v + dv
                before += m * v * v
                after += m * (v + dv) * (v + dv)
                kick += m * dv * dv
        sums[block, 0], sums[block, 1], sums[block, 2] = 0.5 * before, 0.5 * after, 0.5 * kick
