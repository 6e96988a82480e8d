"""Squared distances of point-triangle and edge-edge pairs with first and second derivatives, over whole arrays.

A pair has four corners x_0..x_3; the vector between its closest points is r = sum_a c_a x_a with
    point-triangle:  c = (1, -(1 - s - t), -s, -t)        edge-edge:  c = (1 - s, s, -(1 - t), -t)
and s, t clamped to the triangle or the edges. Where parameters u are free, c = c_0 + S u, and D(x) = min_u |r|^2 has
    D' = 2 c (x) r,    D'' = 2 c c^T (x) I - D_xu D_uu^-1 D_ux,    D_xu = 2 (S_k (x) r + c (x) e_k),  D_uu = 2 e_k . e_l
with e_k = sum_a S_ak x_a: the closest points move along when the corners do.

Nearly parallel edges have no unique closest points; their energy is multiplied by m(z) = z (2 - z), z = |e_1 x e_2|^2 /
threshold, 1 above it (Li et al. 2020).
"""

from __future__ import annotations

import numpy as np
from numba import njit

POINT_TRIANGLE, EDGE_EDGE = 0, 1


@njit(cache=True, nogil=True)
def _dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(cache=True, nogil=True)
def _edge(c, S, a, b, p, x):
    """Closest point of edge (a, b) to corner p: p minus that point. Returns the number of free parameters."""
    e, d = x[b] - x[a], x[p] - x[a]
    length = _dot(e, e)
    s = _dot(d, e) / length if length > 0.0 else 0.0
    sign = c[p]
    if s <= 0.0:
        c[a] = -sign
        return 0
    if s >= 1.0:
        c[b] = -sign
        return 0
    c[a], c[b] = -sign * (1.0 - s), -sign * s
    S[a, 0], S[b, 0] = sign, -sign
    return 1


@njit(cache=True, nogil=True)
def _squared(c, x):
    total = 0.0
    for i in range(3):
        r = c[0] * x[0, i] + c[1] * x[1, i] + c[2] * x[2, i] + c[3] * x[3, i]
        total += r * r
    return total


@njit(cache=True, nogil=True)
def _nearer(p, sign, a, b, x, c, S, best, free):
    """Take corner p and edge (a, b) into c and S if they are nearer than the best so far."""
    trial, along = np.zeros(4), np.zeros((4, 2))
    trial[p] = sign
    count = _edge(trial, along, a, b, p, x)
    squared = _squared(trial, x)
    if squared >= best:
        return best, free
    c[:], S[:] = trial, along
    return squared, count


@njit(cache=True, nogil=True)
def _point_triangle(x, c, S):
    """Coefficients c and directions S of a point (corner 0) and a triangle (1, 2, 3); returns the free parameters."""
    c[:], S[:] = 0.0, 0.0
    e1, e2, d = x[2] - x[1], x[3] - x[1], x[0] - x[1]
    a11, a12, a22 = _dot(e1, e1), _dot(e1, e2), _dot(e2, e2)
    b1, b2 = _dot(d, e1), _dot(d, e2)
    det = a11 * a22 - a12 * a12
    if det > 1e-24 * a11 * a22:
        s, t = (a22 * b1 - a12 * b2) / det, (a11 * b2 - a12 * b1) / det
        if s >= 0.0 and t >= 0.0 and s + t <= 1.0:
            c[0], c[1], c[2], c[3] = 1.0, s + t - 1.0, -s, -t
            S[1, 0], S[2, 0] = 1.0, -1.0
            S[1, 1], S[3, 1] = 1.0, -1.0
            return 2
    best, free = np.inf, 0
    for k in range(3):
        best, free = _nearer(0, 1.0, 1 + k, 1 + (k + 1) % 3, x, c, S, best, free)
    return free


@njit(cache=True, nogil=True)
def _edge_edge(x, c, S):
    """The same for edges (0, 1) and (2, 3)."""
    c[:], S[:] = 0.0, 0.0
    u, v, w = x[1] - x[0], x[3] - x[2], x[0] - x[2]
    a, b, g = _dot(u, u), _dot(u, v), _dot(v, v)
    d, e = _dot(u, w), _dot(v, w)
    det = a * g - b * b
    if det > 1e-20 * a * g:
        s, t = (b * e - g * d) / det, (a * e - b * d) / det
        if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
            c[0], c[1], c[2], c[3] = 1.0 - s, s, t - 1.0, -t
            S[0, 0], S[1, 0] = -1.0, 1.0
            S[2, 1], S[3, 1] = 1.0, -1.0
            return 2
    best, free = np.inf, 0
    for p in range(4):
        first = 2 if p < 2 else 0
        best, free = _nearer(p, 1.0 if p < 2 else -1.0, first, first + 1, x, c, S, best, free)
    return free


@njit(cache=True, nogil=True)
def _closest(kind, x, c, S):
    return _point_triangle(x, c, S) if kind == POINT_TRIANGLE else _edge_edge(x, c, S)


@njit(cache=True, nogil=True)
def closest_coefficients(kind, x):
    """(m, 4) c of pairs at x (m, 4, 3)."""
    out, S = np.empty((len(x), 4)), np.empty((4, 2))
    for e in range(len(x)):
        _closest(kind, x[e], out[e], S)
    return out


@njit(cache=True, nogil=True)
def distance_gradients(kind, x):
    """D (m,) and D' (m, 4, 3) of pairs at x (m, 4, 3)."""
    m = len(x)
    D, G = np.empty(m), np.empty((m, 4, 3))
    c, S, r = np.empty(4), np.empty((4, 2)), np.empty(3)
    for e in range(m):
        _closest(kind, x[e], c, S)
        for i in range(3):
            r[i] = c[0] * x[e, 0, i] + c[1] * x[e, 1, i] + c[2] * x[e, 2, i] + c[3] * x[e, 3, i]
        D[e] = _dot(r, r)
        for a in range(4):
            for i in range(3):
                G[e, a, i] = 2.0 * c[a] * r[i]
    return D, G


@njit(cache=True, nogil=True)
def distance_hessians(kind, x):
    """D'' (m, 12, 12) of pairs at x (m, 4, 3)."""
    m = len(x)
    H = np.zeros((m, 12, 12))
    c, S, r, B = np.empty(4), np.empty((4, 2)), np.empty(3), np.empty((12, 2))
    e = np.empty((2, 3))
    for q in range(m):
        y = x[q]
        free = _closest(kind, y, c, S)
        for i in range(3):
            r[i] = c[0] * y[0, i] + c[1] * y[1, i] + c[2] * y[2, i] + c[3] * y[3, i]
            for k in range(free):
                e[k, i] = S[0, k] * y[0, i] + S[1, k] * y[1, i] + S[2, k] * y[2, i] + S[3, k] * y[3, i]
        for a in range(4):
            for b in range(4):
                for i in range(3):
                    H[q, 3 * a + i, 3 * b + i] = 2.0 * c[a] * c[b]
            for k in range(free):
                for i in range(3):
                    B[3 * a + i, k] = 2.0 * (S[a, k] * r[i] + c[a] * e[k, i])
        _eliminate(H[q], B, e, free)
    return H


@njit(cache=True, nogil=True)
def _eliminate(H, B, e, free):
    """H -= B (D_uu)^-1 B^T."""
    if free == 1:
        f = 2.0 * _dot(e[0], e[0])
        for i in range(12):
            for j in range(12):
                H[i, j] -= B[i, 0] * B[j, 0] / f
    elif free == 2:
        a, b, d = 2.0 * _dot(e[0], e[0]), 2.0 * _dot(e[0], e[1]), 2.0 * _dot(e[1], e[1])
        det = a * d - b * b
        for i in range(12):
            left, right = (d * B[i, 0] - b * B[i, 1]) / det, (a * B[i, 1] - b * B[i, 0]) / det
            for j in range(12):
                H[i, j] -= left * B[j, 0] + right * B[j, 1]
