"""3x3 kernels on scalars, for use inside element loops."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def svd3(f, u, s, v):
    """f = u diag(s) v^T for row-major 9-vectors, u and v rotations, |s| descending, the last s negative if det f < 0.

    One-sided Jacobi (Hestenes): rotate pairs of columns of f until they are orthogonal; accurate for small s too.
    """
    b = u
    for i in range(9):
        b[i] = f[i]
        v[i] = 0.0
    v[0] = v[4] = v[8] = 1.0
    for _ in range(12):
        turned = False
        for p in range(2):
            for q in range(p + 1, 3):
                alpha = b[p] * b[p] + b[3 + p] * b[3 + p] + b[6 + p] * b[6 + p]
                beta = b[q] * b[q] + b[3 + q] * b[3 + q] + b[6 + q] * b[6 + q]
                gamma = b[p] * b[q] + b[3 + p] * b[3 + q] + b[6 + p] * b[6 + q]
                if abs(gamma) <= 1e-16 * np.sqrt(alpha * beta) or gamma == 0.0:
                    continue
                turned = True
                zeta = (beta - alpha) / (2.0 * gamma)
                t = 1.0 / (abs(zeta) + np.sqrt(1.0 + zeta * zeta))
                if zeta < 0.0:
                    t = -t
                c = 1.0 / np.sqrt(1.0 + t * t)
                d = c * t
                for r in range(0, 9, 3):
                    bp, bq = b[r + p], b[r + q]
                    b[r + p], b[r + q] = c * bp - d * bq, d * bp + c * bq
                    vp, vq = v[r + p], v[r + q]
                    v[r + p], v[r + q] = c * vp - d * vq, d * vp + c * vq
        if not turned:
            break
    for j in range(3):
        s[j] = np.sqrt(b[j] * b[j] + b[3 + j] * b[3 + j] + b[6 + j] * b[6 + j])
    for p in range(2):  # sort columns by length; a swap with a sign change keeps v a rotation
        for q in range(p + 1, 3):
            if s[q] > s[p]:
                s[p], s[q] = s[q], s[p]
                for r in range(0, 9, 3):
                    b[r + p], b[r + q] = b[r + q], -b[r + p]
                    v[r + p], v[r + q] = v[r + q], -v[r + p]
    _orthonormal_columns(b, s)


@njit(cache=True, nogil=True)
def _orthonormal_columns(b, s):
    """Turn orthogonal columns into a rotation, also where s vanishes; the sign of the last s follows from it."""
    if s[0] == 0.0:
        for i in range(9):
            b[i] = 0.0
        b[0] = b[4] = b[8] = 1.0
        return
    for r in range(0, 9, 3):
        b[r] /= s[0]
    if s[1] > 1e-14 * s[0]:
        for r in range(0, 9, 3):
            b[r + 1] /= s[1]
    else:  # any unit vector across the first column
        k = 0
        for i in range(1, 3):
            if abs(b[3 * i]) < abs(b[3 * k]):
                k = i
        along = b[3 * k]
        for i in range(3):
            b[3 * i + 1] = -along * b[3 * i]
        b[3 * k + 1] += 1.0
        norm = np.sqrt(b[1] * b[1] + b[4] * b[4] + b[7] * b[7])
        for r in range(0, 9, 3):
            b[r + 1] /= norm
    x = b[3] * b[7] - b[6] * b[4]
    y = b[6] * b[1] - b[0] * b[7]
    z = b[0] * b[4] - b[3] * b[1]
    if b[2] * x + b[5] * y + b[8] * z < 0.0:
        s[2] = -s[2]
    b[2], b[5], b[8] = x, y, z
