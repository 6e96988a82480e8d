"""Exact volume of the intersection of two tets: one tet is clipped by the four faces of the other.

The inside of the second tet is the set where all four of its barycentric coordinates are positive, so clipping needs
no planes. The part with coordinate i >= 0 is kept, and new corners are interpolated linearly. With one, two or three
corners inside, the remainder is a tet, a wedge or a truncated tet; the latter two are split into three tets. Four
cuts leave at most 81 pieces. The determinant of the coordinates is the volume of a piece relative to the second tet.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.types import Array, Ints

PIECES = 82
"""Maximum number of tets after four cuts, plus one as scratch."""


@njit(cache=True, nogil=True)
def barycentric(point: Array, corner: Array, inverse: Array, out: Array) -> None:
    """Coordinates (4,) of a point in the tet with this first corner and inverse of its edge matrix."""
    rest = 1.0
    for a in range(3):
        value = 0.0
        for i in range(3):
            value += inverse[a, i] * (point[i] - corner[i])
        out[a + 1] = value
        rest -= value
    out[0] = rest


@njit(cache=True, nogil=True)
def _between(p: Array, q: Array, axis: int, out: Array) -> None:
    """Point on the line from p to q at which the coordinate of an axis is 0."""
    t = p[axis] / (p[axis] - q[axis])
    for i in range(4):
        out[i] = p[i] + t * (q[i] - p[i])
    out[axis] = 0.0


@njit(cache=True, nogil=True)
def _add(pieces: Array, count: int, a: Array, b: Array, c: Array, d: Array) -> int:
    for i in range(4):
        pieces[count, 0, i], pieces[count, 1, i], pieces[count, 2, i], pieces[count, 3, i] = a[i], b[i], c[i], d[i]
    return count + 1


@njit(cache=True, nogil=True)
def _cut(piece: Array, axis: int, kept: Array, count: int, work: Array) -> int:
    """Add the part of a piece with a positive coordinate; returns the new count."""
    inside, outside = np.empty(4, np.int64), np.empty(4, np.int64)
    n = m = 0
    for a in range(4):
        if piece[a, axis] >= 0.0:
            inside[n] = a
            n += 1
        else:
            outside[m] = a
            m += 1
    if n == 0:
        return count
    if n == 4:
        return _add(kept, count, piece[0], piece[1], piece[2], piece[3])
    if n == 1:
        a = piece[inside[0]]
        for k in range(3):
            _between(a, piece[outside[k]], axis, work[k])
        return _add(kept, count, a, work[0], work[1], work[2])
    if n == 3:
        d = piece[outside[0]]
        for k in range(3):
            _between(piece[inside[k]], d, axis, work[k])
        a, b, c = piece[inside[0]], piece[inside[1]], piece[inside[2]]
        count = _add(kept, count, a, b, c, work[0])
        count = _add(kept, count, b, c, work[0], work[1])
        return _add(kept, count, c, work[0], work[1], work[2])
    a, b, c, d = piece[inside[0]], piece[inside[1]], piece[outside[0]], piece[outside[1]]
    _between(a, c, axis, work[0])
    _between(a, d, axis, work[1])
    _between(b, c, axis, work[2])
    _between(b, d, axis, work[3])
    # the wedge between the triangles (a, ac, ad) and (b, bc, bd)
    count = _add(kept, count, a, work[0], work[1], b)
    count = _add(kept, count, work[0], work[1], b, work[2])
    return _add(kept, count, work[1], b, work[2], work[3])


@njit(cache=True, nogil=True)
def _size(piece: Array) -> float:
    """Volume of a piece relative to the tet of these barycentric coordinates."""
    a = np.empty((3, 3))
    for r in range(3):
        for i in range(3):
            a[r, i] = piece[r + 1, i + 1] - piece[0, i + 1]
    det = a[0, 0] * (a[1, 1] * a[2, 2] - a[1, 2] * a[2, 1])
    det -= a[0, 1] * (a[1, 0] * a[2, 2] - a[1, 2] * a[2, 0])
    det += a[0, 2] * (a[1, 0] * a[2, 1] - a[1, 1] * a[2, 0])
    return abs(det)


@njit(cache=True, nogil=True)
def shared(corners: Array, first: Array, inverse: Array, old: Array, new: Array, work: Array) -> float:
    """Volume of the part of the tet with these corners (4, 3) inside another tet, relative to the other.

    `old` and `new` are scratch of PIECES tets (., 4, 4), `work` (4, 4).
    """
    for a in range(4):
        barycentric(corners[a], first, inverse, old[0, a])
    count = 1
    for axis in range(4):
        left = 0
        for k in range(count):
            left = _cut(old[k], axis, new, left, work)
        for k in range(left):
            for a in range(4):
                for i in range(4):
                    old[k, a, i] = new[k, a, i]
        count = left
        if count == 0:
            return 0.0
    total = 0.0
    for k in range(count):
        total += _size(old[k])
    return total


@njit(cache=True, nogil=True)
def all_shared(
    boxes: Array,
    vertices: Array,
    tets: Ints,
    other_boxes: Array,
    first: Array,
    inverse: Array,
    index: tuple,
    least: float,
) -> tuple:
    """Pairs of tets that share more than `least` of the smaller bounding box, with the shared fraction of the other tet.

    `index` = (low, cell size, counts per axis, start, members): a grid of cells with the other tets in each cell.
    """
    low, size, shape, start, members = index
    room = 4 * len(tets) + 64
    mine, others, parts = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room)
    seen = np.full(len(first), -1, np.int64)
    old, new, work, corners = np.empty((PIECES, 4, 4)), np.empty((PIECES, 4, 4)), np.empty((4, 4)), np.empty((4, 3))
    lo, hi = np.empty(3, np.int64), np.empty(3, np.int64)
    count = 0
    for e in range(len(tets)):
        for i in range(3):
            lo[i] = min(max(int((boxes[e, 0, i] - low[i]) // size[i]), 0), shape[i] - 1)
            hi[i] = min(max(int((boxes[e, 1, i] - low[i]) // size[i]), 0), shape[i] - 1)
            for a in range(4):
                corners[a, i] = vertices[tets[e, a], i]
        for i in range(lo[0], hi[0] + 1):
            for j in range(lo[1], hi[1] + 1):
                for k in range(lo[2], hi[2] + 1):
                    cell = (i * shape[1] + j) * shape[2] + k
                    for at in range(start[cell], start[cell + 1]):
                        q = members[at]
                        if seen[q] == e or not _meet(boxes[e], other_boxes[q]):
                            continue
                        seen[q] = e
                        part = shared(corners, first[q], inverse[q], old, new, work)
                        if part > least:
                            if count == room:
                                room *= 2
                                mine, others, parts = _grown(mine, room), _grown(others, room), _grown(parts, room)
                            mine[count], others[count], parts[count] = e, q, part
                            count += 1
    return mine[:count].copy(), others[:count].copy(), parts[:count].copy()


@njit(cache=True, nogil=True)
def _meet(a: Array, b: Array) -> bool:
    gap = -1.0
    for i in range(3):
        gap = max(gap, a[0, i] - b[1, i], b[0, i] - a[1, i])
    return gap <= 0.0


@njit(cache=True, nogil=True)
def _grown(array: np.ndarray, room: int) -> np.ndarray:
    out = np.empty(room, array.dtype)
    out[: len(array)] = array
    return out
