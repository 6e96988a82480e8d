"""Derivatives of the mean gradients of pairs (quotient.py) with respect to the end of the step.

    f = D or m:  fbar = F + alpha Pd,  F = sum_q w_q f'(x_q),  alpha = (f1 - f0 - F . d)/|Pd|^2
    dfbar = J + Pd (x) (f'(x1) - F - J^T d - 2 alpha Pd)/|Pd|^2 + alpha P,  J = sum_q w_q s_q f''(x_q)
P takes the mean motion of the four corners away. The closing part alpha Pd is small in short steps; in steps over many times the
reach of the barrier, on which closest points change, Newton's method without its derivative does not converge.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.contact.surfaces.mollifier import add_mollifier_hessian, mollifier
from supple.contact.surfaces.pair_energy import take
from supple.contact.surfaces.pairs import EDGE_EDGE, add_distance_hessian, distance
from supple.contact.surfaces.quotient import THREE, close, mean_slopes
from supple.contact.surfaces.surface_barrier import barrier


@njit(cache=True, nogil=True, error_model="numpy")
def _add_closed(factor, J, mean, d, change, end, out):
    """out (12, 12) += factor dfbar; `mean` (4, 3) becomes fbar, J (12, 12) is as above, `end` (4, 3) is f'(x1)."""
    g, step, last = mean.ravel(), d.ravel(), end.ravel()
    turn, inner = np.empty(12), np.empty(12)
    for j in range(12):
        turn[j] = last[j] - g[j]
        for i in range(12):
            turn[j] -= J[i, j] * step[i]
    alpha, square = close(mean, d, change)
    if square > 0.0:
        for i in range(3):
            middle = 0.25 * (d[0, i] + d[1, i] + d[2, i] + d[3, i])
            for a in range(4):
                inner[3 * a + i] = d[a, i] - middle
        for j in range(12):
            turn[j] = (turn[j] - 2.0 * alpha * inner[j]) / square
        for i in range(12):
            for j in range(12):
                J[i, j] += inner[i] * turn[j]
        for a in range(4):
            for b in range(4):
                share = alpha * (0.75 if a == b else -0.25)
                for i in range(3):
                    J[3 * a + i, 3 * b + i] += share
    for i in range(12):
        for j in range(12):
            out[i, j] += factor * J[i, j]


@njit(cache=True, nogil=True, error_model="numpy")
def _add_products(bend, left, right, out):
    """out (12, 12) += bend left (x) right."""
    g, t = left.ravel(), right.ravel()
    for i in range(12):
        for j in range(12):
            out[i, j] += bend * g[i] * t[j]


@njit(cache=True, nogil=True, error_model="numpy")
def mean_jacobians(kind, x0, x1, corners, weight, threshold, offset, dhat, kappa):
    """(m, 12, 12) derivatives of gbar with respect to x1."""
    out = np.zeros((len(corners), 12, 12))
    y0, y1, y, c, S, r = (
        np.empty((4, 3)),
        np.empty((4, 3)),
        np.empty((4, 3)),
        np.empty(4),
        np.empty((4, 2)),
        np.empty(3),
    )
    G, Dbar, Mbar, G1, M1 = np.empty((4, 3)), np.empty((4, 3)), np.empty((4, 3)), np.empty((4, 3)), np.zeros((4, 3))
    e, B, JD, JM = np.empty((2, 3)), np.empty((12, 2)), np.empty((12, 12)), np.empty((12, 12))
    for k in range(len(corners)):
        take(x0, corners[k], y0)
        take(x1, corners[k], y1)
        D0, D1 = distance(kind, y0, c, S, r, G), distance(kind, y1, c, S, r, G1)
        Q, dQ = mean_slopes(D0, D1, offset[k], dhat, kappa)
        phi1, slope1, _ = barrier(D1, offset[k], dhat, kappa)
        both = barrier(D0, offset[k], dhat, kappa)[0] + phi1
        m0 = m1 = 1.0
        if kind == EDGE_EDGE:
            m0, m1 = mollifier(y0, threshold[k], G), mollifier(y1, threshold[k], M1)
        d, w = y1 - y0, 0.5 * weight[k]
        mollified = kind == EDGE_EDGE
        Dbar[:], Mbar[:], JD[:], JM[:] = 0.0, 0.0, 0.0, 0.0
        for q in range(len(THREE)):
            y[:] = y0 + THREE[q, 0] * d
            distance(kind, y, c, S, r, G)
            Dbar += THREE[q, 1] * G
            add_distance_hessian(kind, y, THREE[q, 0] * THREE[q, 1], c, S, r, e, B, JD)
            if mollified:
                mollifier(y, threshold[k], G)
                Mbar += THREE[q, 1] * G
                add_mollifier_hessian(y, threshold[k], THREE[q, 0] * THREE[q, 1], JM)
        _add_closed(w * (m0 + m1) * Q, JD, Dbar, d, D1 - D0, G1, out[k])
        _add_products(w * (m0 + m1) * dQ, Dbar, G1, out[k])
        if mollified:
            _add_closed(w * both, JM, Mbar, d, m1 - m0, M1, out[k])
            _add_products(w * Q, Dbar, M1, out[k])
            _add_products(w * slope1, Mbar, G1, out[k])
    return out
