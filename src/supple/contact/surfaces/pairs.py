"""Squared distances of point-triangle and edge-edge pairs with first and second derivatives, one pair at a time.

A pair has four corners x_0..x_3; the vector between its closest points is r = sum_a c_a x_a with
    point-triangle:  c = (1, -(1 - s - t), -s, -t)        edge-edge:  c = (1 - s, s, -(1 - t), -t)
and s, t clamped to the triangle or the edges. Where parameters u are free, c = c_0 + S u, and D(x) = min_u |r|^2 has
    D' = 2 c (x) r,    D'' = 2 c c^T (x) I - D_xu D_uu^-1 D_ux,    D_xu = 2 (S_k (x) r + c (x) e_k),  D_uu = 2 e_k . e_l
with e_k = sum_a S_ak x_a: the closest points move with the corners.

Nearly parallel edges have no unique closest points; their energy is multiplied by m(z) = z (2 - z), z = |e_1 x e_2|^2 /
threshold, 1 above it (Li et al. 2020).
"""

from __future__ import annotations

import numpy as np
from numba import njit

POINT_TRIANGLE, EDGE_EDGE = 0, 1
ALIKE = 1e-14
"""Squared sine of the angle below which the difference of two products is meaningless: closest points of such nearly
parallel edges are searched at their ends."""


@njit(cache=True, nogil=True)
def _dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(cache=True, nogil=True, inline="always")
def _along(x, p, a, b):
    """Parameter of the point of edge (a, b) that is nearest to corner p, clamped to the edge, and its squared distance."""
    length = along = 0.0
    for i in range(3):
        e = x[b, i] - x[a, i]
        length += e * e
        along += (x[p, i] - x[a, i]) * e
    s = along / length if length > 0.0 else 0.0
    s = min(max(s, 0.0), 1.0)
    squared = 0.0
    for i in range(3):
        r = x[p, i] - (1.0 - s) * x[a, i] - s * x[b, i]
        squared += r * r
    return s, squared


@njit(cache=True, nogil=True, inline="always")
def _on_edge(p, sign, a, b, s, c, S):
    """c and S of corner p and the point s of edge (a, b); returns the number of free parameters."""
    c[p], c[a], c[b] = sign, -sign * (1.0 - s), -sign * s
    if s <= 0.0 or s >= 1.0:
        return 0
    S[a, 0], S[b, 0] = sign, -sign
    return 1


@njit(cache=True, nogil=True)
def _point_triangle(x, c, S):
    """Coefficients c and directions S of a point (corner 0) and a triangle (1, 2, 3); returns the free parameters."""
    c[:], S[:] = 0.0, 0.0
    a11 = a12 = a22 = b1 = b2 = 0.0
    for i in range(3):
        e1, e2, d = x[2, i] - x[1, i], x[3, i] - x[1, i], x[0, i] - x[1, i]
        a11, a12, a22 = a11 + e1 * e1, a12 + e1 * e2, a22 + e2 * e2
        b1, b2 = b1 + d * e1, b2 + d * e2
    det = a11 * a22 - a12 * a12
    if det > ALIKE * a11 * a22:
        s, t = (a22 * b1 - a12 * b2) / det, (a11 * b2 - a12 * b1) / det
        if s >= 0.0 and t >= 0.0 and s + t <= 1.0:
            c[0], c[1], c[2], c[3] = 1.0, s + t - 1.0, -s, -t
            S[1, 0], S[2, 0] = 1.0, -1.0
            S[1, 1], S[3, 1] = 1.0, -1.0
            return 2
    best, side, place = np.inf, 0, 0.0
    for k in range(3):
        s, squared = _along(x, 0, 1 + k, 1 + (k + 1) % 3)
        if squared < best:
            best, side, place = squared, k, s
    return _on_edge(0, 1.0, 1 + side, 1 + (side + 1) % 3, place, c, S)


@njit(cache=True, nogil=True)
def _edge_edge(x, c, S):
    """The same for edges (0, 1) and (2, 3)."""
    c[:], S[:] = 0.0, 0.0
    a = b = g = d = e = 0.0
    for i in range(3):
        u, v, w = x[1, i] - x[0, i], x[3, i] - x[2, i], x[0, i] - x[2, i]
        a, b, g = a + u * u, b + u * v, g + v * v
        d, e = d + u * w, e + v * w
    det = a * g - b * b
    if det > ALIKE * a * g:
        s = (b * e - g * d) / det
        t = (e + s * b) / g  # nearest to s, even if s is inaccurate
        if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
            c[0], c[1], c[2], c[3] = 1.0 - s, s, t - 1.0, -t
            S[0, 0], S[1, 0] = -1.0, 1.0
            S[2, 1], S[3, 1] = 1.0, -1.0
            return 2
    best, end, place = np.inf, 0, 0.0
    for p in range(4):
        first = 2 if p < 2 else 0
        s, squared = _along(x, p, first, first + 1)
        if squared < best:
            best, end, place = squared, p, s
    first = 2 if end < 2 else 0
    return _on_edge(end, 1.0 if end < 2 else -1.0, first, first + 1, place, c, S)


@njit(cache=True, nogil=True)
def closest(kind, x, c, S):
    """c (4,) and S (4, 2) of one pair at x (4, 3); returns the number of free parameters."""
    return _point_triangle(x, c, S) if kind == POINT_TRIANGLE else _edge_edge(x, c, S)


@njit(cache=True, nogil=True)
def closest_coefficients(kind, x):
    """(m, 4) c of pairs at x (m, 4, 3)."""
    out, S = np.empty((len(x), 4)), np.empty((4, 2))
    for e in range(len(x)):
        closest(kind, x[e], out[e], S)
    return out


@njit(cache=True, nogil=True, inline="always")
def _difference(c, x, r):
    """r = sum_a c_a x_a; returns r . r."""
    for i in range(3):
        r[i] = c[0] * x[0, i] + c[1] * x[1, i] + c[2] * x[2, i] + c[3] * x[3, i]
    return _dot(r, r)


@njit(cache=True, nogil=True)
def distance(kind, x, c, S, r, G):
    """D of one pair at x (4, 3), with D' in G (4, 3), and c, S and r as by-products."""
    closest(kind, x, c, S)
    D = _difference(c, x, r)
    for a in range(4):
        for i in range(3):
            G[a, i] = 2.0 * c[a] * r[i]
    return D


@njit(cache=True, nogil=True)
def add_distance_hessian(kind, x, factor, c, S, r, e, B, H):
    """H (12, 12) += factor D'' of one pair at x (4, 3); c (4,), S (4, 2), r (3,), e (2, 3) and B (12, 2) are scratch."""
    free = closest(kind, x, c, S)
    _difference(c, x, r)
    for k in range(free):
        for i in range(3):
            e[k, i] = S[0, k] * x[0, i] + S[1, k] * x[1, i] + S[2, k] * x[2, i] + S[3, k] * x[3, i]
    for a in range(4):
        for b in range(4):
            for i in range(3):
                H[3 * a + i, 3 * b + i] += factor * 2.0 * c[a] * c[b]
        for k in range(free):
            for i in range(3):
                B[3 * a + i, k] = 2.0 * (S[a, k] * r[i] + c[a] * e[k, i])
    _eliminate(H, factor, B, e, free)


@njit(cache=True, nogil=True, error_model="numpy")
def _eliminate(H, factor, B, e, free):
    """H -= factor B (D_uu)^-1 B^T; where directions are parallel up to round-off, the first one alone."""
    a, b, d = 2.0 * _dot(e[0], e[0]), 0.0, 0.0
    if free == 2:
        b, d = 2.0 * _dot(e[0], e[1]), 2.0 * _dot(e[1], e[1])
    if free == 1 or (free == 2 and a * d - b * b <= ALIKE * a * d):
        f = factor / a
        for i in range(12):
            left = f * B[i, 0]
            for j in range(12):
                H[i, j] -= left * B[j, 0]
    elif free == 2:
        f = factor / (a * d - b * b)
        for i in range(12):
            left, right = f * (d * B[i, 0] - b * B[i, 1]), f * (a * B[i, 1] - b * B[i, 0])
            for j in range(12):
                H[i, j] -= left * B[j, 0] + right * B[j, 1]
