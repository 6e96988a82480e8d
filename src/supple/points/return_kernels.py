"""The third pass of an explicit step: nodes to particles, then flow and stress of each material.

With B(v) = sum w v r^T / D: v' = W v1 + a (v - W v0), C' = B(v1) + c (C - B(v0)), x' = x + h (W v1 + b (v - W v0)), and
F' = (I + h B(v1)) F. The law is called once per batch of LANES particles of one cloud and gives psi and tau = P F^T, with which
the next substep begins; a material that flows does so first.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.materials.address import call_response
from supple.materials.flow.address import call_flow
from supple.materials.kernel import FAST, LANES
from supple.points.kernels import weigh
from supple.points.vector import gather_cubic, gather_quadratic

INDEX = np.uintp
KINETIC, STORED, WORK, HEAT, PUSHED, STRAYED, PLASTIC, HARDENED = range(8)
"""Columns of the sums of each block: kinetic and elastic energy of its particles, work of stress, of viscous stress and of other
forces along the step, change of the weight's energy off the grid's motion, energies of flow and of hardening [J]."""
FASTEST, LEFT = 0, 1
"""Columns of the marks of each block: largest |v|^2, and whether a particle has left the tile."""


@njit(cache=True, nogil=True, **FAST)
def fill(degree, box, reached, field, tile):
    """Nodes of a tile (T^3, 4) from the blocks of nodes around it."""
    side = 6 + degree
    for i in range(box[0], box[3]):
        di, oi = (i + 3) // 4, (i + 3) % 4
        for j in range(box[1], box[4]):
            dj, oj = (j + 3) // 4, (j + 3) % 4
            for k in range(box[2], box[5]):
                dk, ok = (k + 3) // 4, (k + 3) % 4
                at = INDEX(64 * reached[(di * 3 + dj) * 3 + dk] + (oi * 4 + oj) * 4 + ok)
                node = INDEX((i * side + j) * side + k)
                tile[node, 0], tile[node, 1], tile[node, 2] = field[at, 0], field[at, 1], field[at, 2]


@njit(cache=True, nogil=True, **FAST)
def _seen(degree, tile, at, w, r, dx, D, rows, mean, B):
    """mean (3,) = W v and B (9,) at a particle; r (3,): from it to its first node."""
    if degree == 2:
        gather_quadratic(tile, at, w, rows)
    else:
        gather_cubic(tile, at, w, rows)
    for c in range(3):
        mean[c] = rows[c]
        for a in range(3):
            B[3 * c + a] = (r[a] * rows[c] + dx * rows[4 * (a + 1) + c]) / D


@njit(cache=True, nogil=True, **FAST)
def _deform(p, h, B, F):
    """F of a particle <- (I + h B) F; returns its determinant."""
    for j in range(3):
        f0, f1, f2 = F[p, j], F[p, 3 + j], F[p, 6 + j]
        for i in range(3):
            F[p, 3 * i + j] += h * (B[3 * i] * f0 + B[3 * i + 1] * f1 + B[3 * i + 2] * f2)
    return (
        F[p, 0] * (F[p, 4] * F[p, 8] - F[p, 5] * F[p, 7])
        - F[p, 1] * (F[p, 3] * F[p, 8] - F[p, 5] * F[p, 6])
        + F[p, 2] * (F[p, 3] * F[p, 7] - F[p, 4] * F[p, 6])
    )


@njit(cache=True, nogil=True, **FAST)
def _work(p, h, B, stress):
    """h stress : B."""
    total = 0.0
    for r in range(9):
        total += stress[p, r] * B[r]
    return h * total


@njit(cache=True, nogil=True, **FAST)
def gather(
    begin, end, degree, start, clouds, corner, dx, D, h, g, options, boxes, reached, old, new,
    x, v, C, F, tau, thick, mass, volume, push, sums, marks,
):  # fmt: skip
    """Particles of blocks begin:end after a step of h; options = (affine, a, c, b, smallest J at which particles stray)."""
    side = 6 + degree
    tile, before = np.zeros((side**3, 4)), np.zeros((side**3, 4))
    w, r, rows = np.empty(12), np.empty(3), np.empty(16)
    mean, B, own, B0 = np.empty(3), np.empty(9), np.empty(3), np.empty(9)
    affine, keep, keep_affine, stray, loose = options
    for b in range(begin, end):
        fill(degree, boxes[b], reached[b], new, tile)
        if keep != 0.0 or keep_affine != 0.0:
            fill(degree, boxes[b], reached[b], old, before)
        kinetic = work = heat = pushed = strayed = fastest = left = 0.0
        for s in range(start[b * clouds], start[(b + 1) * clouds]):
            p = INDEX(s)
            at = 0
            for a in range(3):
                base = weigh(degree, x[p, a] / dx, a, w)
                r[a] = base * dx - x[p, a]
                at = at * side + int(base) - corner[b, a] + 1
            _seen(degree, tile, at, w, r, dx, D, rows, mean, B)
            if keep != 0.0 or keep_affine != 0.0:
                _seen(degree, before, at, w, r, dx, D, rows, own, B0)
            work += volume[p] * _work(p, h, B, tau)
            if thick.shape[0] > 0:
                heat += volume[p] * _work(p, h, B, thick)
            off = stray * h if _deform(p, h, B, F) >= loose else 0.0
            size, spin = 0.0, 0.0
            for c in range(3):
                kept = v[p, c] - own[c] if keep != 0.0 else 0.0
                if push.shape[0] > 0:
                    pushed += push[p, c] * h * mean[c]
                strayed -= mass[p] * g[c] * off * kept
                x[p, c] += h * mean[c] + off * kept
                v[p, c] = mean[c] + keep * kept
                size += v[p, c] * v[p, c]
                cell = np.floor(x[p, c] / dx - (0.5 if degree == 2 else 1.0)) - corner[b, c]
                if not (cell >= -1.0 and cell <= 4.0):
                    left = 1.0
            for i in range(9):
                C[p, i] = B[i] + (keep_affine * (C[p, i] - B0[i]) if keep_affine != 0.0 else 0.0)
                spin += C[p, i] * C[p, i]
            kinetic += 0.5 * mass[p] * (size + affine * D * spin)
            fastest = max(fastest, size)
        sums[b, KINETIC], sums[b, WORK], sums[b, HEAT] = kinetic, work, heat
        sums[b, PUSHED], sums[b, STRAYED] = pushed, strayed
        marks[b, FASTEST], marks[b, LEFT] = fastest, left


@njit(cache=True, nogil=True, **FAST)
def _respond(first, last, law, flow, columns, table, F, tau, volume):
    """Flow and stress of particles first:last of one cloud; stored energy, and what flow and hardening did."""
    W = LANES
    constants, f, P = np.empty(columns * W), np.empty(9 * W), np.empty(9 * W)
    psi, taken = np.empty(W), np.zeros(2 * W)
    stored = plastic = hardened = 0.0
    for at in range(first, last, W):
        count = min(W, last - at)
        for q in range(W):
            p = INDEX(min(at + q, last - 1))
            for r in range(9):
                f[r * W + q] = F[p, r]
            for k in range(columns):
                constants[k * W + q] = table[p, k]
        if flow != 0:
            call_flow(flow, constants, f, taken)
        call_response(law, constants, f, psi, P)
        for q in range(count):
            p = INDEX(at + q)
            stored += volume[p] * psi[q]
            if flow != 0:
                plastic += volume[p] * taken[q]
                hardened += volume[p] * taken[W + q]
                for k in range(columns):
                    table[p, k] = constants[k * W + q]
                for r in range(9):
                    F[p, r] = f[r * W + q]
            for i in range(3):
                for j in range(3):
                    tau[p, 3 * i + j] = (
                        P[3 * i * W + q] * f[3 * j * W + q]
                        + P[(3 * i + 1) * W + q] * f[(3 * j + 1) * W + q]
                        + P[(3 * i + 2) * W + q] * f[(3 * j + 2) * W + q]
                    )
    return stored, plastic, hardened


@njit(cache=True, nogil=True, **FAST)
def respond(begin, end, start, laws, flows, table, F, tau, volume, sums):
    """Flow and stress of all particles of blocks begin:end; laws (clouds, 2): addresses and columns of the constants."""
    clouds = laws.shape[0]
    for b in range(begin, end):
        stored = plastic = hardened = 0.0
        for c in range(clouds):
            first, last = start[b * clouds + c], start[b * clouds + c + 1]
            if laws[c, 0] == 0:  # vertices of meshes: what deforms is their mesh
                F[first:last] = 0.0
                F[first:last, 0], F[first:last, 4], F[first:last, 8] = 1.0, 1.0, 1.0
                tau[first:last] = 0.0
            elif last > first:
                one, two, three = _respond(first, last, laws[c, 0], flows[c], laws[c, 1], table, F, tau, volume)
                stored, plastic, hardened = stored + one, plastic + two, hardened + three
        sums[b, STORED], sums[b, PLASTIC], sums[b, HARDENED] = stored, plastic, hardened


@njit(cache=True, nogil=True)
def thicken(viscosity, C, F, thick):
    """thick (n, 9) = J viscosity (C + C^T - 2/3 tr(C) I) of all particles."""
    for p in range(len(viscosity)):
        J = (
            F[p, 0] * (F[p, 4] * F[p, 8] - F[p, 5] * F[p, 7])
            - F[p, 1] * (F[p, 3] * F[p, 8] - F[p, 5] * F[p, 6])
            + F[p, 2] * (F[p, 3] * F[p, 7] - F[p, 4] * F[p, 6])
        )
        spread = 2.0 / 3.0 * (C[p, 0] + C[p, 4] + C[p, 8])
        for i in range(3):
            for j in range(3):
                rate = C[p, 3 * i + j] + C[p, 3 * j + i] - (spread if i == j else 0.0)
                thick[p, 3 * i + j] = viscosity[p] * J * rate
