"""The nearest point of a closed surface by a tree of boxes, and the sign of the distance by pseudo-normals.

The side of a surface on which a point lies is the sign of N . (y - c), c the nearest point of the surface: N is the
normal of a triangle, the sum of two normals on an edge, and the angle-weighted sum at a corner (Baerentzen and Aanaes
2005).
"""

from __future__ import annotations

import numpy as np
from numba import njit

FACE, EDGES, CORNERS = 0, 1, 4
"""Features of a triangle: 0 its face, 1 to 3 the edges from corner 0, 1, 2 to the next, 4 to 6 the corners."""
DEPTH = 64
"""Largest size of the stack of tree boxes."""


@njit(cache=True, nogil=True)
def _dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(cache=True, nogil=True)
def _less(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@njit(cache=True, nogil=True)
def _along(a, s, u, t, v):
    """a + s u + t v."""
    return a[0] + s * u[0] + t * v[0], a[1] + s * u[1] + t * v[1], a[2] + s * u[2] + t * v[2]


@njit(cache=True, nogil=True)
def nearest_on(p, a, b, c):
    """Feature of the triangle a, b, c that is nearest to p, and its nearest point (Ericson 2005, section 5.1.5)."""
    ab, ac = _less(b, a), _less(c, a)
    ap, bp, cp = _less(p, a), _less(p, b), _less(p, c)
    d1, d2 = _dot(ab, ap), _dot(ac, ap)
    d3, d4 = _dot(ab, bp), _dot(ac, bp)
    d5, d6 = _dot(ab, cp), _dot(ac, cp)
    if d1 <= 0.0 and d2 <= 0.0:
        return CORNERS, a
    if d3 >= 0.0 and d4 <= d3:
        return CORNERS + 1, b
    if d6 >= 0.0 and d5 <= d6:
        return CORNERS + 2, c
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        return EDGES, _along(a, d1 / (d1 - d3), ab, 0.0, ac)
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        return EDGES + 2, _along(a, 0.0, ab, d2 / (d2 - d6), ac)
    va = d3 * d6 - d5 * d4
    if va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        s = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        return EDGES + 1, _along(b, s, _less(c, b), 0.0, ac)
    whole = va + vb + vc
    return FACE, _along(a, vb / whole, ab, vc / whole, ac)


@njit(cache=True, nogil=True)
def _row(array, k):
    return array[k, 0], array[k, 1], array[k, 2]


@njit(cache=True, nogil=True)
def _to_box(p, box):
    """Square of the distance to a box (6,): lows, then highs."""
    total = 0.0
    for i in range(3):
        beyond = max(box[i] - p[i], 0.0, p[i] - box[3 + i])
        total += beyond * beyond
    return total


@njit(cache=True, nogil=True)
def signed_distances(points, corners, normals, boxes, children, tiny, distance, gradient):
    """Signed distances (m,) of points (m, 3) and their gradients (m, 3).

    corners (f, 3, 3) of triangles and normals (f, 7, 3) of their features, in the order of the tree's leaves; boxes (b, 6);
    children (b, 2): two boxes, or -1 - first and end of the triangles of a leaf. Within `tiny` the gradient is the normal.
    """
    waiting = np.empty(DEPTH, dtype=np.int64)
    for m in range(len(points)):
        p = _row(points, m)
        best, triangle, feature, place = np.inf, 0, 0, p
        waiting[0], count = 0, 1
        while count:
            count -= 1
            b = waiting[count]
            if _to_box(p, boxes[b]) >= best:
                continue
            if children[b, 0] < 0:
                for f in range(-1 - children[b, 0], children[b, 1]):
                    triple = corners[f]
                    which, at = nearest_on(p, _row(triple, 0), _row(triple, 1), _row(triple, 2))
                    away = _less(p, at)
                    square = _dot(away, away)
                    if square < best:
                        best, triangle, feature, place = square, f, which, at
                continue
            near, far = children[b, 0], children[b, 1]
            if _to_box(p, boxes[near]) > _to_box(p, boxes[far]):
                near, far = far, near
            waiting[count], waiting[count + 1] = far, near
            count += 2
        n = _row(normals[triangle], feature)
        away, size = _less(p, place), np.sqrt(best)
        sign = -1.0 if _dot(away, n) < 0.0 else 1.0
        distance[m] = sign * size
        for a in range(3):
            gradient[m, a] = sign * away[a] / size if size > tiny else n[a]
