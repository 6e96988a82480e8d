"""One triangle of a membrane in the fused loops (loops.py): positions -> F = (f, g) -> strain -> law -> blocks.

f and g are the columns of F (3x2): f = d1 s00 + d2 s10, g = d1 s01 + d2 s11 with d_a = x_a - x_0 and s the gradients of
the shape functions of corners 1 and 2; corner 0 has minus their sum. e = ((f.f - 1)/2, (g.g - 1)/2, f.g).

    P = (S11 f + S12 g, S12 f + S22 g)
    dP/dF = G (dS/de) G^T + S x I,  G = de/dF: of f (f, 0, g), of g (0, g, f)
dP/dF is kept as 6x6, upper triangle, and summed over all samples of a stage before anything is contracted or scattered.
To be made positive semidefinite both its parts are: the laws' dS/de, and the sum of S, whose negative eigenvalues are
those with which a sheet wrinkles. Triangles without volume do not count.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from supple.energies.loops import gradient_for, hessian_for
from supple.materials.kernel import FAST
from supple.materials.membrane_response import response, tangent
from supple.types import Array, Ints


class Sheet(NamedTuple):
    """What the loops know of triangles."""

    kind: int
    """The number of the law; see membrane_response.py."""
    constants: Array
    """(m, c) of the law."""
    elements: Ints
    shape: Array
    """(m, 2, 2) gradients of the shape functions of corners 1 and 2 [1/m]."""
    volume: Array


@njit(cache=True, nogil=True, **FAST)
def _columns(x, triangles, shape, e, f, g):
    """f and g of one triangle, and its strain."""
    v0, v1, v2 = triangles[e, 0], triangles[e, 1], triangles[e, 2]
    e1, e2, e3 = -1.0, -1.0, 0.0
    for i in range(3):
        d1, d2 = x[v1, i] - x[v0, i], x[v2, i] - x[v0, i]
        f[i] = d1 * shape[e, 0, 0] + d2 * shape[e, 1, 0]
        g[i] = d1 * shape[e, 0, 1] + d2 * shape[e, 1, 1]
        e1 += f[i] * f[i]
        e2 += g[i] * g[i]
        e3 += f[i] * g[i]
    return 0.5 * e1, 0.5 * e2, e3


@njit(cache=True, nogil=True, **FAST)
def _gradient_part(part, kind, p, xs, energy, force, triangles, shape, volume, owner, chosen, values, out):
    f, g, P, Q = np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    for e in chosen:
        values[e] = 0.0
        if volume[e] == 0.0:
            continue
        total = 0.0
        for i in range(3):
            P[i] = Q[i] = 0.0
        for s in range(xs.shape[0]):
            e1, e2, e3 = _columns(xs[s], triangles, shape, e, f, g)
            W, s1, s2, s3 = response(kind, p, e, e1, e2, e3)
            total += energy[s] * W
            for i in range(3):
                P[i] += force[s] * (s1 * f[i] + s3 * g[i])
                Q[i] += force[s] * (s3 * f[i] + s2 * g[i])
        values[e] = volume[e] * total
        v0, v1, v2 = triangles[e, 0], triangles[e, 1], triangles[e, 2]
        for i in range(3):
            first = volume[e] * (P[i] * shape[e, 0, 0] + Q[i] * shape[e, 0, 1])
            second = volume[e] * (P[i] * shape[e, 1, 0] + Q[i] * shape[e, 1, 1])
            if owner[v0] == part:
                out[v0, i] -= first + second
            if owner[v1] == part:
                out[v1, i] += first
            if owner[v2] == part:
                out[v2, i] += second


@gradient_for(Sheet)
@njit(cache=True, nogil=True)
def _gradient(part, p, xs, energy, force, owner, chosen, values, out):
    # arrays that are arguments, and not fields of one, save a tenth of the time
    kind, constants, triangles, shape, volume = p
    _gradient_part(part, kind, constants, xs, energy, force, triangles, shape, volume, owner, chosen, values, out)


@njit(cache=True, nogil=True, **FAST)
def _add_material(weight, f, g, D, C):
    """C += weight G D G^T, upper triangle."""
    d11, d12, d13, d22, d23, d33 = D
    for i in range(3):
        # rows of G D: of f over (f, g) and of g over (f, g)
        ff, fg = weight * (d11 * f[i] + d13 * g[i]), weight * (d13 * f[i] + d33 * g[i])
        gg, gf = weight * (d22 * g[i] + d23 * f[i]), weight * (d23 * g[i] + d33 * f[i])
        mixed = weight * (d12 * f[i] + d23 * g[i])
        for j in range(i, 3):
            C[i, j] += ff * f[j] + fg * g[j]
            C[3 + i, 3 + j] += gg * g[j] + gf * f[j]
        for j in range(3):
            C[i, 3 + j] += mixed * g[j] + fg * f[j]


@njit(cache=True, nogil=True, **FAST)
def _clamped(a, b, c):
    """The positive part of [[a, c], [c, b]]."""
    middle, half = 0.5 * (a + b), 0.5 * (a - b)
    radius = np.sqrt(half * half + c * c)
    if middle >= radius:
        return a, b, c
    if middle <= -radius:
        return 0.0, 0.0, 0.0
    scale = (middle + radius) / (2.0 * radius)
    return scale * (radius + half), scale * (radius - half), scale * c


@njit(cache=True, nogil=True, **FAST)
def _tangent(e, kind, p, xs, curvature, triangles, shape, project, f, g, C):
    """C (6, 6) = weighted sum of dP/dF over all samples."""
    C[:] = 0.0
    t1, t2, t3 = 0.0, 0.0, 0.0
    for s in range(xs.shape[0]):
        e1, e2, e3 = _columns(xs[s], triangles, shape, e, f, g)
        _, s1, s2, s3 = response(kind, p, e, e1, e2, e3)
        weight = curvature[s]
        t1, t2, t3 = t1 + weight * s1, t2 + weight * s2, t3 + weight * s3
        _add_material(weight, f, g, tangent(kind, p, e, e1, e2, e3, project), C)
    if project:
        t1, t2, t3 = _clamped(t1, t2, t3)
    for i in range(3):
        C[i, i] += t1
        C[3 + i, 3 + i] += t2
        C[i, 3 + i] += t3


@njit(cache=True, nogil=True, **FAST)
def _contract(volume, s00, s01, s10, s11, C, K):
    """K (6, 3, 3): the blocks 00, 01, 02, 11, 12, 22 of the corners."""
    for i in range(3):
        for j in range(3):
            a = volume * (C[i, j] if i <= j else C[j, i])
            b, c = volume * C[i, 3 + j], volume * C[j, 3 + i]
            d = volume * (C[3 + i, 3 + j] if i <= j else C[3 + j, 3 + i])
            k11 = s00 * s00 * a + s00 * s01 * (b + c) + s01 * s01 * d
            k12 = s00 * s10 * a + s00 * s11 * b + s01 * s10 * c + s01 * s11 * d
            k21 = s10 * s00 * a + s10 * s01 * b + s11 * s00 * c + s11 * s01 * d
            k22 = s10 * s10 * a + s10 * s11 * (b + c) + s11 * s11 * d
            K[0, i, j] = k11 + k12 + k21 + k22
            K[1, i, j], K[2, i, j] = -(k11 + k21), -(k12 + k22)
            K[3, i, j], K[4, i, j], K[5, i, j] = k11, k12, k22


@njit(cache=True, nogil=True)
def _scatter(K, e, triangles, slots, lengths, part, owner, unknowns, values):
    """Add the blocks of one triangle; corners ascend, so every block lies in the upper triangle."""
    block = 0
    for a in range(3):
        v = triangles[e, a]
        if owner[v] != part or unknowns[v] < 0:
            block += 3 - a
            continue
        length = lengths[unknowns[v]]
        for b in range(a, 3):
            slot = slots[e, block]
            if slot >= 0:
                for i in range(3):
                    # rows of the upper triangle become shorter by one; a block on the diagonal has no lower half
                    row = slot + i * length - i * (i - 1) // 2 - i
                    for j in range(i if a == b else 0, 3):
                        values[row + j] += K[block, i, j]
            block += 1


@hessian_for(Sheet)
@njit(cache=True, nogil=True)
def _hessian(part, p, xs, curvature, place, chosen, project, values):
    f, g, C, K = np.empty(3), np.empty(3), np.empty((6, 6)), np.empty((6, 3, 3))
    for e in chosen:
        if p.volume[e] == 0.0:
            continue
        _tangent(e, p.kind, p.constants, xs, curvature, p.elements, p.shape, project, f, g, C)
        _contract(p.volume[e], p.shape[e, 0, 0], p.shape[e, 0, 1], p.shape[e, 1, 0], p.shape[e, 1, 1], C, K)
        _scatter(K, e, p.elements, place.slots, place.row_length, part, place.owner, place.unknowns, values)
