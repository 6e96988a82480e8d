"""The third pass of an explicit step: nodes to particles, then flow and stress of each material.

With B(v) = sum w v r^T / D: v' = W v1 + a (v - W v0), C' = B(v1) + c (C - B(v0)), x' = x + h (W v1 + b (v - W v0)), and
F' = (I + h B(v1)) F. The law is called once per batch of LANES particles of one cloud and gives psi and tau = P F^T,
with which the next substep begins; plastic flow is applied first. A block does all this while its particles are in the
cache. Matrices of particles are stored by columns.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.materials.address import call_response
from supple.materials.flow.address import call_flow
from supple.materials.kernel import FAST, LANES
from supple.points.kernels import origin_of, set_box
from supple.points.vector import particle
from supple.points.vector.intrinsics import deform, move, see_cubic, see_quadratic

INDEX = np.uintp
KINETIC, STORED, WORK, HEAT, PUSHED, STRAYED, PLASTIC, HARDENED = range(8)
"""Columns of the sums of each block [J]. The first are kinetic and elastic energy of its particles, and the work of
stress, of viscous stress and of other forces along the step. The others are the change of gravitational energy apart
from the grid's motion, and the energies of flow and of hardening."""
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
                for c in range(INDEX(4)):
                    tile[node, c] = field[at, c]


@njit(cache=True, nogil=True, **FAST)
def _determinant(p, F):
    return (
        F[p, 0] * (F[p, 4] * F[p, 8] - F[p, 5] * F[p, 7])
        - F[p, 1] * (F[p, 3] * F[p, 8] - F[p, 5] * F[p, 6])
        + F[p, 2] * (F[p, 3] * F[p, 7] - F[p, 4] * F[p, 6])
    )


@njit(cache=True, nogil=True, **FAST)
def _book(b, degree, dx, corner, lanes, box, sums, marks):
    """Sums and marks of a block, and the box of its tile in the next substep."""
    sums[b, KINETIC] = 0.5 * lanes[particle.KINETIC, :3].sum()
    sums[b, WORK], sums[b, HEAT] = lanes[particle.WORK, :3].sum(), lanes[particle.HEAT, :3].sum()
    sums[b, PUSHED], sums[b, STRAYED] = lanes[particle.PUSHED, :3].sum(), -lanes[particle.STRAYED, :3].sum()
    low, high = lanes[particle.LOW], lanes[particle.HIGH]
    marks[b, FASTEST], marks[b, LEFT] = lanes[particle.FASTEST, 0], 1.0
    if np.isfinite(sums[b, KINETIC]) and np.abs(low[:3]).max() < 1e300 and np.abs(high[:3]).max() < 1e300:
        set_box(degree, low, high, corner, dx, box)
        inside = True
        for a in range(3):
            inside = inside and box[a] >= 0 and box[3 + a] <= 6 + degree
        marks[b, LEFT] = 0.0 if inside else 1.0


@njit(cache=True, nogil=True, **FAST)
def gather(
    begin, end, degree, start, clouds, corner, dx, numbers, g, strays, boxes, reached, old, new,
    x, v, C, F, tau, thick, mass, volume, push, sums, marks,
):  # fmt: skip
    """Particles of blocks begin:end after a step; strays = (b, smallest J at which particles deviate from the grid's motion)."""
    side = 6 + degree
    tile, before = np.zeros((side**3, 4)), np.zeros((side**3, 4))
    seen, own, lanes = np.empty(16), np.zeros(16), np.empty((8, 4))
    pushed, viscous = INDEX(push.shape[0] == x.shape[0]), INDEX(thick.shape[0] == x.shape[0])
    keeps = numbers[particle.KEPT] != 0.0 or numbers[particle.KEPT_AFFINE] != 0.0
    stray, loose = strays
    for b in range(begin, end):
        fill(degree, boxes[b], reached[b], new, tile)
        if keeps:
            fill(degree, boxes[b], reached[b], old, before)
        lanes[:] = 0.0
        lanes[particle.LOW], lanes[particle.HIGH] = np.inf, -np.inf
        offset = origin_of(degree, corner[b])
        for s in range(start[b * clouds], start[(b + 1) * clouds]):
            p = INDEX(s)
            if degree == 2:
                see_quadratic(tile, offset, p, numbers, x, seen)
            else:
                see_cubic(tile, offset, p, numbers, x, seen)
            if keeps:
                if degree == 2:
                    see_quadratic(before, offset, p, numbers, x, own)
                else:
                    see_cubic(before, offset, p, numbers, x, own)
            deform(p, numbers, seen, F)
            off = 0.0
            if stray != 0.0 and _determinant(p, F) >= loose:
                off = stray * numbers[particle.STEP]
            q, t = p * pushed, p * viscous
            move(p, q, t, off, numbers, seen, own, x, v, C, tau, thick, mass, volume, push, g, lanes)
        _book(b, degree, dx, corner[b], lanes, boxes[b], sums, marks)


@njit(cache=True, nogil=True, **FAST)
def _turned(P, f, tau):
    """tau (9 W,) = P F^T of a batch, column by column."""
    W = LANES
    for i in range(3):
        for j in range(3):
            for q in range(W):
                tau[(3 * j + i) * W + q] = (
                    P[3 * i * W + q] * f[3 * j * W + q]
                    + P[(3 * i + 1) * W + q] * f[(3 * j + 1) * W + q]
                    + P[(3 * i + 2) * W + q] * f[(3 * j + 2) * W + q]
                )


@njit(cache=True, nogil=True, **FAST)
def _respond(first, last, law, flow, columns, table, F, tau, volume):
    """Flow and stress of particles first:last of one cloud; stored energy, and the energies of flow and hardening."""
    W = LANES
    constants, f, P, stress = np.empty(columns * W), np.empty(9 * W), np.empty(9 * W), np.empty(9 * W)
    psi, taken = np.empty(W), np.zeros(2 * W)
    stored = plastic = hardened = 0.0
    for at in range(first, last, W):
        count = min(W, last - at)
        for q in range(W):
            p = INDEX(min(at + q, last - 1))
            for r in range(9):
                f[(r % 3 * 3 + r // 3) * W + q] = F[p, r]
            for k in range(columns):
                constants[k * W + q] = table[p, k]
        if flow != 0:
            call_flow(flow, constants, f, taken)
        call_response(law, constants, f, psi, P)
        _turned(P, f, stress)
        for q in range(count):
            p = INDEX(at + q)
            stored += volume[p] * psi[q]
            for r in range(9):
                tau[p, r] = stress[r * W + q]
            if flow != 0:
                plastic += volume[p] * taken[q]
                hardened += volume[p] * taken[W + q]
                for k in range(columns):
                    table[p, k] = constants[k * W + q]
                for r in range(9):
                    F[p, r] = f[(r % 3 * 3 + r // 3) * W + q]
    return stored, plastic, hardened


@njit(cache=True, nogil=True, **FAST)
def respond(begin, end, start, laws, flows, table, F, tau, volume, sums):
    """Flow and stress of all particles of blocks begin:end; laws (clouds, 2): addresses and columns of the constants."""
    clouds = laws.shape[0]
    for b in range(begin, end):
        stored = plastic = hardened = 0.0
        for c in range(clouds):
            first, last = start[b * clouds + c], start[b * clouds + c + 1]
            if laws[c, 0] == 0:  # vertices of meshes: their mesh deforms instead
                F[first:last] = 0.0
                F[first:last, 0], F[first:last, 4], F[first:last, 8] = 1.0, 1.0, 1.0
                tau[first:last] = 0.0
            elif last > first:
                one, two, three = _respond(first, last, laws[c, 0], flows[c], laws[c, 1], table, F, tau, volume)
                stored, plastic, hardened = stored + one, plastic + two, hardened + three
        sums[b, STORED], sums[b, PLASTIC], sums[b, HARDENED] = stored, plastic, hardened


@njit(cache=True, nogil=True)
def thicken(begin, end, viscosity, C, F, thick):
    """thick (n, 9) = J viscosity (C + C^T - 2/3 tr(C) I) of the particles begin:end."""
    for p in range(begin, end):
        J = _determinant(p, F)
        spread = 2.0 / 3.0 * (C[p, 0] + C[p, 4] + C[p, 8])
        for i in range(3):
            for j in range(3):
                rate = C[p, 3 * i + j] + C[p, 3 * j + i] - (spread if i == j else 0.0)
                thick[p, 3 * i + j] = viscosity[p] * J * rate
