"""Fused loops of membranes: positions -> F = (f, g) -> strain -> law -> global vector or matrix.

Batches of LANES triangles, lane innermost (see materials/kernel.py). f and g are the columns of F (3x2):
f = d1 s00 + d2 s10, g = d1 s01 + d2 s11 with d_a = x_a - x_0 and s the gradients of the shape functions of corners 1 and 2;
corner 0 has minus their sum. e = ((f.f - 1)/2, (g.g - 1)/2, f.g).

    P = (S11 f + S12 g, S12 f + S22 g)
    dP/dF = G (dS/de) G^T + S x I,  G = de/dF: of f (f, 0, g), of g (0, g, f)
dP/dF is kept as the upper triangle of 6x6, and summed over all samples of a stage before contraction and scattering.
The positive semidefinite projection treats both its parts: the law's dS/de (projection.py), and the sum of S, whose
negative eigenvalues make a sheet wrinkle. Triangles without volume are ignored. The loops do not depend on the law,
which they call by its address; each processes one part of the vertices (linalg/parts.py).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.materials.address import call_projection, call_response
from supple.materials.kernel import FAST, LANES, batch, gather


@njit(cache=True, nogil=True, **FAST)
def _strain(x, triangles, shape, ids, F, e):
    """F (6 W): f, then g; e (3 W)."""
    W = LANES
    for q in range(W):
        k = ids[q]
        v0, v1, v2 = triangles[k, 0], triangles[k, 1], triangles[k, 2]
        s00, s01, s10, s11 = shape[k, 0, 0], shape[k, 0, 1], shape[k, 1, 0], shape[k, 1, 1]
        for i in range(3):
            d1, d2 = x[v1, i] - x[v0, i], x[v2, i] - x[v0, i]
            F[i * W + q] = d1 * s00 + d2 * s10
            F[(3 + i) * W + q] = d1 * s01 + d2 * s11
    for q in range(W):
        f0, f1, f2 = F[q], F[W + q], F[2 * W + q]
        g0, g1, g2 = F[3 * W + q], F[4 * W + q], F[5 * W + q]
        e[q] = 0.5 * (f0 * f0 - 1.0 + f1 * f1 + f2 * f2)
        e[W + q] = 0.5 * (g0 * g0 - 1.0 + g1 * g1 + g2 * g2)
        e[2 * W + q] = f0 * g0 + f1 * g1 + f2 * g2


@njit(cache=True, nogil=True, **FAST)
def gradient_part(part, response, table, xs, energy, force, triangles, shape, volume, owner, chosen, values, out):
    """out (n, 3) += weighted gradient at the vertices of the part; values (m,) = weighted energies of `chosen` triangles."""
    W = LANES
    ids, constants = np.empty(W, np.int32), np.empty(table.shape[1] * W)
    F, e, S, psi = np.empty(6 * W), np.empty(3 * W), np.empty(3 * W), np.empty(W)
    P, sums = np.empty(6 * W), np.empty(W)
    for start in range(0, chosen.size, W):
        count = batch(chosen, start, ids)
        gather(table, ids, constants)
        P[:] = 0.0
        sums[:] = 0.0
        for s in range(xs.shape[0]):
            _strain(xs[s], triangles, shape, ids, F, e)
            call_response(response, constants, e, psi, S)
            for i in range(3):
                for q in range(W):
                    f, g, mixed = F[i * W + q], F[(3 + i) * W + q], S[2 * W + q]
                    P[i * W + q] += force[s] * (S[q] * f + mixed * g)
                    P[(3 + i) * W + q] += force[s] * (mixed * f + S[W + q] * g)
            for q in range(W):
                sums[q] += energy[s] * psi[q]
        for q in range(count):
            k = ids[q]
            vol = volume[k]
            values[k] = 0.0
            if vol == 0.0:
                continue
            values[k] = vol * sums[q]
            v0, v1, v2 = triangles[k, 0], triangles[k, 1], triangles[k, 2]
            for i in range(3):
                p, r = vol * P[i * W + q], vol * P[(3 + i) * W + q]
                first = p * shape[k, 0, 0] + r * shape[k, 0, 1]
                second = p * shape[k, 1, 0] + r * shape[k, 1, 1]
                if owner[v0] == part:
                    out[v0, i] -= first + second
                if owner[v1] == part:
                    out[v1, i] += first
                if owner[v2] == part:
                    out[v2, i] += second


@njit(cache=True, nogil=True, inline="always")
def _entry(r, c):
    """Position of entry (r, c), r <= c, in the upper triangle of a 6x6 matrix."""
    return r * 6 - r * (r - 1) // 2 + c - r


@njit(cache=True, nogil=True, **FAST)
def _add_material(weight, F, D, rows, C):
    """C += weight G D G^T."""
    W = LANES
    for i in range(3):
        for q in range(W):
            f, g = F[i * W + q], F[(3 + i) * W + q]
            d13, d23, d33 = D[2 * W + q], D[4 * W + q], D[5 * W + q]
            # rows of G D: of f over (f, g), of g over (g, f), and of f over g
            rows[q], rows[W + q] = weight * (D[q] * f + d13 * g), weight * (d13 * f + d33 * g)
            rows[2 * W + q], rows[3 * W + q] = weight * (D[3 * W + q] * g + d23 * f), weight * (d23 * g + d33 * f)
            rows[4 * W + q] = weight * (D[W + q] * f + d23 * g)
        for j in range(3):
            at, over, across = _entry(i, max(i, j)) * W, _entry(3 + i, 3 + max(i, j)) * W, _entry(i, 3 + j) * W
            for q in range(W):
                f, g = F[j * W + q], F[(3 + j) * W + q]
                if j >= i:
                    C[at + q] += rows[q] * f + rows[W + q] * g
                    C[over + q] += rows[2 * W + q] * g + rows[3 * W + q] * f
                C[across + q] += rows[4 * W + q] * g + rows[W + q] * f


@njit(cache=True, nogil=True, **FAST)
def _clamp(T):
    """The positive part of each lane's [[S11, S12], [S12, S22]]."""
    W = LANES
    for q in range(W):
        a, b, c = T[q], T[W + q], T[2 * W + q]
        middle, half = 0.5 * (a + b), 0.5 * (a - b)
        radius = np.sqrt(half * half + c * c)
        if middle >= radius:
            continue
        scale = 0.0 if middle <= -radius else (middle + radius) / (2.0 * radius)
        T[q], T[W + q], T[2 * W + q] = scale * (radius + half), scale * (radius - half), scale * c


@njit(cache=True, nogil=True, **FAST)
def _tangents(slopes, constants, xs, curvature, triangles, shape, ids, projection, work, C):
    """C (21 W) = weighted sum of dP/dF over all samples; work: arrays of F, e, S, D, rows and the sum of S."""
    W = LANES
    F, e, S, D, rows, T = work
    C[:] = 0.0
    T[:] = 0.0
    for s in range(xs.shape[0]):
        _strain(xs[s], triangles, shape, ids, F, e)
        call_response(slopes, constants, e, S, D)
        if projection != 0:
            call_projection(projection, D)
        for r in range(3 * W):
            T[r] += curvature[s] * S[r]
        _add_material(curvature[s], F, D, rows, C)
    if projection != 0:
        _clamp(T)
    for i in range(3):
        for q in range(W):
            C[_entry(i, i) * W + q] += T[q]
            C[_entry(3 + i, 3 + i) * W + q] += T[W + q]
            C[_entry(i, 3 + i) * W + q] += T[2 * W + q]


@njit(cache=True, nogil=True, **FAST)
def _contract(ids, shape, C, K):
    """K (54 W): the blocks 00, 01, 02, 11, 12, 22 of the corners, 3x3 each."""
    W = LANES
    s = np.empty(4 * W)
    for q in range(W):
        k = ids[q]
        s[q], s[W + q], s[2 * W + q], s[3 * W + q] = shape[k, 0, 0], shape[k, 0, 1], shape[k, 1, 0], shape[k, 1, 1]
    for i in range(3):
        for j in range(3):
            low, high, at = min(i, j), max(i, j), (3 * i + j) * W
            ff, fg = _entry(low, high) * W, _entry(i, 3 + j) * W
            gf, gg = _entry(j, 3 + i) * W, _entry(3 + low, 3 + high) * W
            for q in range(W):
                s00, s01, s10, s11 = s[q], s[W + q], s[2 * W + q], s[3 * W + q]
                a, b, c, d = C[ff + q], C[fg + q], C[gf + q], C[gg + q]
                k11 = s00 * s00 * a + s00 * s01 * (b + c) + s01 * s01 * d
                k12 = s00 * s10 * a + s00 * s11 * b + s01 * s10 * c + s01 * s11 * d
                k21 = s10 * s00 * a + s10 * s01 * b + s11 * s00 * c + s11 * s01 * d
                k22 = s10 * s10 * a + s10 * s11 * (b + c) + s11 * s11 * d
                K[at + q] = k11 + k12 + k21 + k22
                K[9 * W + at + q], K[18 * W + at + q] = -(k11 + k21), -(k12 + k22)
                K[27 * W + at + q], K[36 * W + at + q], K[45 * W + at + q] = k11, k12, k22


@njit(cache=True, nogil=True)
def _scatter(vol, K, q, k, triangles, slots, lengths, part, owner, unknowns, values):
    """Add the blocks of one lane, times its volume; corners ascend, so every block lies in the upper triangle."""
    W = LANES
    block = 0
    for a in range(3):
        v = triangles[k, a]
        if owner[v] != part or unknowns[v] < 0:
            block += 3 - a
            continue
        length = lengths[unknowns[v]]
        for b in range(a, 3):
            slot = slots[k, block]
            if slot >= 0:
                for i in range(3):
                    # rows of the upper triangle shrink by one; a block on the diagonal has no lower half
                    row = slot + i * length - i * (i - 1) // 2 - i
                    for j in range(i if a == b else 0, 3):
                        values[row + j] += vol * K[(9 * block + 3 * i + j) * W + q]
            block += 1


@njit(cache=True, nogil=True, **FAST)
def hessian_part(
    part,
    slopes,
    table,
    xs,
    curvature,
    triangles,
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
    work = np.empty(6 * W), np.empty(3 * W), np.empty(3 * W), np.empty(6 * W), np.empty(5 * W), np.empty(3 * W)
    C, K = np.empty(21 * W), np.empty(54 * W)
    for start in range(0, chosen.size, W):
        count = batch(chosen, start, ids)
        gather(table, ids, constants)
        _tangents(slopes, constants, xs, curvature, triangles, shape, ids, projection, work, C)
        _contract(ids, shape, C, K)
        for q in range(count):
            k = ids[q]
            if volume[k] != 0.0:
                _scatter(volume[k], K, q, k, triangles, slots, lengths, part, owner, unknowns, values)
