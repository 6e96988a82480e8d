"""Fused loops of dihedral bending: positions -> signed angle, its gradient and Hessian -> global vector or matrix.

Edge e = x1 - x0, unit vector t; opposite corners x2 and x3. Of the two triangles T = A (apex y = x2), B (y = x3):

    n_A = (x0 - x2) x (x1 - x2),  n_B = (x1 - x3) x (x0 - x3),  u_T = n_T/|n_T|^2
    theta = atan2((n_A x n_B) . t, n_A . n_B)
    dtheta/dx_i = sum_T c_i u_T  with  c_0 = (x1 - y) . t,  c_1 = -(x0 - y) . t,  c_y = -|e|
    d2theta/(dx_i dx_j) = sum_T [u_T (dc_i/dx_j)^T + c_i du_T/dx_j]
    du_T/dx_j = (I - 2 n n^T/|n|^2)/|n|^2 dn/dx_j,  dn_T/dx_j v = v x o_j,  o = +-(x1 - y, y - x0, x0 - x1), + for A
    dc_0 = (-w, t + w, -t),  dc_1 = (w - t, -w, t),  dc_y = (t, -t, 0) for moves of (x0, x1, y), w = (x1 - y - c_0 t)/|e|
and o_0 = x1 - y is the vector opposite corner 0. The energy is k (theta - theta0)^2 with the difference within -pi to pi.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit, prange

from supple.linalg.scatter import add_block
from supple.linalg.threads import calm_workers
from supple.types import Array, Ints

calm_workers()


class Bends(NamedTuple):
    """What the loops know of hinges."""

    elements: Ints
    k: Array
    """Stiffness with its weight [N m]."""
    rest: Array
    """theta0 [rad]."""


class Place(NamedTuple):
    """Where blocks go; see `Placement` in term.py."""

    owner: Ints
    unknowns: Ints
    row_length: Ints
    slots: Ints


@njit(cache=True, nogil=True, inline="always")
def _cross(a: Array, b: Array, out: Array) -> None:
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


@njit(cache=True, nogil=True, inline="always")
def _dot(a: Array, b: Array) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(cache=True, nogil=True, error_model="numpy")
def _frame(x: Array, corners: Ints, work: Array) -> float:
    """|e|; rows of work: t, then for A and B: n, x0 - y, x1 - y."""
    length = 0.0
    for i in range(3):
        work[0, i] = x[corners[1], i] - x[corners[0], i]
        length += work[0, i] ** 2
        for s in range(2):
            work[2 + 3 * s, i] = x[corners[0], i] - x[corners[2 + s], i]
            work[3 + 3 * s, i] = x[corners[1], i] - x[corners[2 + s], i]
    length = math.sqrt(length)
    for i in range(3):
        work[0, i] /= length
    _cross(work[2], work[3], work[1])
    _cross(work[6], work[5], work[4])
    return length


@njit(cache=True, nogil=True, error_model="numpy")
def _angle(x: Array, corners: Ints, work: Array, g: Array) -> float:
    """theta; g (12,) = its gradient."""
    length = _frame(x, corners, work)
    g[:] = 0.0
    for s in range(2):
        n, square = work[1 + 3 * s], _dot(work[1 + 3 * s], work[1 + 3 * s])
        start, end = _dot(work[3 + 3 * s], work[0]) / square, _dot(work[2 + 3 * s], work[0]) / square
        for i in range(3):
            g[i] += start * n[i]
            g[3 + i] -= end * n[i]
            g[6 + 3 * s + i] = -length / square * n[i]
    _cross(work[1], work[4], work[7])
    return math.atan2(_dot(work[7], work[0]), _dot(work[1], work[4]))


@njit(cache=True, nogil=True, error_model="numpy")
def _add_second(weight: float, length: float, s: int, work: Array, H: Array) -> None:
    """H (12, 12) += weight d2theta of one triangle, after `_angle`; rows and columns of x0, x1 and its apex."""
    t, n, to0, to1 = work[0], work[1 + 3 * s], work[2 + 3 * s], work[3 + 3 * s]
    square = _dot(n, n)
    c0, c1 = _dot(to1, t), -_dot(to0, t)
    sign = 1.0 if s == 0 else -1.0
    for j in range(3):  # which corner moves
        column = 6 + 3 * s if j == 2 else 3 * j
        for b in range(3):  # along which axis
            w = (to1[b] - c0 * t[b]) / length
            d0 = -w if j == 0 else t[b] + w if j == 1 else -t[b]
            d1 = w - t[b] if j == 0 else -w if j == 1 else t[b]
            d2 = t[b] if j == 0 else -t[b] if j == 1 else 0.0
            b1, b2 = (b + 1) % 3, (b + 2) % 3
            # v x o for the unit vector v = b: component b1 is -o_b2, component b2 is o_b1
            if j == 0:
                m1, m2 = -sign * to1[b2], sign * to1[b1]
            elif j == 1:
                m1, m2 = sign * to0[b2], -sign * to0[b1]
            else:
                m1, m2 = -sign * (to0[b2] - to1[b2]), sign * (to0[b1] - to1[b1])
            along = 2.0 * (n[b1] * m1 + n[b2] * m2) / square
            for a in range(3):
                dn = m1 if a == b1 else m2 if a == b2 else 0.0
                du, u = (dn - along * n[a]) / square, n[a] / square
                H[a, column + b] += weight * (u * d0 + c0 * du)
                H[3 + a, column + b] += weight * (u * d1 + c1 * du)
                H[6 + 3 * s + a, column + b] += weight * (u * d2 - length * du)


@njit(cache=True, nogil=True, inline="always")
def _wrapped(angle: float) -> float:
    """The same angle within -pi to pi."""
    return angle - 2.0 * math.pi * math.floor(0.5 * angle / math.pi + 0.5)


@njit(cache=True, nogil=True)
def _gradient_part(
    part: int,
    bends: Bends,
    xs: Array,
    energy: Array,
    force: Array,
    owner: Ints,
    chosen: Ints,
    values: Array,
    out: Array,
) -> None:
    work, g, total = np.empty((8, 3)), np.empty(12), np.empty(12)
    for e in chosen:
        corners, k = bends.elements[e], bends.k[e]
        value = 0.0
        total[:] = 0.0
        for q in range(xs.shape[0]):
            strain = _wrapped(_angle(xs[q], corners, work, g) - bends.rest[e])
            value += energy[q] * k * strain * strain
            pull = 2.0 * force[q] * k * strain
            for i in range(12):
                total[i] += pull * g[i]
        values[e] = value
        for a in range(4):
            v = corners[a]
            if owner[v] == part:
                for i in range(3):
                    out[v, i] += total[3 * a + i]


@njit(cache=True, parallel=True)
def gradient(
    bends: Bends,
    xs: Array,
    energy: Array,
    force: Array,
    owner: Ints,
    start: Ints,
    chosen: Ints,
    values: Array,
    out: Array,
) -> None:
    """out (n, 3) += weighted gradient; values (m,) = weighted energies."""
    for part in prange(start.size - 1):
        mine = chosen[start[part] : start[part + 1]]
        _gradient_part(np.int64(part), bends, xs, energy, force, owner, mine, values, out)


@njit(cache=True, nogil=True)
def _second(bends: Bends, e: int, xs: Array, curvature: Array, project: bool, work: Array, g: Array, H: Array) -> None:
    """H (12, 12) = weighted Hessian of one hinge; `project` leaves theta'' out, and what remains is positive."""
    H[:] = 0.0
    corners, k = bends.elements[e], bends.k[e]
    for q in range(xs.shape[0]):
        strain = _wrapped(_angle(xs[q], corners, work, g) - bends.rest[e])
        weight = 2.0 * curvature[q] * k
        if project and weight <= 0.0:
            continue
        for a in range(12):
            for b in range(12):
                H[a, b] += weight * g[a] * g[b]
        if not project:
            length = _dot(work[3], work[0]) - _dot(work[2], work[0])
            _add_second(weight * strain, length, 0, work, H)
            _add_second(weight * strain, length, 1, work, H)


@njit(cache=True, nogil=True)
def _hessian_part(
    part: int, bends: Bends, xs: Array, curvature: Array, place: Place, chosen: Ints, project: bool, values: Array
) -> None:
    work, g, H = np.empty((8, 3)), np.empty(12), np.empty((12, 12))
    for e in chosen:
        _second(bends, e, xs, curvature, project, work, g, H)
        at = 0
        for a in range(4):
            for b in range(a, 4):
                slot = place.slots[e, at]
                at += 1
                if slot < 0:
                    continue
                va, vb = bends.elements[e, a], bends.elements[e, b]
                transposed = place.unknowns[va] > place.unknowns[vb]
                top = vb if transposed else va
                if place.owner[top] == part:
                    add_block(slot, place.row_length[place.unknowns[top]], a == b, transposed, H, 3 * a, 3 * b, values)


@njit(cache=True, parallel=True)
def hessian(
    bends: Bends, xs: Array, curvature: Array, place: Place, start: Ints, chosen: Ints, project: bool, values: Array
) -> None:
    """values += weighted Hessian in the upper triangle."""
    for part in prange(start.size - 1):
        mine = chosen[start[part] : start[part + 1]]
        _hessian_part(np.int64(part), bends, xs, curvature, place, mine, project, values)


@njit(cache=True)
def angles(x: Array, elements: Ints, out: Array, gradients: Array) -> None:
    """out (m,) = theta, gradients (m, 12) = its derivatives."""
    work = np.empty((8, 3))
    for e in range(elements.shape[0]):
        out[e] = _angle(x, elements[e], work, gradients[e])


@njit(cache=True)
def element_hessians(bends: Bends, x: Array, project: bool, out: Array) -> None:
    """out (m, 12, 12) = Hessians of all hinges."""
    work, g, one = np.empty((8, 3)), np.empty(12), np.ones(1)
    xs = x.reshape(1, x.shape[0], 3)
    for e in range(bends.elements.shape[0]):
        _second(bends, e, xs, one, project, work, g, out[e])
