"""Mollifier of nearly parallel edges in the contact energy: m = z (2 - z) for z = |u x v|^2/threshold < 1, else 1.

With u, v the two edges and C = |u x v|^2 = |u|^2 |v|^2 - (u.v)^2:
    C_u = 2 (|v|^2 u - (u.v) v),  C_uu = 2 (|v|^2 I - v v^T),  C_uv = 4 u v^T - 2 v u^T - 2 (u.v) I
"""

from __future__ import annotations

from numba import njit

PARALLEL = 1e-3
"""Squared sine of the angle, at the edges' rest lengths, below which edges count as nearly parallel."""


@njit(cache=True, nogil=True, inline="always")
def _products(x):
    """|u|^2, u.v and |v|^2 of the edges (0, 1) and (2, 3)."""
    uu = uv = vv = 0.0
    for i in range(3):
        u, v = x[1, i] - x[0, i], x[3, i] - x[2, i]
        uu, uv, vv = uu + u * u, uv + u * v, vv + v * v
    return uu, uv, vv


@njit(cache=True, nogil=True)
def mollifier(x, threshold, M):
    """m of one pair of edges at x (4, 3), with its gradient in M (4, 3)."""
    uu, uv, vv = _products(x)
    z = (uu * vv - uv * uv) / threshold
    if z >= 1.0:
        M[:] = 0.0
        return 1.0
    slope = (2.0 - 2.0 * z) / threshold
    for i in range(3):
        u, v = x[1, i] - x[0, i], x[3, i] - x[2, i]
        M[1, i], M[3, i] = slope * 2.0 * (vv * u - uv * v), slope * 2.0 * (uu * v - uv * u)
        M[0, i], M[2, i] = -M[1, i], -M[3, i]
    return z * (2.0 - z)


@njit(cache=True, nogil=True)
def add_mollifier_hessian(x, threshold, factor, H):
    """H (12, 12) += factor m'' of one pair of edges at x (4, 3)."""
    uu, uv, vv = _products(x)
    z = (uu * vv - uv * uv) / threshold
    if z >= 1.0:
        return
    slope, bend = factor * (2.0 - 2.0 * z) / threshold, -2.0 * factor / threshold**2
    for a in range(4):
        sign_a = 1.0 if a % 2 else -1.0
        for b in range(4):
            sign = sign_a if b % 2 else -sign_a
            for i in range(3):
                u_i, v_i = x[1, i] - x[0, i], x[3, i] - x[2, i]
                C_i = 2.0 * (vv * u_i - uv * v_i) if a < 2 else 2.0 * (uu * v_i - uv * u_i)
                for j in range(3):
                    u_j, v_j = x[1, j] - x[0, j], x[3, j] - x[2, j]
                    C_j = 2.0 * (vv * u_j - uv * v_j) if b < 2 else 2.0 * (uu * v_j - uv * u_j)
                    same = 1.0 if i == j else 0.0
                    if a < 2 and b < 2:
                        C_ij = 2.0 * (vv * same - v_i * v_j)
                    elif a >= 2 and b >= 2:
                        C_ij = 2.0 * (uu * same - u_i * u_j)
                    elif a < 2:
                        C_ij = 4.0 * u_i * v_j - 2.0 * v_i * u_j - 2.0 * uv * same
                    else:
                        C_ij = 4.0 * v_i * u_j - 2.0 * u_i * v_j - 2.0 * uv * same
                    H[3 * a + i, 3 * b + j] += sign * (slope * C_ij + bend * C_i * C_j)
