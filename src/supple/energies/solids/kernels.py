"""Fused loops of the tetrahedral solid: positions -> deformation gradient -> material -> global vector or matrix.

Batches of LANES tets, lane innermost (see materials/kernel.py). F_ij = sum_a (x_a - x_0)_i g_aj over corners a = 1..3,
with g_a the gradient of corner a's shape function; corner 0 has minus their sum. All samples of a stage are summed in
stress and tangent before anything is contracted or scattered, so a second sample costs little. The parallel loops pass
their index on as int64, since Numba would otherwise compile every body twice, for signed and unsigned ones.
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from supple.energies.solids.contraction import contract
from supple.linalg.threads import calm_workers
from supple.materials.kernel import FAST, LANES, pair, response, tangent, unpack

calm_workers()


@njit(cache=True, nogil=True, **FAST)
def _deformation(x, tets, shape, ids, F):
    W = LANES
    for q in range(W):
        e = ids[q]
        v0, v1, v2, v3 = tets[e, 0], tets[e, 1], tets[e, 2], tets[e, 3]
        for i in range(3):
            x0 = x[v0, i]
            d1, d2, d3 = x[v1, i] - x0, x[v2, i] - x0, x[v3, i] - x0
            for j in range(3):
                F[(3 * i + j) * W + q] = d1 * shape[e, 0, j] + d2 * shape[e, 1, j] + d3 * shape[e, 2, j]


@njit(cache=True, nogil=True)
def _batch(chosen, start, ids):
    """Element numbers of a batch; lanes beyond the end repeat the last one."""
    last = chosen.size - 1
    for q in range(LANES):
        ids[q] = chosen[min(start + q, last)]
    return min(LANES, chosen.size - start)


@njit(cache=True, nogil=True, **FAST)
def _gradient_part(part, p, xs, energy, force, tets, shape, volume, owner, chosen, values, out):
    W = LANES
    ids = np.empty(W, np.int32)
    F, P, total, psi, sums = np.empty(9 * W), np.empty(9 * W), np.empty(9 * W), np.empty(W), np.empty(W)
    f = np.empty(12)
    for start in range(0, chosen.size, W):
        count = _batch(chosen, start, ids)
        total[:] = 0.0
        sums[:] = 0.0
        for s in range(xs.shape[0]):
            _deformation(xs[s], tets, shape, ids, F)
            response(p, ids, F, psi, P)
            weight = force[s]
            for r in range(9 * W):
                total[r] += weight * P[r]
            for q in range(W):
                sums[q] += energy[s] * psi[q]
        for q in range(count):
            e = ids[q]
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
                v = tets[e, a]
                if owner[v] == part:
                    out[v, 0] += f[3 * a]
                    out[v, 1] += f[3 * a + 1]
                    out[v, 2] += f[3 * a + 2]


@njit(cache=True, parallel=True)
def gradient(p, xs, energy, force, tets, shape, volume, owner, start, chosen, values, out):
    """out (n, 3) += weighted gradient; values (m,) = weighted element energies."""
    for part in prange(start.size - 1):
        mine = chosen[start[part] : start[part + 1]]
        _gradient_part(np.int64(part), p, xs, energy, force, tets, shape, volume, owner, mine, values, out)


@njit(cache=True, nogil=True)
def _project(C, full):
    """Clamp the negative eigenvalues of each lane's tangent."""
    for q in range(LANES):
        unpack(C, full, q)
        eigenvalues, vectors = np.linalg.eigh(full)
        if eigenvalues[0] < 0.0:
            for r in range(9):
                for c in range(r, 9):
                    entry = 0.0
                    for m in range(9):
                        if eigenvalues[m] > 0.0:
                            entry += eigenvalues[m] * vectors[r, m] * vectors[c, m]
                    C[pair(r, c) * LANES + q] = entry


@njit(cache=True, nogil=True)
def _gather_shape(ids, shape, volume, g):
    """Shape gradients and volumes of a batch, as `contract` wants them."""
    for q in range(LANES):
        e = ids[q]
        for a in range(3):
            for j in range(3):
                g[(3 * a + j) * LANES + q] = shape[e, a, j]
        g[9 * LANES + q] = volume[e]


@njit(cache=True, nogil=True, inline="always")
def _block(a, b):
    """Number of block (a, b), a <= b, of a tet."""
    return a * 4 - a * (a - 1) // 2 + b - a


@njit(cache=True, nogil=True)
def _scatter(K, q, e, tets, slots, lengths, part, owner, unknowns, values):
    """Add the blocks of one lane; corners ascend, so every block lies in the upper triangle."""
    W = LANES
    for a in range(4):
        v = tets[e, a]
        if owner[v] != part or unknowns[v] < 0:
            continue
        length = lengths[unknowns[v]]
        first = _block(a, a)
        s = slots[e, first]
        at = 9 * first * W + q
        values[s] += K[at]
        values[s + 1] += K[at + W]
        values[s + 2] += K[at + 2 * W]
        values[s + length] += K[at + 4 * W]
        values[s + length + 1] += K[at + 5 * W]
        values[s + 2 * length - 1] += K[at + 8 * W]
        for b in range(a + 1, 4):
            s = slots[e, first + b - a]
            if s < 0:
                continue
            at = 9 * (first + b - a) * W + q
            values[s] += K[at]
            values[s + 1] += K[at + W]
            values[s + 2] += K[at + 2 * W]
            s += length - 1
            values[s] += K[at + 3 * W]
            values[s + 1] += K[at + 4 * W]
            values[s + 2] += K[at + 5 * W]
            s += length - 2
            values[s] += K[at + 6 * W]
            values[s + 1] += K[at + 7 * W]
            values[s + 2] += K[at + 8 * W]


@njit(cache=True, nogil=True, **FAST)
def _hessian_part(
    part, p, xs, curvature, tets, shape, volume, owner, chosen, unknowns, lengths, slots, project, values
):
    W = LANES
    ids = np.empty(W, np.int32)
    F, g, K = np.empty(9 * W), np.empty(10 * W), np.empty(90 * W)
    C, total, full = np.empty(45 * W), np.empty(45 * W), np.empty((9, 9))
    for start in range(0, chosen.size, W):
        count = _batch(chosen, start, ids)
        total[:] = 0.0
        for s in range(xs.shape[0]):
            _deformation(xs[s], tets, shape, ids, F)
            tangent(p, ids, F, C)
            weight = curvature[s]
            for r in range(45 * W):
                total[r] += weight * C[r]
        if project:
            _project(total, full)
        _gather_shape(ids, shape, volume, g)
        contract(total, g, K)
        for q in range(count):
            _scatter(K, q, ids[q], tets, slots, lengths, part, owner, unknowns, values)


@njit(cache=True, parallel=True)
def hessian(p, xs, curvature, tets, shape, volume, owner, start, chosen, unknowns, lengths, slots, project, values):
    """values += weighted Hessian in the upper triangle."""
    for part in prange(start.size - 1):
        mine = chosen[start[part] : start[part + 1]]
        _hessian_part(
            np.int64(part),
            p,
            xs,
            curvature,
            tets,
            shape,
            volume,
            owner,
            mine,
            unknowns,
            lengths,
            slots,
            project,
            values,
        )


@njit(cache=True, nogil=True, **FAST)
def _projected_part(first, last, p, x, tets, shape, volume, out):
    W = LANES
    ids, chosen = np.empty(W, np.int32), np.arange(first, last).astype(np.int32)
    F, g, K = np.empty(9 * W), np.empty(10 * W), np.empty(90 * W)
    C, full = np.empty(45 * W), np.empty((9, 9))
    for start in range(0, chosen.size, W):
        count = _batch(chosen, start, ids)
        _deformation(x, tets, shape, ids, F)
        tangent(p, ids, F, C)
        _project(C, full)
        _gather_shape(ids, shape, volume, g)
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


@njit(cache=True, parallel=True)
def projected(p, x, tets, shape, volume, parts, out):
    """out (m, 12, 12) = stiffness of every tet, from its tangent made positive semidefinite."""
    m = tets.shape[0]
    for part in prange(parts):
        k = np.int64(part)
        _projected_part(k * m // parts, (k + 1) * m // parts, p, x, tets, shape, volume, out)
