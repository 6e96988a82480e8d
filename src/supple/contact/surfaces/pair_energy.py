"""The energy w m(x) phi(D) of pairs, its gradient and its Hessian, pair by pair in the order of the list."""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.contact.surfaces.mollifier import mollifier
from supple.contact.surfaces.pair_blocks import room, set_block
from supple.contact.surfaces.pairs import EDGE_EDGE, closest, distance
from supple.contact.surfaces.surface_barrier import barrier


@njit(cache=True, nogil=True, inline="always")
def take(x, corners, y):
    """Positions of the corners of one pair."""
    for a in range(4):
        for i in range(3):
            y[a, i] = x[corners[a], i]


@njit(cache=True, nogil=True, error_model="numpy")
def add_push(corners, weight, G, gradient):
    """gradient (n, 3) += weight G (4, 3) at the corners of one pair."""
    for a in range(4):
        for i in range(3):
            gradient[corners[a], i] += weight * G[a, i]


@njit(cache=True, nogil=True, error_model="numpy")
def add_energies(kind, x, corners, weight, threshold, offset, dhat, kappa, force, gradient):
    """Sum of the energies; `gradient` (n, 3) += force times theirs."""
    y, c, S, r, G, M = np.empty((4, 3)), np.empty(4), np.empty((4, 2)), np.empty(3), np.empty((4, 3)), np.empty((4, 3))
    total = 0.0
    for e in range(len(corners)):
        take(x, corners[e], y)
        D = distance(kind, y, c, S, r, G)
        phi, slope, _ = barrier(D, offset[e], dhat, kappa)
        m = mollifier(y, threshold[e], M) if kind == EDGE_EDGE else 1.0
        total += weight[e] * m * phi
        along, turn = force * weight[e] * m * slope, force * weight[e] * phi
        add_push(corners[e], along, G, gradient)
        if kind == EDGE_EDGE and m < 1.0:
            add_push(corners[e], turn, M, gradient)
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def hessians(kind, x, corners, weight, threshold, offset, dhat, kappa, factor, project):
    """(m, 12, 12) second derivatives times `factor`; `project`: without their negative parts."""
    H = np.empty((len(corners), 12, 12))
    y, G, M, scratch = np.empty((4, 3)), np.empty((4, 3)), np.zeros((4, 3)), room()
    for k in range(len(corners)):
        take(x, corners[k], y)
        D = distance(kind, y, scratch[0], scratch[1], scratch[2], G)
        law = barrier(D, offset[k], dhat, kappa)
        m = mollifier(y, threshold[k], M) if kind == EDGE_EDGE else 1.0
        set_block(kind, y, threshold[k], factor * weight[k], law, m, G, M, project, scratch, H[k])
    return H


@njit(cache=True, nogil=True, error_model="numpy")
def pressing(kind, x, corners, weight, threshold, offset, dhat, kappa, coefficients, normal, force):
    """Closest points (m, 4), directions (m, 3) and forces -w m dphi/d|r| (m,) of pairs."""
    y, S, r, M = np.empty((4, 3)), np.empty((4, 2)), np.empty(3), np.empty((4, 3))
    for e in range(len(corners)):
        take(x, corners[e], y)
        c = coefficients[e]
        closest(kind, y, c, S)
        for i in range(3):
            r[i] = c[0] * y[0, i] + c[1] * y[1, i] + c[2] * y[2, i] + c[3] * y[3, i]
        D = r[0] * r[0] + r[1] * r[1] + r[2] * r[2]
        length = np.sqrt(D)
        m = mollifier(y, threshold[e], M) if kind == EDGE_EDGE else 1.0
        force[e] = -2.0 * weight[e] * m * barrier(D, offset[e], dhat, kappa)[1] * length
        for i in range(3):
            normal[e, i] = r[i] / length
