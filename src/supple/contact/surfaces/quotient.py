"""Mean gradients of pairs over a step, gbar . (x1 - x0) = V1 - V0 to round-off: energy-exact contact of any shape.

    phi(D):   gbar = Q Dbar,  Q = (phi1 - phi0)/(D1 - D0)
    m phi(D): gbar = (m0 + m1)/2 Q Dbar + (phi0 + phi1)/2 mbar
with Dbar (and mbar) the Gauss-3 mean of the gradient along the step plus a correction along the step, without its mean
motion, that enforces Dbar . dx = D1 - D0. The singular phi is in the quotient; only the smooth D is integrated, so the
correction is small. A pair's four forces still add up to zero. Derivatives: see quotient_jacobians.py.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.contact.surfaces.mollifier import mollifier
from supple.contact.surfaces.pair_energy import take
from supple.contact.surfaces.pairs import EDGE_EDGE, distance
from supple.contact.surfaces.surface_barrier import barrier
from supple.linalg.quadrature import Rule, gauss

CLOSE = 1e-5
"""Change of D, over its distance from the singularity of phi, below which the quotient is 8-point Gauss of phi'."""


def _table(rule: Rule) -> np.ndarray:
    return np.array([rule.nodes, rule.weights]).T.copy()


THREE, EIGHT = _table(gauss(3)), _table(gauss(8))


@njit(cache=True, nogil=True, error_model="numpy")
def mean_slopes(D0, D1, xi, dhat, kappa):
    """Q and dQ/dD1; phi is singular at D = xi^2."""
    change = D1 - D0
    if abs(change) > CLOSE * (max(D0, D1) - xi * xi):
        phi1, slope1, _ = barrier(D1, xi, dhat, kappa)
        Q = (phi1 - barrier(D0, xi, dhat, kappa)[0]) / change
        return Q, (slope1 - Q) / change
    Q = dQ = 0.0
    for q in range(len(EIGHT)):
        s, w = EIGHT[q, 0], EIGHT[q, 1]
        _, slope, curvature = barrier(D0 + s * change, xi, dhat, kappa)
        Q, dQ = Q + w * slope, dQ + w * s * curvature
    return Q, dQ


@njit(cache=True, nogil=True, error_model="numpy")
def close(mean, d, change):
    """Add the part alpha Pd along the step d (4, 3), without its mean motion, that makes mean . d = change; alpha, |Pd|^2."""
    square, along, alpha = 0.0, 0.0, 0.0
    for i in range(3):
        middle = 0.25 * (d[0, i] + d[1, i] + d[2, i] + d[3, i])
        for a in range(4):
            inner = d[a, i] - middle
            square += inner * inner
            along += mean[a, i] * d[a, i]
    if square > 0.0:
        alpha = (change - along) / square
        for i in range(3):
            middle = 0.25 * (d[0, i] + d[1, i] + d[2, i] + d[3, i])
            for a in range(4):
                mean[a, i] += alpha * (d[a, i] - middle)
    return alpha, square


@njit(cache=True, nogil=True, inline="always")
def between(y0, d, s, y):
    """y (4, 3) = y0 + s d."""
    for a in range(4):
        for i in range(3):
            y[a, i] = y0[a, i] + s * d[a, i]


@njit(cache=True, nogil=True, inline="always")
def add_scaled(w, G, out):
    """out (4, 3) += w G."""
    for a in range(4):
        for i in range(3):
            out[a, i] += w * G[a, i]


@njit(cache=True, nogil=True, error_model="numpy")
def _mean_gradients(kind, y0, d, threshold, change, turn, scratch, Dbar, Mbar):
    """Dbar and Mbar (4, 3) over the step d from y0, corrected to match these changes of D and m."""
    y, c, S, r, G = scratch
    Dbar[:], Mbar[:] = 0.0, 0.0
    for q in range(len(THREE)):
        between(y0, d, THREE[q, 0], y)
        distance(kind, y, c, S, r, G)
        add_scaled(THREE[q, 1], G, Dbar)
        if kind == EDGE_EDGE:
            mollifier(y, threshold, G)
            add_scaled(THREE[q, 1], G, Mbar)
    close(Dbar, d, change)
    if kind == EDGE_EDGE:
        close(Mbar, d, turn)


@njit(cache=True, nogil=True, error_model="numpy")
def mean_gradients(kind, x0, x1, corners, weight, threshold, offset, dhat, kappa):
    """(m, 4, 3) gbar of pairs."""
    out = np.zeros((len(corners), 4, 3))
    y0, y1, Dbar, Mbar = np.empty((4, 3)), np.empty((4, 3)), np.empty((4, 3)), np.empty((4, 3))
    y, c, S, r, G = np.empty((4, 3)), np.empty(4), np.empty((4, 2)), np.empty(3), np.empty((4, 3))
    d = np.empty((4, 3))
    for e in range(len(corners)):
        take(x0, corners[e], y0)
        take(x1, corners[e], y1)
        between(y1, y0, -1.0, d)
        D0, D1 = distance(kind, y0, c, S, r, G), distance(kind, y1, c, S, r, G)
        Q, _ = mean_slopes(D0, D1, offset[e], dhat, kappa)
        m0 = m1 = 1.0
        if kind == EDGE_EDGE:
            m0, m1 = mollifier(y0, threshold[e], G), mollifier(y1, threshold[e], G)
        _mean_gradients(kind, y0, d, threshold[e], D1 - D0, m1 - m0, (y, c, S, r, G), Dbar, Mbar)
        add_scaled(weight[e] * 0.5 * (m0 + m1) * Q, Dbar, out[e])
        if kind == EDGE_EDGE:
            both = barrier(D0, offset[e], dhat, kappa)[0] + barrier(D1, offset[e], dhat, kappa)[0]
            add_scaled(weight[e] * 0.5 * both, Mbar, out[e])
    return out
