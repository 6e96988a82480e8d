"""Fused loops of springs whose law is called by address: ends -> s = d . d -> psi, psi', psi'' -> global vector or matrix.

Batches of LANES springs, lane innermost (materials/kernel.py); blocks and their sums over samples as in kernels.py.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.energies.springs.kernels import add_diagonal, clamp, subtract_beside
from supple.materials.address import call_response
from supple.materials.kernel import FAST, LANES, batch, gather


@njit(cache=True, nogil=True, **FAST)
def _ends(x, edges, ids, d, s):
    """d (3 W) and s (W) of a batch."""
    W = LANES
    for q in range(W):
        i, j = edges[ids[q], 0], edges[ids[q], 1]
        for a in range(3):
            d[a * W + q] = x[j, a] - x[i, a]
    for q in range(W):
        s[q] = d[q] * d[q] + d[W + q] * d[W + q] + d[2 * W + q] * d[2 * W + q]


@njit(cache=True, nogil=True, **FAST)
def gradient_part(part, response, table, xs, energy, force, edges, factor, owner, chosen, values, out):
    """out (n, 3) += weighted gradient at the vertices of the part; values (m,) = weighted energies of `chosen` springs."""
    W = LANES
    ids, constants = np.empty(W, np.int32), np.empty(table.shape[1] * W)
    d, s, psi, slope = np.empty(3 * W), np.empty(W), np.empty(W), np.empty(W)
    pull, sums = np.empty(3 * W), np.empty(W)
    for start in range(0, chosen.size, W):
        count = batch(chosen, start, ids)
        gather(table, ids, constants)
        pull[:] = 0.0
        sums[:] = 0.0
        for k in range(xs.shape[0]):
            _ends(xs[k], edges, ids, d, s)
            call_response(response, constants, s, psi, slope)
            for q in range(W):
                sums[q] += energy[k] * psi[q]
            for a in range(3):
                for q in range(W):
                    pull[a * W + q] += 2.0 * force[k] * slope[q] * d[a * W + q]
        for q in range(count):
            e = ids[q]
            i, j = edges[e, 0], edges[e, 1]
            values[e] = factor[e] * sums[q]
            for a in range(3):
                g = factor[e] * pull[a * W + q]
                if owner[i] == part:
                    out[i, a] -= g
                if owner[j] == part:
                    out[j, a] += g


@njit(cache=True, nogil=True, **FAST)
def _blocks(slopes, constants, xs, curvature, edges, ids, project, work, B, across):
    """B (6 W) = upper triangles of the sum of 2 psi' I + 4 psi'' d d^T, and across (W) = its part 2 psi'.

    One sample has the eigenvalues 2 psi' across the spring, twice, and 2 psi' + 4 psi'' s along it, so its positive
    semidefinite part has a closed form.
    """
    W = LANES
    d, s, slope, bend = work
    B[:] = 0.0
    across[:] = 0.0
    for k in range(xs.shape[0]):
        _ends(xs[k], edges, ids, d, s)
        call_response(slopes, constants, s, slope, bend)
        for q in range(W):
            first, second = 2.0 * curvature[k] * slope[q], 4.0 * curvature[k] * bend[q]
            if project and xs.shape[0] == 1:
                along = max(first + second * s[q], 0.0)
                first = max(first, 0.0)
                second = (along - first) / s[q] if s[q] > 0.0 else 0.0
            across[q] += first
            bend[q] = second
        row = 0
        for a in range(3):
            for b in range(a, 3):
                for q in range(W):
                    B[row * W + q] += bend[q] * d[a * W + q] * d[b * W + q]
                row += 1
    for q in range(W):
        B[q] += across[q]
        B[3 * W + q] += across[q]
        B[5 * W + q] += across[q]


@njit(cache=True, nogil=True, **FAST)
def hessian_part(
    part,
    slopes,
    table,
    xs,
    curvature,
    edges,
    factor,
    owner,
    chosen,
    unknowns,
    lengths,
    slots,
    project,
    values,
):
    """values += weighted Hessian in the upper triangle, rows of the part's vertices; `project`: made positive semidefinite."""
    W = LANES
    ids, constants = np.empty(W, np.int32), np.empty(table.shape[1] * W)
    work = np.empty(3 * W), np.empty(W), np.empty(W), np.empty(W)
    B, across, block, full = np.empty(6 * W), np.empty(W), np.empty(6), np.empty((3, 3))
    for start in range(0, chosen.size, W):
        count = batch(chosen, start, ids)
        gather(table, ids, constants)
        _blocks(slopes, constants, xs, curvature, edges, ids, project, work, B, across)
        for q in range(count):
            e = ids[q]
            for r in range(6):
                block[r] = factor[e] * B[r * W + q]
            if project and xs.shape[0] > 1:
                clamp(block, full)
            i, j = edges[e, 0], edges[e, 1]
            ui, uj = unknowns[i], unknowns[j]
            if ui >= 0 and owner[i] == part:
                add_diagonal(block, slots[e, 0], lengths[ui], values)
            if uj >= 0 and owner[j] == part:
                add_diagonal(block, slots[e, 2], lengths[uj], values)
            if ui >= 0 and uj >= 0 and owner[i if ui < uj else j] == part:
                subtract_beside(block, slots[e, 1], lengths[min(ui, uj)], values)
