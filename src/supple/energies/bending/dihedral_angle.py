"""The signed angle between two triangles across an edge, with gradient and Hessian (Numba).

Edge e = x1 - x0, unit vector t; opposite corners x2 and x3. Of the two triangles T = A (apex y = x2), B (y = x3):

    n_A = (x0 - x2) x (x1 - x2),  n_B = (x1 - x3) x (x0 - x3),  u_T = n_T/|n_T|^2
    theta = atan2((n_A x n_B) . t, n_A . n_B)
    dtheta/dx_i = sum_T c_i u_T  with  c_0 = (x1 - y) . t,  c_1 = -(x0 - y) . t,  c_y = -|e|
    d2theta/(dx_i dx_j) = sum_T [u_T (dc_i/dx_j)^T + c_i du_T/dx_j]
    du_T/dx_j = (I - 2 n n^T/|n|^2)/|n|^2 dn/dx_j,  dn_T/dx_j v = v x o_j,  o = +-(x1 - y, y - x0, x0 - x1), + for A
    dc_0 = (-w, t + w, -t),  dc_1 = (w - t, -w, t),  dc_y = (t, -t, 0) for changes of (x0, x1, y), w = (x1 - y - c_0 t)/|e|
and o_0 = x1 - y is the vector opposite corner 0.
"""

from __future__ import annotations

import math

from numba import njit

from supple.types import Array, Ints


@njit(cache=True, nogil=True, inline="always")
def cross(a: Array, b: Array, out: Array) -> None:
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


@njit(cache=True, nogil=True, inline="always")
def dot(a: Array, b: Array) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(cache=True, nogil=True, error_model="numpy")
def _frame(x: Array, corners: Ints, work: Array) -> float:
    """|e|; rows of work: t, then for A and B: n, x0 - y, x1 - y."""
    length = 0.0
    for i in range(3):
        work[0, i] = x[corners[1], i] - x[corners[0], i]
        length += work[0, i] ** 2
        for s in range(2):
            work[2 + 3 * s, i] = x[corners[0], i] - x[corners[2 + s], i]
            work[3 + 3 * s, i] = x[corners[1], i] - x[corners[2 + s], i]
    length = math.sqrt(length)
    for i in range(3):
        work[0, i] /= length
    cross(work[2], work[3], work[1])
    cross(work[6], work[5], work[4])
    return length


@njit(cache=True, nogil=True, error_model="numpy")
def angle(x: Array, corners: Ints, work: Array, g: Array) -> float:
    """theta; g (12,) = its gradient."""
    length = _frame(x, corners, work)
    g[:] = 0.0
    for s in range(2):
        n, square = work[1 + 3 * s], dot(work[1 + 3 * s], work[1 + 3 * s])
        start, end = dot(work[3 + 3 * s], work[0]) / square, dot(work[2 + 3 * s], work[0]) / square
        for i in range(3):
            g[i] += start * n[i]
            g[3 + i] -= end * n[i]
            g[6 + 3 * s + i] = -length / square * n[i]
    cross(work[1], work[4], work[7])
    return math.atan2(dot(work[7], work[0]), dot(work[1], work[4]))


@njit(cache=True, nogil=True, error_model="numpy")
def add_second(weight: float, length: float, s: int, work: Array, H: Array) -> None:
    """H (12, 12) += weight d2theta of one triangle, after `angle`; rows and columns of x0, x1 and its apex."""
    t, n, to0, to1 = work[0], work[1 + 3 * s], work[2 + 3 * s], work[3 + 3 * s]
    square = dot(n, n)
    c0, c1 = dot(to1, t), -dot(to0, t)
    sign = 1.0 if s == 0 else -1.0
    for j in range(3):  # which corner moves
        column = 6 + 3 * s if j == 2 else 3 * j
        for b in range(3):  # along which axis
            w = (to1[b] - c0 * t[b]) / length
            d0 = -w if j == 0 else t[b] + w if j == 1 else -t[b]
            d1 = w - t[b] if j == 0 else -w if j == 1 else t[b]
            d2 = t[b] if j == 0 else -t[b] if j == 1 else 0.0
            b1, b2 = (b + 1) % 3, (b + 2) % 3
            # v x o for the unit vector v = b: component b1 is -o_b2, component b2 is o_b1
            if j == 0:
                m1, m2 = -sign * to1[b2], sign * to1[b1]
            elif j == 1:
                m1, m2 = sign * to0[b2], -sign * to0[b1]
            else:
                m1, m2 = -sign * (to0[b2] - to1[b2]), sign * (to0[b1] - to1[b1])
            along = 2.0 * (n[b1] * m1 + n[b2] * m2) / square
            for a in range(3):
                dn = m1 if a == b1 else m2 if a == b2 else 0.0
                du, u = (dn - along * n[a]) / square, n[a] / square
                H[a, column + b] += weight * (u * d0 + c0 * du)
                H[3 + a, column + b] += weight * (u * d1 + c1 * du)
                H[6 + 3 * s + a, column + b] += weight * (u * d2 - length * du)
