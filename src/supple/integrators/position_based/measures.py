"""C and its derivatives G of one element, for constraints that are not functions of one distance (energies/compliant.py).

Corners y (3 k) of one element one after the other, row e of the parameters; C (q) and G (q, 3 k) are set.
"""

from __future__ import annotations

import numpy as np
from numba import njit

AREA, VOLUME, DIHEDRAL, TRIANGLE_STRAIN, TET_STRAIN, NEO_HOOKEAN, NEO_HOOKEAN_LOG, NEO_HOOKEAN_SOFT = range(8)
KINDS = {
    "area": (AREA, 1),
    "volume": (VOLUME, 1),
    "dihedral": (DIHEDRAL, 1),
    "triangle-strain": (TRIANGLE_STRAIN, 3),
    "tet-strain": (TET_STRAIN, 6),
    "neo-hookean": (NEO_HOOKEAN, 2),
    "neo-hookean-log": (NEO_HOOKEAN_LOG, 2),
    "neo-hookean-soft": (NEO_HOOKEAN_SOFT, 2),
}
"""Index of each kind, and the number of entries of C."""
LEAST = 0.1
"""J below which the logarithm continues as its tangent, so elements inverted by neighbours can recover."""


@njit(cache=True, nogil=True)
def measure(kind, y, parameters, e, F, C, G):
    """F (9): room for a deformation gradient."""
    if kind == AREA:
        _area(y, parameters[e, 0], C, G)
    elif kind == VOLUME:
        _volume(y, parameters[e, 0], C, G)
    elif kind == DIHEDRAL:
        _dihedral(y, parameters[e, 0], C, G)
    elif kind == TRIANGLE_STRAIN:
        _gradient(y, parameters, e, 2, F)
        _strain(F, parameters, e, 2, C, G)
    else:
        _gradient(y, parameters, e, 3, F)
        if kind == TET_STRAIN:
            _strain(F, parameters, e, 3, C, G)
        else:
            _neo_hookean(kind, F, parameters, e, C, G)


@njit(cache=True, nogil=True)
def _cross(a0, a1, a2, b0, b1, b2):
    return a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0


@njit(cache=True, nogil=True)
def _area(y, rest, C, G):
    """A = |N|/2, N = (y1 - y0) x (y2 - y0); dA/dy_a = n x (y_c - y_b)/2 for (a, b, c) in turn."""
    n0, n1, n2 = _cross(y[3] - y[0], y[4] - y[1], y[5] - y[2], y[6] - y[0], y[7] - y[1], y[8] - y[2])
    size = np.sqrt(n0 * n0 + n1 * n1 + n2 * n2)
    C[0] = 0.5 * size - rest
    inverse = 0.5 / size if size > 0.0 else 0.0
    for a in range(3):
        b, c = 3 * ((a + 1) % 3), 3 * ((a + 2) % 3)
        g = _cross(n0, n1, n2, y[c] - y[b], y[c + 1] - y[b + 1], y[c + 2] - y[b + 2])
        G[0, 3 * a], G[0, 3 * a + 1], G[0, 3 * a + 2] = inverse * g[0], inverse * g[1], inverse * g[2]


@njit(cache=True, nogil=True)
def _volume(y, rest, C, G):
    """V = a . (b x c)/6 with the edges a, b, c from corner 0."""
    a0, a1, a2 = y[3] - y[0], y[4] - y[1], y[5] - y[2]
    b0, b1, b2 = y[6] - y[0], y[7] - y[1], y[8] - y[2]
    c0, c1, c2 = y[9] - y[0], y[10] - y[1], y[11] - y[2]
    G[0, 3], G[0, 4], G[0, 5] = _cross(b0, b1, b2, c0, c1, c2)
    G[0, 6], G[0, 7], G[0, 8] = _cross(c0, c1, c2, a0, a1, a2)
    G[0, 9], G[0, 10], G[0, 11] = _cross(a0, a1, a2, b0, b1, b2)
    C[0] = (a0 * G[0, 3] + a1 * G[0, 4] + a2 * G[0, 5]) / 6.0 - rest
    for i in range(3):
        for a in range(3, 12, 3):
            G[0, a + i] /= 6.0
        G[0, i] = -(G[0, 3 + i] + G[0, 6 + i] + G[0, 9 + i])


@njit(cache=True, nogil=True)
def _dihedral(y, rest, C, G):
    """theta = atan2((nA x nB) . e/|e|, nA . nB), nA = (y0 - y2) x (y1 - y2), nB = (y1 - y3) x (y0 - y3), e = y1 - y0."""
    e0, e1, e2 = y[3] - y[0], y[4] - y[1], y[5] - y[2]
    a0, a1, a2 = _cross(y[0] - y[6], y[1] - y[7], y[2] - y[8], y[3] - y[6], y[4] - y[7], y[5] - y[8])
    b0, b1, b2 = _cross(y[3] - y[9], y[4] - y[10], y[5] - y[11], y[0] - y[9], y[1] - y[10], y[2] - y[11])
    length = np.sqrt(e0 * e0 + e1 * e1 + e2 * e2)
    aa, bb = a0 * a0 + a1 * a1 + a2 * a2, b0 * b0 + b1 * b1 + b2 * b2
    if length == 0.0 or aa == 0.0 or bb == 0.0:  # no angle, no push
        C[0] = 0.0
        G[0, :] = 0.0
        return
    c0, c1, c2 = _cross(a0, a1, a2, b0, b1, b2)
    turn = np.arctan2((c0 * e0 + c1 * e1 + c2 * e2) / length, a0 * b0 + a1 * b1 + a2 * b2) - rest
    C[0] = turn - 2.0 * np.pi * np.round(turn / (2.0 * np.pi))
    # dtheta/dy2 = -|e| nA/|nA|^2, dtheta/dy3 alike; y0 and y1 share the rest as the feet of the heights divide the edge
    e0, e1, e2 = e0 / length, e1 / length, e2 / length
    ta = ((y[3] - y[6]) * e0 + (y[4] - y[7]) * e1 + (y[5] - y[8]) * e2) / aa
    tb = ((y[3] - y[9]) * e0 + (y[4] - y[10]) * e1 + (y[5] - y[11]) * e2) / bb
    A, B = (a0, a1, a2), (b0, b1, b2)
    for i in range(3):
        G[0, 6 + i] = -length * A[i] / aa
        G[0, 9 + i] = -length * B[i] / bb
        G[0, i] = ta * A[i] + tb * B[i]
        G[0, 3 + i] = -(G[0, i] + G[0, 6 + i] + G[0, 9 + i])


@njit(cache=True, nogil=True)
def _gradient(y, parameters, e, size, F):
    """F_ij = sum_a (y_a - y_0)_i shape_aj, row by row: three of `size` columns."""
    for i in range(3):
        for j in range(size):
            total = 0.0
            for a in range(size):
                total += (y[3 * (a + 1) + i] - y[i]) * parameters[e, size * a + j]
            F[size * i + j] = total


@njit(cache=True, nogil=True)
def _to_corners(row, D, parameters, e, size, G):
    """G of a row from D = dC/dF: sum_j D_ij shape_aj for corner a, and minus their sum for corner 0."""
    for i in range(3):
        total = 0.0
        for a in range(size):
            g = 0.0
            for j in range(size):
                g += D[size * i + j] * parameters[e, size * a + j]
            G[row, 3 * (a + 1) + i] = g
            total += g
        G[row, i] = -total


@njit(cache=True, nogil=True)
def _strain(F, parameters, e, size, C, G):
    """E = (F^T F - I)/2: normal strains, then doubled shears; dE_jk/dF_il = (F_ij d_kl + F_ik d_jl)/2."""
    D = np.zeros(3 * size)
    row = 0
    for j in range(size):
        C[row] = -0.5
        for i in range(3):
            C[row] += 0.5 * F[size * i + j] ** 2
            D[size * i + j] = F[size * i + j]
        _to_corners(row, D, parameters, e, size, G)
        D[:] = 0.0
        row += 1
    for j in range(size - 1, -1, -1):
        for k in range(size - 1, j, -1):
            C[row] = 0.0
            for i in range(3):
                C[row] += F[size * i + j] * F[size * i + k]
                D[size * i + j], D[size * i + k] = F[size * i + k], F[size * i + j]
            _to_corners(row, D, parameters, e, size, G)
            D[:] = 0.0
            row += 1


@njit(cache=True, nogil=True)
def _neo_hookean(kind, F, parameters, e, C, G):
    D = np.empty(9)
    square = 0.0
    for i in range(9):
        square += F[i] * F[i]
    soft = kind == NEO_HOOKEAN_SOFT
    C[0] = np.sqrt(square - np.log(square + 1.0)) if soft else np.sqrt(square)
    slope = (1.0 - 1.0 / (square + 1.0) if soft else 1.0) / C[0] if C[0] > 0.0 else 0.0
    for i in range(9):
        D[i] = slope * F[i]
    _to_corners(0, D, parameters, e, 3, G)
    D[0], D[1], D[2] = _cross(F[3], F[4], F[5], F[6], F[7], F[8])
    D[3], D[4], D[5] = _cross(F[6], F[7], F[8], F[0], F[1], F[2])
    D[6], D[7], D[8] = _cross(F[0], F[1], F[2], F[3], F[4], F[5])
    J = F[0] * D[0] + F[1] * D[1] + F[2] * D[2]
    C[1] = J - parameters[e, 9]
    if kind == NEO_HOOKEAN_LOG:
        safe = max(J, LEAST)
        C[1] = np.log(safe) + (J - safe) / safe - parameters[e, 9]
        for i in range(9):
            D[i] /= safe
    _to_corners(1, D, parameters, e, 3, G)
