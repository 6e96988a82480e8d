"""One spring in the fused loops (loops.py): ends -> length -> law -> blocks.

A spring depends on x through d = x_j - x_i only: its gradient is (-g, g) and its Hessian ((B, -B), (-B, B)) with

    g = sum_q f_q 2 psi'(s_q) d_q,    B = sum_q c_q [2 psi'(s_q) I + 4 psi''(s_q) d_q d_q^T],    s = d . d

over the samples q of a stage, so a second sample costs no second scatter. B is kept as its upper triangle by rows.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from supple.energies.loops import gradient_for, hessian_for
from supple.types import Array, Ints

HOOKE, STVK = 0, 1


class Net(NamedTuple):
    """Loop data of springs."""

    law: int
    """HOOKE or STVK."""
    elements: Ints
    """(m, 2) both ends."""
    k: Array
    """Stiffness of each."""
    r: Array
    """Rest length of each [m]."""


@njit(cache=True, nogil=True, inline="always")
def _law(law: int, s: float, k: float, r: float) -> tuple[float, float, float]:
    """psi, psi', psi'' with respect to s; see `hooke` and `StVKSprings` in spring.py."""
    if law == STVK:
        strain = s - r * r
        return 0.5 * k * strain * strain, k * strain, k
    length = math.sqrt(s)
    if length == 0.0:
        return 0.5 * k * r * r, 0.5 * k, 0.0
    ratio = r / length
    return 0.5 * k * (length - r) ** 2, 0.5 * k * (1.0 - ratio), 0.25 * k * ratio / s


@gradient_for(Net)
@njit(cache=True, nogil=True)
def _gradient(part, p, xs, energy, force, owner, chosen, values, out):
    for e in chosen:
        i, j = p.elements[e, 0], p.elements[e, 1]
        value = g0 = g1 = g2 = 0.0
        for q in range(xs.shape[0]):
            d0, d1, d2 = xs[q, j, 0] - xs[q, i, 0], xs[q, j, 1] - xs[q, i, 1], xs[q, j, 2] - xs[q, i, 2]
            psi, slope, _ = _law(p.law, d0 * d0 + d1 * d1 + d2 * d2, p.k[e], p.r[e])
            value += energy[q] * psi
            pull = 2.0 * force[q] * slope
            g0, g1, g2 = g0 + pull * d0, g1 + pull * d1, g2 + pull * d2
        values[e] = value
        if owner[i] == part:
            out[i, 0] -= g0
            out[i, 1] -= g1
            out[i, 2] -= g2
        if owner[j] == part:
            out[j, 0] += g0
            out[j, 1] += g1
            out[j, 2] += g2


@njit(cache=True, nogil=True)
def clamp(B: Array, full: Array) -> None:
    """Set the negative eigenvalues of B to zero."""
    full[0, 0], full[0, 1], full[0, 2] = B[0], B[1], B[2]
    full[1, 0], full[1, 1], full[1, 2] = B[1], B[3], B[4]
    full[2, 0], full[2, 1], full[2, 2] = B[2], B[4], B[5]
    eigenvalues, vectors = np.linalg.eigh(full)
    B[:] = 0.0
    for m in range(3):
        if eigenvalues[m] > 0.0:
            at = 0
            for row in range(3):
                for column in range(row, 3):
                    B[at] += eigenvalues[m] * vectors[row, m] * vectors[column, m]
                    at += 1


@njit(cache=True, nogil=True)
def _block(net: Net, e: int, xs: Array, curvature: Array, project: bool, B: Array, full: Array) -> None:
    """B of one spring; with `project` made positive semidefinite.

    One sample has the eigenvalues 2 psi' across the spring, twice, and 2 psi' + 4 psi'' s along it. For several samples
    the sum is clamped, but only where springs are compressed: psi'' is never negative.
    """
    i, j = net.elements[e, 0], net.elements[e, 1]
    B[:] = 0.0
    across = 0.0
    alone = xs.shape[0] == 1
    for q in range(xs.shape[0]):
        d0, d1, d2 = xs[q, j, 0] - xs[q, i, 0], xs[q, j, 1] - xs[q, i, 1], xs[q, j, 2] - xs[q, i, 2]
        s = d0 * d0 + d1 * d1 + d2 * d2
        _, slope, bend = _law(net.law, s, net.k[e], net.r[e])
        round_, long = 2.0 * curvature[q] * slope, 4.0 * curvature[q] * bend
        if project and alone:
            along = max(round_ + long * s, 0.0)
            round_ = max(round_, 0.0)
            long = (along - round_) / s if s > 0.0 else 0.0
        across += round_
        B[0] += long * d0 * d0
        B[1] += long * d0 * d1
        B[2] += long * d0 * d2
        B[3] += long * d1 * d1
        B[4] += long * d1 * d2
        B[5] += long * d2 * d2
    B[0] += across
    B[3] += across
    B[5] += across
    if project and across < 0.0:
        clamp(B, full)


@njit(cache=True, nogil=True)
def add_diagonal(B: Array, s: int, length: int, values: Array) -> None:
    values[s] += B[0]
    values[s + 1] += B[1]
    values[s + 2] += B[2]
    values[s + length] += B[3]
    values[s + length + 1] += B[4]
    values[s + 2 * length - 1] += B[5]


@njit(cache=True, nogil=True)
def subtract_beside(B: Array, s: int, length: int, values: Array) -> None:
    """The block between both ends; it is symmetric, so their order does not matter."""
    values[s] -= B[0]
    values[s + 1] -= B[1]
    values[s + 2] -= B[2]
    s += length - 1
    values[s] -= B[1]
    values[s + 1] -= B[3]
    values[s + 2] -= B[4]
    s += length - 2
    values[s] -= B[2]
    values[s + 1] -= B[4]
    values[s + 2] -= B[5]


@hessian_for(Net)
@njit(cache=True, nogil=True)
def _hessian(part, p, xs, curvature, place, chosen, project, values):
    B, full = np.empty(6), np.empty((3, 3))
    for e in chosen:
        _block(p, e, xs, curvature, project, B, full)
        i, j = p.elements[e, 0], p.elements[e, 1]
        ui, uj = place.unknowns[i], place.unknowns[j]
        if ui >= 0 and place.owner[i] == part:
            add_diagonal(B, place.slots[e, 0], place.row_length[ui], values)
        if uj >= 0 and place.owner[j] == part:
            add_diagonal(B, place.slots[e, 2], place.row_length[uj], values)
        if ui >= 0 and uj >= 0 and place.owner[i if ui < uj else j] == part:
            subtract_beside(B, place.slots[e, 1], place.row_length[min(ui, uj)], values)
