"""Fused loops of the tetrahedral solid: positions -> deformation gradient -> law -> global vector or matrix.

Batches of LANES tets, lane innermost (see materials/kernel.py). F_ij = sum_a (x_a - x_0)_i g_aj over corners a = 1..3,
with g_a the gradient of corner a's shape function; corner 0 has minus their sum. All samples of a stage are summed in
stress and tangent before contraction and scattering, so a second sample costs little. The loops do not depend on
the law, which they call by its address (materials/address.py): one compiled loop serves all. Each call processes one
part of the vertices (linalg/parts.py); parts run concurrently in threads (linalg/pool.py).

Tet, vertex and slot numbers are cast to unsigned before indexing. For signed indices Numba adds a test for negative
values to every access, which takes a third of the scattering time.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.energies.solids.contraction import contract
from supple.materials.address import call_projection, call_response, call_tangent
from supple.materials.kernel import FAST, LANES, batch, gather

INDEX = np.uintp
ONE, TWO = INDEX(1), INDEX(2)
LANE = INDEX(LANES)


@njit(cache=True, nogil=True, **FAST)
def deformation(x, tets, shape, ids, F):
    W = LANES
    for q in range(W):
        e = INDEX(ids[q])
        v0, v1, v2, v3 = INDEX(tets[e, 0]), INDEX(tets[e, 1]), INDEX(tets[e, 2]), INDEX(tets[e, 3])
        for i in range(3):
            x0 = x[v0, i]
            d1, d2, d3 = x[v1, i] - x0, x[v2, i] - x0, x[v3, i] - x0
            for j in range(3):
                F[(3 * i + j) * W + q] = d1 * shape[e, 0, j] + d2 * shape[e, 1, j] + d3 * shape[e, 2, j]


@njit(cache=True, nogil=True, **FAST)
def gradient_part(part, response, table, xs, energy, force, tets, shape, volume, owner, chosen, values, out):
    """out (n, 3) += weighted gradient at the vertices of the part; values (m,) = weighted energies of `chosen` tets."""
    W = LANES
    ids, constants = np.empty(W, np.int32), np.empty(table.shape[1] * W)
    F, P, total, psi, sums = np.empty(9 * W), np.empty(9 * W), np.empty(9 * W), np.empty(W), np.empty(W)
    f = np.empty(12)
    for start in range(0, chosen.size, W):
        count = batch(chosen, start, ids)
        gather(table, ids, constants)
        total[:] = 0.0
        sums[:] = 0.0
        for s in range(xs.shape[0]):
            deformation(xs[s], tets, shape, ids, F)
            call_response(response, constants, F, psi, P)
            weight = force[s]
            for r in range(9 * W):
                total[r] += weight * P[r]
            for q in range(W):
                sums[q] += energy[s] * psi[q]
        for q in range(count):
            e = INDEX(ids[q])
            vol = volume[e]
            values[e] = vol * sums[q]
            for i in range(3):
                t0, t1, t2 = (
                    vol * total[3 * i * W + q],
                    vol * total[(3 * i + 1) * W + q],
                    vol * total[(3 * i + 2) * W + q],
                )
                f1 = t0 * shape[e, 0, 0] + t1 * shape[e, 0, 1] + t2 * shape[e, 0, 2]
                f2 = t0 * shape[e, 1, 0] + t1 * shape[e, 1, 1] + t2 * shape[e, 1, 2]
                f3 = t0 * shape[e, 2, 0] + t1 * shape[e, 2, 1] + t2 * shape[e, 2, 2]
                f[i], f[3 + i], f[6 + i], f[9 + i] = -(f1 + f2 + f3), f1, f2, f3
            for a in range(4):
                v = INDEX(tets[e, a])
                if owner[v] == part:
                    out[v, 0] += f[3 * a]
                    out[v, 1] += f[3 * a + 1]
                    out[v, 2] += f[3 * a + 2]


@njit(cache=True, nogil=True)
def gather_shape(ids, shape, volume, g):
    """Shape gradients and volumes of a batch, as `contract` takes them."""
    for q in range(LANES):
        e = INDEX(ids[q])
        for a in range(3):
            for j in range(3):
                g[(3 * a + j) * LANES + q] = shape[e, a, j]
        g[9 * LANES + q] = volume[e]


@njit(cache=True, nogil=True, inline="always")
def _block(a, b):
    """Index of block (a, b), a <= b, of a tet."""
    return a * 4 - a * (a - 1) // 2 + b - a


@njit(cache=True, nogil=True)
def _scatter(K, q, e, tets, slots, lengths, part, owner, unknowns, values):
    """Add the blocks of one lane; corners ascend, so every block lies in the upper triangle."""
    W = LANE
    for a in range(4):
        v = INDEX(tets[e, a])
        if owner[v] != part or unknowns[v] < 0:
            continue
        length = INDEX(lengths[INDEX(unknowns[v])])
        first = _block(a, a)
        s = INDEX(slots[e, first])
        at = INDEX(9 * first * LANES + q)
        values[s] += K[at]
        values[s + ONE] += K[at + W]
        values[s + TWO] += K[at + TWO * W]
        values[s + length] += K[at + INDEX(4) * W]
        values[s + length + ONE] += K[at + INDEX(5) * W]
        values[s + TWO * length - ONE] += K[at + INDEX(8) * W]
        for b in range(a + 1, 4):
            slot = slots[e, first + b - a]
            if slot < 0:
                continue
            s = INDEX(slot)
            at = INDEX(9 * (first + b - a) * LANES + q)
            for i in range(3):
                values[s] += K[at]
                values[s + ONE] += K[at + W]
                values[s + TWO] += K[at + TWO * W]
                s += length - ONE - INDEX(i)
                at += INDEX(3) * W


@njit(cache=True, nogil=True, **FAST)
def hessian_part(
    part,
    tangent,
    table,
    xs,
    curvature,
    tets,
    shape,
    volume,
    owner,
    chosen,
    unknowns,
    lengths,
    slots,
    projection,
    values,
):
    """values += weighted Hessian in the upper triangle, rows of the part's vertices; `projection`: an address, or 0."""
    W = LANES
    ids, constants = np.empty(W, np.int32), np.empty(table.shape[1] * W)
    F, g, K = np.empty(9 * W), np.empty(10 * W), np.empty(90 * W)
    C, total = np.empty(45 * W), np.empty(45 * W)
    for start in range(0, chosen.size, W):
        count = batch(chosen, start, ids)
        gather(table, ids, constants)
        total[:] = 0.0
        for s in range(xs.shape[0]):
            deformation(xs[s], tets, shape, ids, F)
            call_tangent(tangent, constants, F, C)
            weight = curvature[s]
            for r in range(45 * W):
                total[r] += weight * C[r]
        if projection != 0:
            call_projection(projection, total)
        gather_shape(ids, shape, volume, g)
        contract(total, g, K)
        for q in range(count):
            _scatter(K, q, INDEX(ids[q]), tets, slots, lengths, part, owner, unknowns, values)


@njit(cache=True, nogil=True, **FAST)
def stiffness_part(first, last, tangent, table, x, tets, shape, volume, projection, out):
    """out (m, 12, 12) = stiffness of the tets first ... last - 1; `projection`: the address of the function that makes
    tangents positive semidefinite, or 0 to leave them unchanged."""
    W = LANES
    ids, chosen = np.empty(W, np.int32), np.arange(first, last).astype(np.int32)
    constants = np.empty(table.shape[1] * W)
    F, g, K, C = np.empty(9 * W), np.empty(10 * W), np.empty(90 * W), np.empty(45 * W)
    for start in range(0, chosen.size, W):
        count = batch(chosen, start, ids)
        gather(table, ids, constants)
        deformation(x, tets, shape, ids, F)
        call_tangent(tangent, constants, F, C)
        if projection != 0:
            call_projection(projection, C)
        gather_shape(ids, shape, volume, g)
        contract(C, g, K)
        for q in range(count):
            e = ids[q]
            for a in range(4):
                for b in range(a, 4):
                    at = 9 * _block(a, b) * W + q
                    for i in range(3):
                        for j in range(3):
                            entry = K[at + (3 * i + j) * W]
                            out[e, 3 * a + i, 3 * b + j] = entry
                            out[e, 3 * b + j, 3 * a + i] = entry
