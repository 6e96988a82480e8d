"""Squared distances of pairs alone, for the search: the same as in pairs.py, without data for derivatives.

A point and a triangle are closest inside it, or at one of its edges; two edges where both parameters are inside, or at
an end of one of them.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.contact.surfaces.pairs import ALIKE, POINT_TRIANGLE


@njit(cache=True, nogil=True, inline="always")
def _to_edge(px, py, pz, ax, ay, az, bx, by, bz):
    """Point p and edge (a, b)."""
    ex, ey, ez, dx, dy, dz = bx - ax, by - ay, bz - az, px - ax, py - ay, pz - az
    length = ex * ex + ey * ey + ez * ez
    s = (dx * ex + dy * ey + dz * ez) / length if length > 0.0 else 0.0
    s = min(max(s, 0.0), 1.0)
    rx, ry, rz = dx - s * ex, dy - s * ey, dz - s * ez
    return rx * rx + ry * ry + rz * rz


@njit(cache=True, nogil=True)
def _point_triangle(x, p, a, b, c):
    px, py, pz = x[p, 0], x[p, 1], x[p, 2]
    ax, ay, az = x[a, 0], x[a, 1], x[a, 2]
    bx, by, bz = x[b, 0], x[b, 1], x[b, 2]
    cx, cy, cz = x[c, 0], x[c, 1], x[c, 2]
    ux, uy, uz, vx, vy, vz = bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az
    dx, dy, dz = px - ax, py - ay, pz - az
    uu, uv, vv = ux * ux + uy * uy + uz * uz, ux * vx + uy * vy + uz * vz, vx * vx + vy * vy + vz * vz
    du, dv = dx * ux + dy * uy + dz * uz, dx * vx + dy * vy + dz * vz
    det = uu * vv - uv * uv
    if det > ALIKE * uu * vv:
        s, t = (vv * du - uv * dv) / det, (uu * dv - uv * du) / det
        if s >= 0.0 and t >= 0.0 and s + t <= 1.0:
            rx, ry, rz = dx - s * ux - t * vx, dy - s * uy - t * vy, dz - s * uz - t * vz
            return rx * rx + ry * ry + rz * rz
    first = _to_edge(px, py, pz, ax, ay, az, bx, by, bz)
    second = _to_edge(px, py, pz, bx, by, bz, cx, cy, cz)
    return min(first, second, _to_edge(px, py, pz, cx, cy, cz, ax, ay, az))


@njit(cache=True, nogil=True)
def _edge_edge(x, a, b, c, d):
    ax, ay, az = x[a, 0], x[a, 1], x[a, 2]
    bx, by, bz = x[b, 0], x[b, 1], x[b, 2]
    cx, cy, cz = x[c, 0], x[c, 1], x[c, 2]
    dx, dy, dz = x[d, 0], x[d, 1], x[d, 2]
    ux, uy, uz, vx, vy, vz = bx - ax, by - ay, bz - az, dx - cx, dy - cy, dz - cz
    wx, wy, wz = ax - cx, ay - cy, az - cz
    uu, uv, vv = ux * ux + uy * uy + uz * uz, ux * vx + uy * vy + uz * vz, vx * vx + vy * vy + vz * vz
    uw, vw = ux * wx + uy * wy + uz * wz, vx * wx + vy * wy + vz * wz
    det = uu * vv - uv * uv
    if det > ALIKE * uu * vv:
        s = (uv * vw - vv * uw) / det
        t = (vw + s * uv) / vv  # nearest to s, even if s is inaccurate
        if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
            rx, ry, rz = wx + s * ux - t * vx, wy + s * uy - t * vy, wz + s * uz - t * vz
            return rx * rx + ry * ry + rz * rz
    first = min(_to_edge(ax, ay, az, cx, cy, cz, dx, dy, dz), _to_edge(bx, by, bz, cx, cy, cz, dx, dy, dz))
    return min(first, _to_edge(cx, cy, cz, ax, ay, az, bx, by, bz), _to_edge(dx, dy, dz, ax, ay, az, bx, by, bz))


@njit(cache=True, nogil=True, inline="always")
def squared_distance(kind, x, corners):
    """D of the pair with these corners (4,) of x (n, 3)."""
    a, b, c, d = corners[0], corners[1], corners[2], corners[3]
    return _point_triangle(x, a, b, c, d) if kind == POINT_TRIANGLE else _edge_edge(x, a, b, c, d)


@njit(cache=True, nogil=True)
def squared_distances(kind, x, corners):
    """(m,) D of pairs with these corners (m, 4) of x (n, 3)."""
    out = np.empty(len(corners))
    for e in range(len(corners)):
        out[e] = squared_distance(kind, x, corners[e])
    return out


@njit(cache=True, nogil=True)
def nearer(kind, x, corners, offset, gaps, certain, reach):
    """Indices of the pairs whose gap, the distance less the offset, is below `reach` at x, ascending. Pairs with `gaps`
    of at least `certain` are excluded in advance."""
    found, count = np.empty(len(corners), dtype=np.int64), 0
    for e in range(len(corners)):
        if gaps[e] < certain and squared_distance(kind, x, corners[e]) < (reach + offset[e]) ** 2:
            found[count] = e
            count += 1
    return found[:count]


@njit(cache=True, nogil=True)
def near_pairs(kind, y, first, second, pairs, thickness, reach):
    """The pairs (p, 2) of elements `first` (., j) and `second` (., 4 - j) whose gap is below `reach` at y (s, 3), and
    these gaps; thickness (s,) of the body of each vertex."""
    kept, gaps, count = np.empty_like(pairs), np.empty(len(pairs)), 0
    corners, split = np.empty(4, dtype=np.int64), first.shape[1]
    for e in range(len(pairs)):
        for a in range(4):
            corners[a] = first[pairs[e, 0], a] if a < split else second[pairs[e, 1], a - split]
        gap = np.sqrt(squared_distance(kind, y, corners)) - 0.5 * (thickness[corners[0]] + thickness[corners[split]])
        if gap < reach:
            kept[count], gaps[count] = pairs[e], gap
            count += 1
    return kept[:count], gaps[:count]


@njit(cache=True, nogil=True)
def farthest(x, rows, centre):
    """Largest distance of the rows of x (n, 3) from the rows of `centre` (s, 3); NaN if there is one."""
    best = 0.0
    for s in range(len(rows)):
        a, b, c = x[rows[s], 0] - centre[s, 0], x[rows[s], 1] - centre[s, 1], x[rows[s], 2] - centre[s, 2]
        square = a * a + b * b + c * c
        if not square <= best:
            best = square
    return np.sqrt(best)
