"""Loops over particles and over the cells that contain them; see point_solid.py.

Particles are processed in batches of LANES for the law, which is called by its address. Then each cell sums the
contributions of its particles and scatters them once: one part of the vertices at a time (linalg/parts.py), in the
order of cells.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.linalg.scatter import add_block
from supple.materials.address import call_projection, call_response, call_tangent
from supple.materials.kernel import FAST, LANES, gather, pair

INDEX = np.uintp


@njit(cache=True, nogil=True, **FAST)
def _deformation(x, corners, cell, B, ids, F):
    """F' of a batch, with positions relative to the first corner."""
    for q in range(LANES):
        p = INDEX(ids[q])
        e = INDEX(cell[p])
        first = INDEX(corners[e, 0])
        for r in range(9):
            F[r * LANES + q] = 0.0
        for k in range(corners.shape[1]):
            v = INDEX(corners[e, k])
            for i in range(3):
                y = x[v, i] - x[first, i]
                for j in range(3):
                    F[(3 * i + j) * LANES + q] += y * B[p, k, j]


@njit(cache=True, nogil=True)
def _batch(start, stop, ids):
    """Particle indices of a batch; lanes beyond the end repeat the last one."""
    for q in range(LANES):
        ids[q] = min(start + q, stop - 1)
    return min(LANES, stop - start)


@njit(cache=True, nogil=True, **FAST)
def stress_part(begin, stop, response, table, xs, energy, force, corners, cell, B, volume, values, stress):
    """values (n,) = weighted energies, stress (n, 9) = weighted volume * P of particles begin:stop."""
    W = LANES
    ids, constants = np.empty(W, np.int32), np.empty(table.shape[1] * W)
    F, P, total, psi, sums = np.empty(9 * W), np.empty(9 * W), np.empty(9 * W), np.empty(W), np.empty(W)
    for start in range(begin, stop, W):
        count = _batch(start, stop, ids)
        gather(table, ids, constants)
        total[:] = 0.0
        sums[:] = 0.0
        for s in range(xs.shape[0]):
            _deformation(xs[s], corners, cell, B, ids, F)
            call_response(response, constants, F, psi, P)
            for r in range(9 * W):
                total[r] += force[s] * P[r]
            for q in range(W):
                sums[q] += energy[s] * psi[q]
        for q in range(count):
            p = INDEX(start + q)
            values[p] = volume[p] * sums[q]
            for r in range(9):
                stress[p, r] = volume[p] * total[r * W + q]


@njit(cache=True, nogil=True, **FAST)
def gradient_part(part, corners, start, B, stress, owner, chosen, out):
    """out (N, 3) += forces at the nodes of the part."""
    k = corners.shape[1]
    f = np.empty((k, 3))
    for e in chosen:
        f[:] = 0.0
        for p in range(start[e], start[e + 1]):
            for a in range(k):
                for i in range(3):
                    f[a, i] += (
                        stress[p, 3 * i] * B[p, a, 0]
                        + stress[p, 3 * i + 1] * B[p, a, 1]
                        + stress[p, 3 * i + 2] * B[p, a, 2]
                    )
        for a in range(k):
            v = corners[e, a]
            if owner[v] == part:
                for i in range(3):
                    out[v, i] += f[a, i]


@njit(cache=True, nogil=True, **FAST)
def tangent_part(begin, stop, tangent, table, xs, curvature, corners, cell, B, volume, projection, out):
    """out (n, 45) = weighted volume * packed tangents of particles begin:stop; `projection`: see solids/projection.py."""
    W = LANES
    ids, constants = np.empty(W, np.int32), np.empty(table.shape[1] * W)
    F, C, total = np.empty(9 * W), np.empty(45 * W), np.empty(45 * W)
    for start in range(begin, stop, W):
        count = _batch(start, stop, ids)
        gather(table, ids, constants)
        total[:] = 0.0
        for s in range(xs.shape[0]):
            _deformation(xs[s], corners, cell, B, ids, F)
            call_tangent(tangent, constants, F, C)
            for r in range(45 * W):
                total[r] += curvature[s] * C[r]
        if projection != 0:
            call_projection(projection, total)
        for q in range(count):
            p = INDEX(start + q)
            for r in range(45):
                out[p, r] = volume[p] * total[r * W + q]


@njit(cache=True, nogil=True, **FAST)
def _add_particle(C, B, t, K):
    """K (3k, 3k) += B_aj C_ijkl B_bl of one particle, blocks a <= b."""
    k = B.shape[0]
    for b in range(k):
        b0, b1, b2 = B[b, 0], B[b, 1], B[b, 2]
        for r in range(9):  # t_r,i = sum_l C_r,il B_bl
            for i in range(3):
                t[r, i] = C[r, 3 * i] * b0 + C[r, 3 * i + 1] * b1 + C[r, 3 * i + 2] * b2
        for a in range(b + 1):
            a0, a1, a2 = B[a, 0], B[a, 1], B[a, 2]
            for i in range(3):
                for j in range(3):
                    K[3 * a + i, 3 * b + j] += a0 * t[3 * i, j] + a1 * t[3 * i + 1, j] + a2 * t[3 * i + 2, j]


@njit(cache=True, nogil=True, **FAST)
def hessian_part(part, corners, start, B, tangents, owner, chosen, unknowns, lengths, slots, values):
    """values += stiffness of the cells at the rows of the part; tangents (n, 45) packed."""
    k = corners.shape[1]
    K, C, t = np.empty((3 * k, 3 * k)), np.empty((9, 9)), np.empty((9, 3))
    for e in chosen:
        K[:] = 0.0
        for p in range(start[e], start[e + 1]):
            for r in range(9):
                for c in range(r, 9):
                    C[r, c] = C[c, r] = tangents[p, pair(r, c)]
            _add_particle(C, B[p], t, K)
        s = 0
        for a in range(k):
            for b in range(a, k):
                slot = slots[e, s]
                s += 1
                if slot >= 0 and owner[corners[e, a]] == part:  # corners ascend: a is the row
                    add_block(slot, lengths[unknowns[corners[e, a]]], a == b, False, K, 3 * a, 3 * b, values)


@njit(cache=True, nogil=True, **FAST)
def carried_hessian_part(
    part, corners, start, order, w, blocks, stiff, owner, chosen, unknowns, lengths, slots, values
):
    """values += w_a w_b blocks_p (n, 3, 3) of all particles that are `stiff`, at the rows of the part."""
    k = corners.shape[1]
    K = np.empty((3, 3))
    for e in chosen:
        for q in range(start[e], start[e + 1]):
            p = order[q]
            if not stiff[p]:
                continue
            s = 0
            for a in range(k):
                for b in range(a, k):
                    slot = slots[e, s]
                    s += 1
                    if slot >= 0 and owner[corners[e, a]] == part:
                        factor = w[p, a] * w[p, b]
                        for i in range(3):
                            for j in range(3):
                                K[i, j] = factor * blocks[p, i, j]
                        add_block(slot, lengths[unknowns[corners[e, a]]], a == b, False, K, 0, 0, values)
