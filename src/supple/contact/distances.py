"""Squared distances of pairs alone, for the search: the same as in pairs.py, without what derivatives need.

A point and a triangle are nearest inside of it, or at one of its edges; two edges where both parameters are inside, or with
an end of one of them.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.contact.pairs import POINT_TRIANGLE


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
    if det > 1e-24 * uu * vv:
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
    if det > 1e-20 * uu * vv:
        s, t = (uv * vw - vv * uw) / det, (uu * vw - uv * uw) / det
        if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
            rx, ry, rz = wx + s * ux - t * vx, wy + s * uy - t * vy, wz + s * uz - t * vz
            return rx * rx + ry * ry + rz * rz
    first = min(_to_edge(ax, ay, az, cx, cy, cz, dx, dy, dz), _to_edge(bx, by, bz, cx, cy, cz, dx, dy, dz))
    return min(first, _to_edge(cx, cy, cz, ax, ay, az, bx, by, bz), _to_edge(dx, dy, dz, ax, ay, az, bx, by, bz))


@njit(cache=True, nogil=True)
def squared_distances(kind, x, corners):
    """(m,) D of pairs with these corners (m, 4) of x (n, 3)."""
    out = np.empty(len(corners))
    for e in range(len(corners)):
        a, b, c, d = corners[e, 0], corners[e, 1], corners[e, 2], corners[e, 3]
        out[e] = _point_triangle(x, a, b, c, d) if kind == POINT_TRIANGLE else _edge_edge(x, a, b, c, d)
    return out
