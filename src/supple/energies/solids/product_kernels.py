"""Fused loops of the tetrahedral solid for sweeps over runs: products with the Hessian, and pulls to constants and rest shape.

With L = sum_a (lam_a - lam_0) g_a^T, the analogue of F for lam, and sums over all samples:

    V'' lam     forces of the stress C:L, as for P (kernels.py)
    constants   d/dtheta [lam . V'] = volume dP/dtheta : L
    rest shape  d/dX_a [lam . V'] = volume Q g_a,   Q = (P:L) I - F^T (C:L) - L^T P
since a change dX of the rest positions with the gradient G = sum_a dX_a g_a^T has dF = -F G, dL = -L G, dvolume = volume tr G.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.energies.solids.kernels import INDEX, deformation
from supple.materials.address import call_response, call_sensitivity, call_tangent
from supple.materials.kernel import FAST, LANES, batch, gather, pair


@njit(cache=True, nogil=True, **FAST)
def _contracted(C, L, T):
    """T (9 W) = C:L, with C the packed upper half of the tangent."""
    W = LANES
    T[:] = 0.0
    for r in range(9):
        for c in range(9):
            at = pair(min(r, c), max(r, c)) * W
            for q in range(W):
                T[r * W + q] += C[at + q] * L[c * W + q]


@njit(cache=True, nogil=True, **FAST)
def product_part(part, tangent, table, xs, curvature, move, tets, shape, volume, owner, chosen, out):
    """out (n, 3) += weighted Hessian times `move` at the vertices of the part."""
    W = LANES
    ids, constants = np.empty(W, np.int32), np.empty(table.shape[1] * W)
    F, L, T = np.empty(9 * W), np.empty(9 * W), np.empty(9 * W)
    C, total, f = np.empty(45 * W), np.empty(45 * W), np.empty((4, 3))
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
        deformation(move, tets, shape, ids, L)
        _contracted(total, L, T)
        for q in range(count):
            e = INDEX(ids[q])
            _spread(T, q, volume[e], shape[e], f)
            for a in range(4):
                v = INDEX(tets[e, a])
                if owner[v] == part:
                    for i in range(3):
                        out[v, i] += f[a, i]


@njit(cache=True, nogil=True, **FAST)
def work_part(first, last, response, table, xs, force, lam, tets, shape, volume, out):
    """out (m,) = volume sum_q force_q P:L of the tets first ... last - 1."""
    W = LANES
    ids, chosen = np.empty(W, np.int32), np.arange(first, last).astype(np.int32)
    constants = np.empty(table.shape[1] * W)
    F, L, P, psi, sums = np.empty(9 * W), np.empty(9 * W), np.empty(9 * W), np.empty(W), np.empty(W)
    for start in range(0, chosen.size, W):
        count = batch(chosen, start, ids)
        gather(table, ids, constants)
        sums[:] = 0.0
        deformation(lam, tets, shape, ids, L)
        for s in range(xs.shape[0]):
            deformation(xs[s], tets, shape, ids, F)
            call_response(response, constants, F, psi, P)
            for r in range(9):
                for q in range(W):
                    sums[q] += force[s] * P[r * W + q] * L[r * W + q]
        for q in range(count):
            out[ids[q]] = volume[ids[q]] * sums[q]


@njit(cache=True, nogil=True, **FAST)
def _spread(T, q, vol, g, f):
    """f (4, 3): f_a = vol T g_a of one lane, corner 0 minus the sum of the others."""
    W = LANES
    for i in range(3):
        t0, t1, t2 = vol * T[3 * i * W + q], vol * T[(3 * i + 1) * W + q], vol * T[(3 * i + 2) * W + q]
        for a in range(3):
            f[a + 1, i] = t0 * g[a, 0] + t1 * g[a, 1] + t2 * g[a, 2]
        f[0, i] = -(f[1, i] + f[2, i] + f[3, i])


@njit(cache=True, nogil=True, **FAST)
def _add_rest(weight, F, L, P, T, Q):
    """Q (9 W) += weight [(P:L) I - F^T T - L^T P]."""
    W = LANES
    for q in range(W):
        power = 0.0
        for r in range(9):
            power += P[r * W + q] * L[r * W + q]
        for i in range(3):
            Q[4 * i * W + q] += weight * power
    for i in range(3):
        for j in range(3):
            for k in range(3):
                for q in range(W):
                    turned = (
                        F[(3 * k + i) * W + q] * T[(3 * k + j) * W + q]
                        + L[(3 * k + i) * W + q] * P[(3 * k + j) * W + q]
                    )
                    Q[(3 * i + j) * W + q] -= weight * turned


@njit(cache=True, nogil=True, **FAST)
def pull_part(first, last, law, table, xs, force, lam, tets, shape, volume, by_constants, by_corners):
    """by_constants (m, c) and by_corners (m, 4, 3), of the rest positions, of the tets first ... last - 1; law:
    addresses of response, tangent and sensitivity; the last is 0 for a law without it, whose by_constants stay
    unchanged."""
    W, count_c = LANES, table.shape[1]
    response, tangent, sensitivity = law
    ids, chosen = np.empty(W, np.int32), np.arange(first, last).astype(np.int32)
    constants, dpsi, dP = np.empty(count_c * W), np.empty(count_c * W), np.empty(9 * count_c * W)
    F, L, P, T, Q = np.empty(9 * W), np.empty(9 * W), np.empty(9 * W), np.empty(9 * W), np.empty(9 * W)
    C, psi, sums = np.empty(45 * W), np.empty(W), np.empty(count_c * W)
    for start in range(0, chosen.size, W):
        count = batch(chosen, start, ids)
        gather(table, ids, constants)
        Q[:] = 0.0
        sums[:] = 0.0
        deformation(lam, tets, shape, ids, L)
        for s in range(xs.shape[0]):
            deformation(xs[s], tets, shape, ids, F)
            call_response(response, constants, F, psi, P)
            call_tangent(tangent, constants, F, C)
            _contracted(C, L, T)
            _add_rest(force[s], F, L, P, T, Q)
            if sensitivity != 0:
                call_sensitivity(sensitivity, constants, F, dpsi, dP)
                for k in range(count_c):
                    for r in range(9):
                        for q in range(W):
                            sums[k * W + q] += force[s] * dP[(9 * k + r) * W + q] * L[r * W + q]
        for q in range(count):
            e = INDEX(ids[q])
            _spread(Q, q, volume[e], shape[e], by_corners[e])
            if sensitivity != 0:
                for k in range(count_c):
                    by_constants[e, k] = volume[e] * sums[k * W + q]
