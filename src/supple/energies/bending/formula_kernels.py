"""Fused loops of hinges whose law is called by address: positions -> signed angle -> f, f', f'' -> global vector or matrix.

Batches of LANES hinges (materials/kernel.py). psi = w f(d*) with d* = unfold(theta - theta0);
Hessian w [(f'' d*'^2 + f' d*'') theta' theta'^T + f' d*' theta''].
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from supple.energies.bending.dihedral_angle import add_second, angle, dot
from supple.energies.bending.fold import FAR, fold
from supple.energies.element_blocks import add_element
from supple.materials.address import call_response
from supple.materials.kernel import LANES, batch, gather


@njit(cache=True, nogil=True)
def unfold(difference):
    """d* = sign(d) sqrt(fold(d)) of an angle difference, equal to d up to 3/4 pi, with its first and second derivative."""
    d = difference - 2.0 * math.pi * math.floor(0.5 * difference / math.pi + 0.5)
    if abs(d) <= FAR:
        return d, 1.0, 0.0
    value, slope, second = fold(d)
    root = math.copysign(math.sqrt(value), d)
    first = 0.5 * slope / root
    return root, first, (0.5 * second - first * first) / root


@njit(cache=True, nogil=True)
def unfolds(differences):
    """(m,) d* and its derivative."""
    value, slope = np.empty_like(differences), np.empty_like(differences)
    for e in range(differences.size):
        value[e], slope[e], _ = unfold(differences[e])
    return value, slope


@njit(cache=True, nogil=True)
def _angles(x, elements, table, ids, works, G, d):
    """d (3, W): d* of a batch and its derivatives; works and G: the work array and gradient that `angle` fills for each hinge."""
    at = table.shape[1] - 2
    for q in range(LANES):
        e = ids[q]
        theta = angle(x, elements[e], works[q], G[q])
        d[0, q], d[1, q], d[2, q] = unfold(theta - table[e, at])


@njit(cache=True, nogil=True)
def gradient_part(part, response, table, xs, energy, force, elements, weight, owner, chosen, values, out):
    """out (n, 3) += weighted gradient at the vertices of the part; values (m,) = weighted energies of `chosen` hinges."""
    W = LANES
    ids, constants = np.empty(W, np.int32), np.empty(table.shape[1] * W)
    works, G, total = np.empty((W, 8, 3)), np.empty((W, 12)), np.empty((W, 12))
    d, psi, slope, sums = np.empty((3, W)), np.empty(W), np.empty(W), np.empty(W)
    for start in range(0, chosen.size, W):
        count = batch(chosen, start, ids)
        gather(table, ids, constants)
        total[:] = 0.0
        sums[:] = 0.0
        for s in range(xs.shape[0]):
            _angles(xs[s], elements, table, ids, works, G, d)
            call_response(response, constants, d, psi, slope)
            for q in range(W):
                sums[q] += energy[s] * psi[q]
                pull = force[s] * slope[q] * d[1, q]
                for i in range(12):
                    total[q, i] += pull * G[q, i]
        for q in range(count):
            e = ids[q]
            values[e] = weight[e] * sums[q]
            for a in range(4):
                v = elements[e, a]
                if owner[v] == part:
                    for i in range(3):
                        out[v, i] += weight[e] * total[q, 3 * a + i]


@njit(cache=True, nogil=True)
def _add_second(along, across, project, work, g, H):
    """H (12, 12) += along theta' theta'^T + across theta''; `project` omits the parts that may be negative."""
    if project and along <= 0.0:
        return
    for a in range(12):
        for b in range(12):
            H[a, b] += along * g[a] * g[b]
    if not project:
        length = dot(work[3], work[0]) - dot(work[2], work[0])
        add_second(across, length, 0, work, H)
        add_second(across, length, 1, work, H)


@njit(cache=True, nogil=True)
def _hessians(slopes, table, xs, curvature, elements, weight, ids, project, constants, works, G, d, slope, bend, H):
    """H (W, 12, 12) = weighted Hessians of a batch."""
    gather(table, ids, constants)
    H[:] = 0.0
    for s in range(xs.shape[0]):
        _angles(xs[s], elements, table, ids, works, G, d)
        call_response(slopes, constants, d, slope, bend)
        for q in range(LANES):
            factor = curvature[s] * weight[ids[q]]
            along = factor * (bend[q] * d[1, q] * d[1, q] + slope[q] * d[2, q])
            _add_second(along, factor * slope[q] * d[1, q], project, works[q], G[q], H[q])


@njit(cache=True, nogil=True)
def hessian_part(part, slopes, table, xs, curvature, elements, weight, place, chosen, project, values):
    """values += weighted Hessian in the upper triangle, rows of the part's vertices."""
    W = LANES
    ids, constants = np.empty(W, np.int32), np.empty(table.shape[1] * W)
    works, G, H = np.empty((W, 8, 3)), np.empty((W, 12)), np.empty((W, 12, 12))
    d, slope, bend = np.empty((3, W)), np.empty(W), np.empty(W)
    for start in range(0, chosen.size, W):
        count = batch(chosen, start, ids)
        _hessians(slopes, table, xs, curvature, elements, weight, ids, project, constants, works, G, d, slope, bend, H)
        for q in range(count):
            add_element(part, ids[q], elements, place, H[q], values)


@njit(cache=True, nogil=True)
def element_hessians(slopes, table, x, elements, weight, project, out):
    """out (m, 12, 12) = Hessians of all hinges."""
    W = LANES
    ids, constants = np.empty(W, np.int32), np.empty(table.shape[1] * W)
    works, G, H = np.empty((W, 8, 3)), np.empty((W, 12)), np.empty((W, 12, 12))
    d, slope, bend = np.empty((3, W)), np.empty(W), np.empty(W)
    xs, one, chosen = x.reshape(1, x.shape[0], 3), np.ones(1), np.arange(elements.shape[0]).astype(np.int32)
    for start in range(0, chosen.size, W):
        count = batch(chosen, start, ids)
        _hessians(slopes, table, xs, one, elements, weight, ids, project, constants, works, G, d, slope, bend, H)
        for q in range(count):
            out[ids[q]] = H[q]
