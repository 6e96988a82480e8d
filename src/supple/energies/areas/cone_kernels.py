"""Loops over cones between the origin and triangles: det(a, b, c)/6 with first and second derivatives.

gradient (b x c, c x a, a x b)/6;  second derivatives: the block of corners p and the next one q is -[r], r the third corner
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.types import Array


@njit(cache=True, nogil=True)
def volumes(y: Array) -> Array:
    """(m,) of corners y (m, 3, 3)."""
    out = np.empty(len(y))
    for e in range(len(y)):
        a, b, c = y[e, 0], y[e, 1], y[e, 2]
        x = b[1] * c[2] - b[2] * c[1]
        z = b[0] * c[1] - b[1] * c[0]
        out[e] = (a[0] * x + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * z) / 6.0
    return out


@njit(cache=True, nogil=True)
def gradients(y: Array) -> Array:
    """(m, 3, 3)"""
    out = np.empty_like(y)
    for e in range(len(y)):
        for p in range(3):
            b, c = y[e, (p + 1) % 3], y[e, (p + 2) % 3]
            out[e, p, 0] = (b[1] * c[2] - b[2] * c[1]) / 6.0
            out[e, p, 1] = (b[2] * c[0] - b[0] * c[2]) / 6.0
            out[e, p, 2] = (b[0] * c[1] - b[1] * c[0]) / 6.0
    return out


@njit(cache=True, nogil=True)
def hessians(y: Array) -> Array:
    """(m, 9, 9)"""
    out = np.zeros((len(y), 9, 9))
    for e in range(len(y)):
        for p in range(3):
            q, r = (p + 1) % 3, (p + 2) % 3
            for i in range(3):
                j, k = (i + 1) % 3, (i + 2) % 3
                # -[y_r] has y_r,k at (i, j) and -y_r,j at (i, k)
                out[e, 3 * p + i, 3 * q + j] = y[e, r, k] / 6.0
                out[e, 3 * p + i, 3 * q + k] = -y[e, r, j] / 6.0
                out[e, 3 * q + j, 3 * p + i] = y[e, r, k] / 6.0
                out[e, 3 * q + k, 3 * p + i] = -y[e, r, j] / 6.0
    return out
