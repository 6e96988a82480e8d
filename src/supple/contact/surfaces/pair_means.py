"""Pairs over a step as functions of its end: a minimisable substitute for the mean gradients of quotient.py.

    w m1 Psi(d1),   Psi' = Q = (phi1 - phi0)/(d1 - d0),   Psi = 0 at the reach,   d = sqrt(D)
with the gradients of d and m at the end of the step instead of their means. Psi has no closed form; within reach it is
integrated by Gauss-16 over the logarithm of the gap, and beyond, where Q = -phi0/(d1 - d0), exactly. It is finite at a
gap of 0, which a step from afar could reach. So it is cut off at a small fraction of the reach, or at half the gap at
the start if that is less.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.contact.surfaces.mollifier import mollifier
from supple.contact.surfaces.pair_blocks import room, set_block
from supple.contact.surfaces.pair_energy import add_push, take
from supple.contact.surfaces.pairs import EDGE_EDGE, distance
from supple.contact.surfaces.surface_barrier import barrier
from supple.linalg.quadrature import gauss

SIXTEEN = np.array([gauss(16).nodes, gauss(16).weights]).T.copy()
ENDS = 1e-3
"""Fraction of the reach below which the mean of a barrier over a step is not used."""
CLOSE = 1e-4
"""Change of the gap, relative to the smaller one, below which the quotient is the slope in the middle."""


@njit(cache=True, nogil=True, error_model="numpy")
def _quotient(d0, d1, xi, dhat, kappa):
    """Q and dQ/dd1."""
    change = d1 - d0
    if abs(change) <= CLOSE * (min(d0, d1) - xi):
        d = 0.5 * (d0 + d1)
        _, slope, curvature = barrier(d * d, xi, dhat, kappa)
        return 2.0 * d * slope, slope + 2.0 * d * d * curvature
    phi1, slope1, _ = barrier(d1 * d1, xi, dhat, kappa)
    Q = (phi1 - barrier(d0 * d0, xi, dhat, kappa)[0]) / change
    return Q, (2.0 * d1 * slope1 - Q) / change


@njit(cache=True, nogil=True, error_model="numpy")
def mean_potential(d0, d1, xi, dhat, kappa):
    """Psi, Q and dQ/dd1 of a step that begins at the distance d0; infinite beyond the cut-off."""
    gap, gap0 = d1 - xi, d0 - xi
    if gap <= min(ENDS * dhat, 0.5 * gap0):
        return np.inf, 0.0, 0.0
    Q, dQ = _quotient(d0, d1, xi, dhat, kappa)
    if gap >= dhat:
        phi0 = barrier(d0 * d0, xi, dhat, kappa)[0]
        return (-phi0 * np.log((gap - gap0) / (dhat - gap0)) if phi0 > 0.0 else 0.0), Q, dQ
    span, total = np.log(dhat / gap), 0.0  # g = dhat e^-u
    for q in range(len(SIXTEEN)):
        g = dhat * np.exp(-SIXTEEN[q, 0] * span)
        total += SIXTEEN[q, 1] * _quotient(d0, xi + g, xi, dhat, kappa)[0] * g
    return -total * span, Q, dQ


@njit(cache=True, nogil=True, error_model="numpy")
def add_mean_potentials(kind, x0, x, corners, weight, threshold, offset, dhat, kappa, force, gradient):
    """Sum of w m1 Psi; `gradient` (n, 3) += force times that of the sum."""
    y, c, S, r, G, M = np.empty((4, 3)), np.empty(4), np.empty((4, 2)), np.empty(3), np.empty((4, 3)), np.empty((4, 3))
    total = 0.0
    for e in range(len(corners)):
        take(x0, corners[e], y)
        d0 = np.sqrt(distance(kind, y, c, S, r, G))
        take(x, corners[e], y)
        d = np.sqrt(distance(kind, y, c, S, r, G))
        psi, Q, _ = mean_potential(d0, d, offset[e], dhat, kappa)
        if psi == np.inf:  # no step ends there, so forces are not needed
            total = np.inf
            continue
        m = mollifier(y, threshold[e], M) if kind == EDGE_EDGE else 1.0
        total += weight[e] * m * psi
        along, turn = force * weight[e] * m * Q / (2.0 * d), force * weight[e] * psi
        add_push(corners[e], along, G, gradient)
        if kind == EDGE_EDGE and m < 1.0:
            add_push(corners[e], turn, M, gradient)
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def mean_potential_hessians(kind, x0, x, corners, weight, threshold, offset, dhat, kappa, factor, project):
    """(m, 12, 12) second derivatives times `factor`, by those of d with respect to D; `project`: without their negative parts."""
    H = np.empty((len(corners), 12, 12))
    y, G, M, scratch = np.empty((4, 3)), np.empty((4, 3)), np.zeros((4, 3)), room()
    c, S, r = scratch[0], scratch[1], scratch[2]
    for k in range(len(corners)):
        take(x0, corners[k], y)
        d0 = np.sqrt(distance(kind, y, c, S, r, G))
        take(x, corners[k], y)
        D = distance(kind, y, c, S, r, G)
        d = np.sqrt(D)
        psi, Q, dQ = mean_potential(d0, d, offset[k], dhat, kappa)
        if psi == np.inf:
            H[k] = 0.0
            continue
        law = psi, Q / (2.0 * d), (dQ - Q / d) / (4.0 * D)
        m = mollifier(y, threshold[k], M) if kind == EDGE_EDGE else 1.0
        set_block(kind, y, threshold[k], factor * weight[k], law, m, G, M, project, scratch, H[k])
    return H
