"""The first two passes of an explicit step: particles to tiles, tiles to nodes.

Gradients of weights are those of moving least squares, w r/D. A node of a tile has eight numbers: momentum, mass, force and one
that is not used. With r = (x_b - x_p) + dx (i, j, k) a particle adds w (m v + m C r) to the momentum and -w (V tau/D) r to the
force: both are a start value and increments along the axes. Sums for the ledger are kept for each block and added up in the order
of blocks.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.materials.kernel import FAST
from supple.points.vector import scatter_cubic, scatter_quadratic

INDEX = np.uintp


@njit(cache=True, nogil=True, **FAST)
def weigh(degree, z, axis, w):
    """First node of one coordinate in cells; its weights go to w[4 * axis:]."""
    a = INDEX(4 * axis)
    if degree == 2:
        b = np.floor(z - 0.5)
        f = z - b
        w[a] = 0.5 * (1.5 - f) * (1.5 - f)
        w[a + INDEX(1)] = 0.75 - (f - 1.0) * (f - 1.0)
        w[a + INDEX(2)] = 0.5 * (f - 0.5) * (f - 0.5)
    else:
        b = np.floor(z) - 1.0
        t = z - b - 1.0
        s = 1.0 - t
        w[a] = s * s * s / 6.0
        w[a + INDEX(1)] = ((3.0 * t - 6.0) * t * t + 4.0) / 6.0
        w[a + INDEX(2)] = (((-3.0 * t + 3.0) * t + 3.0) * t + 1.0) / 6.0
        w[a + INDEX(3)] = t * t * t / 6.0
    return b


@njit(cache=True, nogil=True, **FAST)
def set_box(degree, x, first, last, corner, dx, box):
    """Nodes of the tile that particles first:last reach: box (6,) = low and high of each axis."""
    shift = 0.5 if degree == 2 else 1.0
    for a in range(3):
        low, high = x[first, a], x[first, a]
        for p in range(first, last):
            low, high = min(low, x[p, a]), max(high, x[p, a])
        box[a] = int(np.floor(low / dx - shift)) - corner[a] + 1
        box[3 + a] = int(np.floor(high / dx - shift)) - corner[a] + 2 + degree


@njit(cache=True, nogil=True, **FAST)
def _set_rows(p, r, dx, scale, v, C, tau, mass, volume, rows):
    """Start values and increments of what a particle gives to its nodes; scale = (whether C counts, 1/D)."""
    m = mass[p]
    a, s = scale[0] * m, -scale[1] * volume[p]
    for c in range(3):
        A0, A1, A2 = a * C[p, 3 * c], a * C[p, 3 * c + 1], a * C[p, 3 * c + 2]
        S0, S1, S2 = s * tau[p, 3 * c], s * tau[p, 3 * c + 1], s * tau[p, 3 * c + 2]
        rows[c] = m * v[p, c] + A0 * r[0] + A1 * r[1] + A2 * r[2]
        rows[8 + c], rows[16 + c], rows[24 + c] = dx * A0, dx * A1, dx * A2
        rows[4 + c] = S0 * r[0] + S1 * r[1] + S2 * r[2]
        rows[12 + c], rows[20 + c], rows[28 + c] = dx * S0, dx * S1, dx * S2
    rows[3] = m


@njit(cache=True, nogil=True, **FAST)
def scatter(begin, end, degree, start, clouds, corner, dx, scale, x, v, C, tau, mass, volume, push, boxes, tiles):
    """Tiles (b, T^3, 8) of blocks begin:end. push (n, 3): forces on particles beside their stress, or none (0, 3)."""
    side = 6 + degree
    w, r, rows = np.empty(12), np.empty(3), np.zeros(32)
    pushed = push.shape[0] > 0
    for b in range(begin, end):
        first, last = start[b * clouds], start[(b + 1) * clouds]
        box, tile = boxes[b], tiles[b]
        set_box(degree, x, first, last, corner[b], dx, box)
        for i in range(box[0], box[3]):
            for j in range(box[1], box[4]):
                tile[(i * side + j) * side + box[2] : (i * side + j) * side + box[5], :] = 0.0
        for s in range(first, last):
            p = INDEX(s)
            at = 0
            for a in range(3):
                base = weigh(degree, x[p, a] / dx, a, w)
                r[a] = base * dx - x[p, a]
                at = at * side + int(base) - corner[b, a] + 1
            _set_rows(p, r, dx, scale, v, C, tau, mass, volume, rows)
            if pushed:
                for a in range(3):
                    rows[4 + a] += push[p, a]
            if degree == 2:
                scatter_quadratic(tile, at, w, rows)
            else:
                scatter_cubic(tile, at, w, rows)


@njit(cache=True, nogil=True, **FAST)
def _add_tile(d, side, box, tile, total):
    """total (64, 8) += the nodes of a tile of the block that lies around by number d = 0 ... 26."""
    # a block ahead by e blocks has node i of this block as its node i + 1 - 4 e
    s0, s1, s2 = 5 - 4 * (d // 9), 5 - 4 * (d // 3 % 3), 5 - 4 * (d % 3)
    for i in range(max(0, box[0] - s0), min(4, box[3] - s0)):
        for j in range(max(0, box[1] - s1), min(4, box[4] - s1)):
            for k in range(max(0, box[2] - s2), min(4, box[5] - s2)):
                source = INDEX(((i + s0) * side + j + s1) * side + k + s2)
                node = INDEX((i * 4 + j) * 4 + k)
                for c in range(8):
                    total[node, c] += tile[source, c]


@njit(cache=True, nogil=True, **FAST)
def collect(begin, end, degree, sources, boxes, tiles, h, g, mass, old, new, sums):
    """Masses (64 B,), velocities before and after forces and gravity g in a step of h, of node blocks begin:end.
    sums (B, 3): kinetic energy before, after, and that of the change."""
    total = np.empty((64, 8))
    for block in range(begin, end):
        total[:] = 0.0
        for d in range(27):
            b = sources[block, d]
            if b >= 0:
                _add_tile(d, 6 + degree, boxes[b], tiles[b], total)
        before = after = kick = 0.0
        for node in range(64):
            m = total[node, 3]
            at = INDEX(64 * block + node)
            mass[at] = m
            inverse = 1.0 / m if m > 0.0 else 0.0
            for c in range(3):
                v = total[node, c] * inverse
                dv = h * (total[node, 4 + c] * inverse + g[c]) if m > 0.0 else 0.0
                old[at, c] = v
                new[at, c] = v + dv
                before += m * v * v
                after += m * (v + dv) * (v + dv)
                kick += m * dv * dv
        sums[block, 0], sums[block, 1], sums[block, 2] = 0.5 * before, 0.5 * after, 0.5 * kick
