"""Fused loops of the mean gradient of strain_form.py and its derivative: positions -> mean stress -> global vector or matrix.

B(F) is the derivative of C/2 with respect to the corners at a deformation gradient F (six rows, nine columns: corners
1..3; corner 0 has minus their sum). With g_a the gradients of shape functions, A = d alpha/dF1 and h the slope of 2 W'
with respect to C,

    force = volume B(F_m)^T S,   K = volume { B(F_m)^T [(h + 4 alpha) B(F1) + 2 D (A g)^T] + 1/2 (g_a . S g_b) I }
Each loop processes one part of the vertices, as in kernels.py.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.energies.solids.kernels import INDEX, deformation, gather_shape
from supple.energies.solids.strain_lanes import (
    PLACE,
    corrections,
    exact_stress,
    midpoint_stress,
    orientations,
    same_constants,
    strains,
)
from supple.energies.solids.tangent_lanes import (
    add_slopes,
    alpha_slopes,
    contract,
    rest_slopes,
    slopes,
    stiffen,
    strain_matrices,
)
from supple.materials.address import call_response, call_tangent
from supple.materials.kernel import FAST, LANES, batch, gather


@njit(cache=True, nogil=True, **FAST)
def mean_gradient_part(part, response, tangent, exact, table, x0, x1, tets, shape, volume, owner, chosen, out):
    """out (n, 3) += mean gradient at the vertices of the part; returns the number of tets without one. `exact`: the law
    is quadratic in C."""
    W = LANES
    ids, constants = np.empty(W, np.int32), np.empty(table.shape[1] * W)
    F0, F1, U, P = np.empty((9, W)), np.empty((9, W)), np.empty((9, W)), np.empty((9, W))
    Cm, D, V, S, T = np.empty((6, W)), np.empty((6, W)), np.empty((6, W)), np.empty((6, W)), np.empty((45, W))
    psi, sign, alpha, weight = np.empty((2, W)), np.empty(W), np.empty(W), np.empty(W)
    spare, slope, f = np.empty((4, 9, W)), np.empty((6, 6, W)), np.empty(12)
    known, rest = np.full(W, -1, np.int32), np.empty((6, W))
    flat = 0
    for start in range(0, chosen.size, W):
        count = batch(chosen, start, ids)
        gather(table, ids, constants)
        deformation(x0, tets, shape, ids, F0.reshape(-1))
        deformation(x1, tets, shape, ids, F1.reshape(-1))
        strains(F0, F1, Cm, D)
        if exact:
            if not same_constants(table, ids, known):
                rest_slopes(response, tangent, constants, U, V, P, psi[0], T, spare, rest, slope)
            exact_stress(Cm, rest, slope, S)
        else:
            orientations(F0, F1, sign)
            flat += midpoint_stress(response, constants, Cm, sign, U, V, P, psi[0], S)
            corrections(response, constants, F0, F1, Cm, D, sign, V, S, spare, P, psi, alpha, weight)
            for r in range(6):
                for q in range(W):
                    S[r, q] += 2.0 * alpha[q] * D[r, q]
        _stresses(F0, F1, S, P)
        for q in range(count):
            e = INDEX(ids[q])
            _forces(P, q, e, shape, volume, f)
            for a in range(4):
                v = INDEX(tets[e, a])
                if owner[v] == part:
                    out[v, 0] += f[3 * a]
                    out[v, 1] += f[3 * a + 1]
                    out[v, 2] += f[3 * a + 2]
    return flat


@njit(cache=True, nogil=True, **FAST)
def _stresses(F0, F1, S, P):
    """F_m S."""
    for i in range(3):
        for j in range(3):
            a, b, c = PLACE[0][j], PLACE[1][j], PLACE[2][j]
            for q in range(LANES):
                P[3 * i + j, q] = 0.5 * (
                    (F0[3 * i, q] + F1[3 * i, q]) * S[a, q]
                    + (F0[3 * i + 1, q] + F1[3 * i + 1, q]) * S[b, q]
                    + (F0[3 * i + 2, q] + F1[3 * i + 2, q]) * S[c, q]
                )


@njit(cache=True, nogil=True, **FAST)
def _forces(P, q, e, shape, volume, f):
    vol = volume[e]
    for i in range(3):
        t0, t1, t2 = vol * P[3 * i, q], vol * P[3 * i + 1, q], vol * P[3 * i + 2, q]
        f1 = t0 * shape[e, 0, 0] + t1 * shape[e, 0, 1] + t2 * shape[e, 0, 2]
        f2 = t0 * shape[e, 1, 0] + t1 * shape[e, 1, 1] + t2 * shape[e, 1, 2]
        f3 = t0 * shape[e, 2, 0] + t1 * shape[e, 2, 1] + t2 * shape[e, 2, 2]
        f[i], f[3 + i], f[6 + i], f[9 + i] = -(f1 + f2 + f3), f1, f2, f3


@njit(cache=True, nogil=True, **FAST)
def mean_jacobian_part(
    part,
    response,
    tangent,
    exact,
    table,
    x0,
    x1,
    tets,
    shape,
    volume,
    owner,
    chosen,
    unknowns,
    lengths,
    slots,
    values,
):
    """values += derivative of the mean gradient with respect to x1 in the square pattern, rows of the part's vertices;
    returns the number of tets without one."""
    W = LANES
    ids, constants = np.empty(W, np.int32), np.empty(table.shape[1] * W)
    F0, F1, U, P = np.empty((9, W)), np.empty((9, W)), np.empty((9, W)), np.empty((9, W))
    Cm, D, V, S, T = np.empty((6, W)), np.empty((6, W)), np.empty((6, W)), np.empty((6, W)), np.empty((45, W))
    psi, sign, alpha, weight = np.empty((2, W)), np.empty(W), np.empty(W), np.empty(W)
    spare, g, slope, K = np.empty((4, 9, W)), np.empty((10, W)), np.empty((6, 6, W)), np.empty((9, 9, W))
    B0, B1, HB = np.empty((6, 9, W)), np.empty((6, 9, W)), np.empty((6, 9, W))
    known, rest = np.full(W, -1, np.int32), np.empty((6, W))
    flat = 0
    for start in range(0, chosen.size, W):
        count = batch(chosen, start, ids)
        gather(table, ids, constants)
        deformation(x0, tets, shape, ids, F0.reshape(-1))
        deformation(x1, tets, shape, ids, F1.reshape(-1))
        strains(F0, F1, Cm, D)
        gather_shape(ids, shape, volume, g.reshape(-1))
        if exact:
            if not same_constants(table, ids, known):
                rest_slopes(response, tangent, constants, U, V, P, psi[0], T, spare, rest, slope)
            exact_stress(Cm, rest, slope, S)
        else:
            orientations(F0, F1, sign)
            flat += midpoint_stress(response, constants, Cm, sign, U, V, P, psi[0], S)
            call_tangent(tangent, constants, U, T)
            corrections(response, constants, F0, F1, Cm, D, sign, V, S, spare, P, psi, alpha, weight)
            slopes(V, T, S, spare, slope)
            call_response(response, constants, F1, psi[0], P)
            alpha_slopes(F1, P, S, D, slope, alpha, weight, spare)
            _correct(alpha, D, S, slope)
        _middle(F0, F1, U)
        strain_matrices(F1, g, B1)
        strain_matrices(U, g, B0)
        stiffen(slope, B1, HB)
        if not exact:
            add_slopes(D, spare, g, HB)
        contract(B0, HB, S, g, K)
        for q in range(count):
            _scatter(K, q, INDEX(ids[q]), tets, slots, lengths, part, owner, unknowns, values)
    return flat


@njit(cache=True, nogil=True, **FAST)
def _correct(alpha, D, S, slope):
    """S += 2 alpha D, slope += 4 alpha."""
    for v in range(6):
        for q in range(LANES):
            S[v, q] += 2.0 * alpha[q] * D[v, q]
            slope[v, v, q] += (4.0 if v < 3 else 2.0) * alpha[q]


@njit(cache=True, nogil=True, **FAST)
def _middle(F0, F1, F):
    for r in range(9):
        for q in range(LANES):
            F[r, q] = 0.5 * (F0[r, q] + F1[r, q])


@njit(cache=True, nogil=True)
def _scatter(K, q, e, tets, slots, lengths, part, owner, unknowns, values):
    """Add the rows of one lane that the part owns; rows and columns of corner 0 are minus the sum of the others."""
    for a in range(4):
        v = INDEX(tets[e, a])
        if owner[v] != part or unknowns[v] < 0:
            continue
        length = INDEX(lengths[INDEX(unknowns[v])])
        for i in range(3):
            for j in range(3):
                if a > 0:
                    r = 3 * (a - 1) + i
                    k1, k2, k3 = K[r, j, q], K[r, 3 + j, q], K[r, 6 + j, q]
                else:
                    k1 = -(K[i, j, q] + K[3 + i, j, q] + K[6 + i, j, q])
                    k2 = -(K[i, 3 + j, q] + K[3 + i, 3 + j, q] + K[6 + i, 3 + j, q])
                    k3 = -(K[i, 6 + j, q] + K[3 + i, 6 + j, q] + K[6 + i, 6 + j, q])
                at = INDEX(i) * length + INDEX(j)
                if slots[e, 4 * a] >= 0:
                    values[INDEX(slots[e, 4 * a]) + at] -= k1 + k2 + k3
                if slots[e, 4 * a + 1] >= 0:
                    values[INDEX(slots[e, 4 * a + 1]) + at] += k1
                if slots[e, 4 * a + 2] >= 0:
                    values[INDEX(slots[e, 4 * a + 2]) + at] += k2
                if slots[e, 4 * a + 3] >= 0:
                    values[INDEX(slots[e, 4 * a + 3]) + at] += k3
