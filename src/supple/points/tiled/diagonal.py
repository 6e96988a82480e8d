"""Diagonal blocks of the stiffness of particles, for a preconditioner."""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.materials.kernel import FAST
from supple.points.kernels import origin_of

INDEX = np.uintp
PAIRS = np.array([(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)])
"""Entries of a symmetric 3x3 matrix, in storage order."""


@njit(cache=True, nogil=True, **FAST)
def _weigh(degree, z, w):
    """First node of one coordinate in cells, and its weights (4,)."""
    if degree == 2:
        b = np.floor(z - 0.5)
        f = z - b
        w[0], w[1], w[2] = 0.5 * (1.5 - f) ** 2, 0.75 - (f - 1.0) ** 2, 0.5 * (f - 0.5) ** 2
    else:
        b = np.floor(z) - 1.0
        t = z - b - 1.0
        w[0], w[1] = (1.0 - t) ** 3 / 6.0, ((3.0 * t - 6.0) * t * t + 4.0) / 6.0
        w[2], w[3] = (((-3.0 * t + 3.0) * t + 3.0) * t + 1.0) / 6.0, t**3 / 6.0
    return b


@njit(cache=True, nogil=True, **FAST)
def _forms(A, forms):
    """forms (6, 8): for each pair of axes c <= d the symmetric matrix of A_cj,dk + A_dj,ck, without its double where c = d."""
    for e in range(6):
        c, d = PAIRS[e]
        for r in range(6):
            j, k = PAIRS[r]
            forms[e, r] = A[9 * (3 * d + k) + 3 * c + j]
            if c != d:
                forms[e, r] += A[9 * (3 * c + k) + 3 * d + j]


@njit(cache=True, nogil=True, **FAST)
def diagonal_part(begin, end, degree, start, corner, numbers, x, A, tiles):
    """tiles (b, T^3, 8) = diagonal blocks of particle blocks begin:end, six entries each."""
    side, size = 6 + degree, degree + 1
    w, g, forms, base, f = np.empty((3, 4)), np.empty(8), np.zeros((6, 8)), np.empty(3), np.empty(3)
    for b in range(begin, end):
        tile, origin = tiles[b], origin_of(degree, corner[b])
        tile[:] = 0.0
        for p in range(start[b], start[b + 1]):
            for a in range(3):
                z = x[p, a] * numbers[0]
                base[a] = _weigh(degree, z, w[a])
                f[a] = z - base[a]
            _forms(A[p], forms)
            first = (int(base[0]) * side + int(base[1])) * side + int(base[2]) + origin
            for i in range(size):
                for j in range(size):
                    for k in range(size):
                        weight = w[0, i] * w[1, j] * w[2, k]
                        g0, g1, g2 = weight * (i - f[0]), weight * (j - f[1]), weight * (k - f[2])
                        g[0], g[1], g[2], g[3], g[4], g[5] = g0 * g0, g1 * g1, g2 * g2, g0 * g1, g0 * g2, g1 * g2
                        at = INDEX(first + (i * side + j) * side + k)
                        for r in range(INDEX(8)):
                            tile[at, r] += (
                                g[0] * forms[0, r] + g[1] * forms[1, r] + g[2] * forms[2, r]
                                + g[3] * forms[3, r] + g[4] * forms[4, r] + g[5] * forms[5, r]
                            )  # fmt: skip
