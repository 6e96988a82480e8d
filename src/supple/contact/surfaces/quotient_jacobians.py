"""Derivatives of the mean gradients of pairs (quotient.py) with respect to the end of the step.

    f = D or m:  fbar = F + alpha Pd,  F = sum_q w_q f'(x_q),  alpha = (f1 - f0 - F . d)/|Pd|^2
    dfbar = J + Pd (x) (f'(x1) - F - J^T d - 2 alpha Pd)/|Pd|^2 + alpha P,  J = sum_q w_q s_q f''(x_q)
P removes the mean motion of the four corners. The correction alpha Pd is small in short steps. In steps of many times
the reach of the barrier, during which closest points change, Newton's method does not converge without its derivative.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.contact.surfaces.mollifier import add_mollifier_hessian, mollifier
from supple.contact.surfaces.pair_energy import take
from supple.contact.surfaces.pairs import EDGE_EDGE, add_distance_hessian, closest, distance
from supple.contact.surfaces.quotient import THREE, add_scaled, between, close, mean_slopes
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


@njit(cache=True, nogil=True)
def _room():
    """Scratch of a loop over pairs: y, d, c, S, r, G, e, B, D'(x1), m'(x1), Dbar, Mbar, and J of both."""
    return (
        np.empty((4, 3)), np.empty((4, 3)), np.empty(4), np.empty((4, 2)), np.empty(3), np.empty((4, 3)),
        np.empty((2, 3)), np.empty((12, 2)), np.empty((4, 3)), np.zeros((4, 3)), np.empty((4, 3)), np.empty((4, 3)),
        np.empty((12, 12)), np.empty((12, 12)),
    )  # fmt: skip


@njit(cache=True, nogil=True, error_model="numpy")
def _add_pair(kind, y0, y1, weight, threshold, xi, dhat, kappa, scratch, mean, out):
    """mean (4, 3) += gbar of one pair over a step from y0 to y1, out (12, 12) += its derivative with respect to y1."""
    y, d, c, S, r, G, e, B, G1, M1, Dbar, Mbar, JD, JM = scratch
    mollified = kind == EDGE_EDGE
    D0, D1 = distance(kind, y0, c, S, r, G), distance(kind, y1, c, S, r, G1)
    Q, dQ = mean_slopes(D0, D1, xi, dhat, kappa)
    phi1, slope1, _ = barrier(D1, xi, dhat, kappa)
    both = barrier(D0, xi, dhat, kappa)[0] + phi1
    m0 = m1 = 1.0
    if mollified:
        m0, m1 = mollifier(y0, threshold, G), mollifier(y1, threshold, M1)
    between(y1, y0, -1.0, d)
    w = 0.5 * weight
    Dbar[:], Mbar[:], JD[:], JM[:] = 0.0, 0.0, 0.0, 0.0
    for q in range(len(THREE)):
        between(y0, d, THREE[q, 0], y)
        distance(kind, y, c, S, r, G)
        add_scaled(THREE[q, 1], G, Dbar)
        add_distance_hessian(kind, y, THREE[q, 0] * THREE[q, 1], c, S, r, e, B, JD)
        if mollified:
            mollifier(y, threshold, G)
            add_scaled(THREE[q, 1], G, Mbar)
            add_mollifier_hessian(y, threshold, THREE[q, 0] * THREE[q, 1], JM)
    _add_closed(w * (m0 + m1) * Q, JD, Dbar, d, D1 - D0, G1, out)
    _add_products(w * (m0 + m1) * dQ, Dbar, G1, out)
    add_scaled(w * (m0 + m1) * Q, Dbar, mean)
    if mollified:
        _add_closed(w * both, JM, Mbar, d, m1 - m0, M1, out)
        _add_products(w * Q, Dbar, M1, out)
        _add_products(w * slope1, Mbar, G1, out)
        add_scaled(w * both, Mbar, mean)


@njit(cache=True, nogil=True, error_model="numpy")
def mean_jacobians(kind, x0, x1, corners, weight, threshold, offset, dhat, kappa):
    """(m, 12, 12) derivatives of gbar with respect to x1."""
    out = np.zeros((len(corners), 12, 12))
    y0, y1, mean, scratch = np.empty((4, 3)), np.empty((4, 3)), np.zeros((4, 3)), _room()
    for k in range(len(corners)):
        take(x0, corners[k], y0)
        take(x1, corners[k], y1)
        _add_pair(kind, y0, y1, weight[k], threshold[k], offset[k], dhat, kappa, scratch, mean, out[k])
    return out


@njit(cache=True, nogil=True, error_model="numpy")
def mean_presses(kind, x0, x1, corners, weight, threshold, offset, dhat, kappa):
    """Closest points (m, 4) in the middle of a step, directions (m, 3) and forces (m,) with which the first side is pushed, and
    derivatives of these forces with respect to x1 (m, 4, 3). Where there is no force, directions are those of the
    closest points."""
    m = len(corners)
    coefficients, normal, force, slope = np.empty((m, 4)), np.empty((m, 3)), np.empty(m), np.zeros((m, 4, 3))
    y0, y1, y, S, mean = np.empty((4, 3)), np.empty((4, 3)), np.empty((4, 3)), np.empty((4, 2)), np.empty((4, 3))
    J, scratch, side = np.empty((12, 12)), _room(), 2 if kind == EDGE_EDGE else 1
    for k in range(m):
        take(x0, corners[k], y0)
        take(x1, corners[k], y1)
        for a in range(4):
            for i in range(3):
                y[a, i] = 0.5 * (y0[a, i] + y1[a, i])
        c, n = coefficients[k], normal[k]
        closest(kind, y, c, S)
        mean[:], J[:] = 0.0, 0.0
        _add_pair(kind, y0, y1, weight[k], threshold[k], offset[k], dhat, kappa, scratch, mean, J)
        for i in range(3):
            n[i] = -mean[0, i] if side == 1 else -(mean[0, i] + mean[1, i])
        force[k] = length = np.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
        if not length > 0.0:
            for i in range(3):
                n[i] = c[0] * y[0, i] + c[1] * y[1, i] + c[2] * y[2, i] + c[3] * y[3, i]
            length = np.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
        for i in range(3):
            n[i] /= max(length, 1e-300)
        for a in range(side):
            for i in range(3):
                for b in range(4):
                    for j in range(3):
                        slope[k, b, j] -= n[i] * J[3 * a + i, 3 * b + j]
    return coefficients, normal, force, slope
