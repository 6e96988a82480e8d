"""Energy, forces and stiffness of the particles of a block; see solid.py. Matrices of particles are stored by columns."""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.materials.address import call_projection, call_response, call_tangent
from supple.materials.kernel import FAST, LANES, pair
from supple.points.kernels import origin_of
from supple.points.tiled.kernels import fill_nodes, give, look
from supple.points.vector.intrinsics import deform, resist_cubic, resist_quadratic

INDEX = np.uintp


@njit(cache=True, nogil=True, **FAST)
def _deform_block(first, last, degree, offset, nodes, numbers, x, F, u, tile, seen, out):
    """out (m, 9) = F' of the particles of a block whose nodes moved by u (N, 3)."""
    fill_nodes(nodes, u, tile)
    for s in range(first, last):
        at = INDEX(s - first)
        look(degree, tile, offset, INDEX(s), numbers, x, seen)
        for r in range(INDEX(9)):
            out[at, r] = F[s, r]
        deform(at, numbers, seen, out)


@njit(cache=True, nogil=True, **FAST)
def _load(at, last, rows, f):
    """f (9 W,) = rows at ... of column-wise matrices (., 9), row by row; lanes beyond the end repeat the last one."""
    for q in range(LANES):
        p = INDEX(min(at + q, last - 1))
        for i in range(3):
            for j in range(3):
                f[(3 * i + j) * LANES + q] = rows[p, 3 * j + i]


@njit(cache=True, nogil=True, **FAST)
def _load_constants(at, last, table, constants):
    for q in range(LANES):
        p = INDEX(min(at + q, last - 1))
        for k in range(table.shape[1]):
            constants[k * LANES + q] = table[p, k]


@njit(cache=True, nogil=True, **FAST)
def forces_part(
    begin, end, degree, start, corner, nodes, numbers, x, F, us, energy, force, law, table, volume, values, tiles
):  # fmt: skip
    """values (b,) = weighted energies, tiles (b, T^3, 4) = weighted forces of blocks begin:end, for displacements us."""
    W = LANES
    most = 0
    for b in range(begin, end):
        most = max(most, start[b + 1] - start[b])
    bent, columns, none = np.empty((us.shape[0], most, 9)), np.empty((most + W, 9)), np.zeros((1, 4))
    tile, seen, constants = np.zeros((nodes.shape[1], 4)), np.empty(16), np.empty(table.shape[1] * W)
    f, P, total, psi = np.empty(9 * W), np.empty(9 * W), np.empty(9 * W), np.empty(W)
    slope = numbers[3]
    for b in range(begin, end):
        first, last, offset, value = start[b], start[b + 1], origin_of(degree, corner[b]), 0.0
        for s in range(us.shape[0]):
            _deform_block(first, last, degree, offset, nodes[b], numbers, x, F, us[s], tile, seen, bent[s])
        for at in range(first, last, W):
            _load_constants(at, last, table, constants)
            total[:] = 0.0
            for s in range(us.shape[0]):
                _load(at - first, last - first, bent[s], f)
                call_response(law, constants, f, psi, P)
                for r in range(9 * W):
                    total[r] += force[s] * P[r]
                for q in range(min(W, last - at)):
                    value += energy[s] * volume[at + q] * psi[q]
            _load(at, last, F, f)
            for q in range(min(W, last - at)):
                V = slope * volume[at + q]
                for i in range(3):
                    for j in range(3):
                        columns[at - first + q, 3 * j + i] = V * (
                            total[3 * i * W + q] * f[3 * j * W + q]
                            + total[(3 * i + 1) * W + q] * f[(3 * j + 1) * W + q]
                            + total[(3 * i + 2) * W + q] * f[(3 * j + 2) * W + q]
                        )
        values[b] = value
        out = tiles[b]
        out[:] = 0.0
        for s in range(first, last):
            give(degree, out, offset, INDEX(s), INDEX(0), INDEX(s - first), numbers, x, none, columns)


@njit(cache=True, nogil=True, **FAST)
def _pulled_back(C, f, half, A):
    """A (81 W,) = F C F^T of a batch: C (45 W,) with respect to displacement gradients instead of F; row 3 c + i,
    column 3 d + m."""
    W = LANES
    for row in range(9):
        for m in range(3):
            for d in range(3):
                for q in range(W):
                    half[(row * 9 + 3 * d + m) * W + q] = 0.0
                for el in range(3):
                    other = 3 * m + el
                    at = pair(min(row, other), max(row, other)) * W
                    for q in range(W):
                        half[(row * 9 + 3 * d + m) * W + q] += C[at + q] * f[(3 * d + el) * W + q]
    for i in range(3):
        for c in range(3):
            for column in range(9):
                for q in range(W):
                    A[(9 * column + 3 * c + i) * W + q] = (
                        f[3 * c * W + q] * half[(27 * i + column) * W + q]
                        + f[(3 * c + 1) * W + q] * half[(27 * i + 9 + column) * W + q]
                        + f[(3 * c + 2) * W + q] * half[(27 * i + 18 + column) * W + q]
                    )


@njit(cache=True, nogil=True, **FAST)
def stiffness_part(
    begin, end, degree, start, corner, nodes, numbers, x, F, us, curvature, law, projection, table, volume, out
):  # fmt: skip
    """out (n, 81) = weighted V (dx/D)^2 times the stiffness of particles against displacement gradients, of blocks begin:end."""
    W = LANES
    most = 0
    for b in range(begin, end):
        most = max(most, start[b + 1] - start[b])
    bent, tile, seen = np.empty((us.shape[0], most, 9)), np.zeros((nodes.shape[1], 4)), np.empty(16)
    constants, f = np.empty(table.shape[1] * W), np.empty(9 * W)
    C, total, half, A = np.empty(45 * W), np.empty(45 * W), np.empty(81 * W), np.empty(81 * W)
    square = numbers[3] * numbers[3]
    for b in range(begin, end):
        first, last, offset = start[b], start[b + 1], origin_of(degree, corner[b])
        for s in range(us.shape[0]):
            _deform_block(first, last, degree, offset, nodes[b], numbers, x, F, us[s], tile, seen, bent[s])
        for at in range(first, last, W):
            _load_constants(at, last, table, constants)
            total[:] = 0.0
            for s in range(us.shape[0]):
                _load(at - first, last - first, bent[s], f)
                call_tangent(law, constants, f, C)
                for r in range(45 * W):
                    total[r] += curvature[s] * C[r]
            if projection != 0:
                call_projection(projection, total)
            _load(at, last, F, f)
            _pulled_back(total, f, half, A)
            for q in range(min(W, last - at)):
                V = square * volume[at + q]
                for r in range(INDEX(81)):
                    out[at + q, r] = V * A[r * INDEX(W) + INDEX(q)]


@njit(cache=True, nogil=True, **FAST)
def product_part(begin, end, degree, start, corner, nodes, numbers, x, A, move, tiles):
    """tiles (b, T^3, 4) = forces against a displacement (N, 3) of blocks begin:end."""
    tile = np.zeros((nodes.shape[1], 4))
    for b in range(begin, end):
        fill_nodes(nodes[b], move, tile)
        out, offset = tiles[b], origin_of(degree, corner[b])
        out[:] = 0.0
        for s in range(start[b], start[b + 1]):
            if degree == 2:
                resist_quadratic(tile, out, offset, INDEX(s), numbers, x, A)
            else:
                resist_cubic(tile, out, offset, INDEX(s), numbers, x, A)
