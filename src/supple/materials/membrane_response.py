"""Densities of membranes as functions of the strain e = (E11, E22, 2 E12), with their first and second derivatives.

E = (C - I)/2 in the rest frame of a triangle, so that dW/de = (S11, S22, S12) is the second Piola-Kirchhoff stress.

    QUADRATIC    W = 1/2 e . D e,  D = [[p0, p1, 0], [p1, p2, 0], [0, 0, p3]]
    LOGARITHMIC  W = mu/2 (tr C - 2 - L) + lam/8 L^2,  L = log det C,  mu = p0, lam = p1
    RUBBER       W = mu/2 (tr C + 1/det C - 3),  mu = p0
The last two are mu (e1 + e2) + g(J), J = det C, so that S = mu (1, 1, 0) + g' n, with n = dJ/de = 2 (C22, C11, -C12),
dS/de = g'' n n^T + g' d2J/de2. J - 1 = 2 (e1 + e2) + 4 e1 e2 - e3^2 is computed without the ones, which would cost the
digits of small strains. Where J <= 0 the density is +inf.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.materials.kernel import FAST

QUADRATIC, LOGARITHMIC, RUBBER = 0, 1, 2


@njit(cache=True, nogil=True, **FAST)
def response(kind, p, k, e1, e2, e3):
    """(W, S11, S22, S12) of element k."""
    if kind == QUADRATIC:
        s1, s2, s3 = p[k, 0] * e1 + p[k, 1] * e2, p[k, 1] * e1 + p[k, 2] * e2, p[k, 3] * e3
        return 0.5 * (s1 * e1 + s2 * e2 + s3 * e3), s1, s2, s3
    change = 2.0 * (e1 + e2) + 4.0 * e1 * e2 - e3 * e3
    J, mu = 1.0 + change, p[k, 0]
    if not J > 0.0:
        return np.inf, 0.0, 0.0, 0.0
    if kind == RUBBER:
        W = mu * (e1 + e2) - 0.5 * mu * change / J
        slope = -0.5 * mu / (J * J)
    else:
        log, lam = np.log1p(change), p[k, 1]
        W = mu * (e1 + e2) - 0.5 * mu * log + 0.125 * lam * log * log
        slope = (0.25 * lam * log - 0.5 * mu) / J
    return W, mu + 2.0 * slope * (1.0 + 2.0 * e2), mu + 2.0 * slope * (1.0 + 2.0 * e1), -2.0 * slope * e3


@njit(cache=True, nogil=True, **FAST)
def tangent(kind, p, k, e1, e2, e3, convex):
    """The entries 11, 12, 13, 22, 23, 33 of dS/de of element k; `convex`: made positive semidefinite.

    Only the logarithm's can be indefinite: it is lam/4 n n^T/J^2 + (mu/2 - lam L/4) Q, Q = -d2 log J/de2, which is
    positive, so that its factor is kept from being negative.
    """
    if kind == QUADRATIC:
        return p[k, 0], p[k, 1], 0.0, p[k, 2], 0.0, p[k, 3]
    change = 2.0 * (e1 + e2) + 4.0 * e1 * e2 - e3 * e3
    J, mu = 1.0 + change, p[k, 0]
    if not J > 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if kind == RUBBER:
        slope, curve = -0.5 * mu / (J * J), mu / (J * J * J)
    else:
        lam = p[k, 1]
        factor = 0.5 * mu - 0.25 * lam * np.log1p(change)
        if convex and factor < 0.0:
            factor = 0.0
        slope, curve = -factor / J, (0.25 * lam + factor) / (J * J)
    n1, n2, n3 = 2.0 + 4.0 * e2, 2.0 + 4.0 * e1, -2.0 * e3
    return (
        curve * n1 * n1,
        curve * n1 * n2 + 4.0 * slope,
        curve * n1 * n3,
        curve * n2 * n2,
        curve * n2 * n3,
        curve * n3 * n3 - 2.0 * slope,
    )


@njit(cache=True, nogil=True)
def responses(kind, p, e, density, stress):
    """density (m,), stress (m, 3) of strains (m, 3)."""
    for k in range(e.shape[0]):
        density[k], stress[k, 0], stress[k, 1], stress[k, 2] = response(kind, p, k, e[k, 0], e[k, 1], e[k, 2])


@njit(cache=True, nogil=True)
def tangents(kind, p, e, convex, out):
    """out (m, 3, 3) of strains (m, 3)."""
    for k in range(e.shape[0]):
        d11, d12, d13, d22, d23, d33 = tangent(kind, p, k, e[k, 0], e[k, 1], e[k, 2], convex)
        out[k, 0, 0], out[k, 1, 1], out[k, 2, 2] = d11, d22, d33
        out[k, 0, 1] = out[k, 1, 0] = d12
        out[k, 0, 2] = out[k, 2, 0] = d13
        out[k, 1, 2] = out[k, 2, 1] = d23
