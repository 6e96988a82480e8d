"""One stencil in the fused loops (loops.py): r = sum_a c_a x_a, psi = kappa/2 (|r| - l)^2.

    gradient c_a g, g = kappa (1 - l/|r|) r;    Hessian c_a c_b B, B = kappa [(1 - l/|r|) I + l/|r|^3 r r^T]
Where l = 0 the block is kappa times the identity, of which only the diagonal is added. B is kept as its upper triangle.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from supple.energies.loops import gradient_for, hessian_for
from supple.types import Array, Ints


class Stencil(NamedTuple):
    """Loop data of them."""

    elements: Ints
    c: Array
    kappa: Array
    rest: Array


@njit(cache=True, nogil=True)
def _combination(stencil: Stencil, e: int, x: Array) -> tuple[float, float, float]:
    r0 = r1 = r2 = 0.0
    o = stencil.elements[e, 0]
    for a in range(1, stencil.elements.shape[1]):
        v, c = stencil.elements[e, a], stencil.c[e, a]
        r0, r1, r2 = r0 + c * (x[v, 0] - x[o, 0]), r1 + c * (x[v, 1] - x[o, 1]), r2 + c * (x[v, 2] - x[o, 2])
    return r0, r1, r2


@gradient_for(Stencil)
@njit(cache=True, nogil=True)
def _gradient(part, p, xs, energy, force, owner, chosen, values, out):
    for e in chosen:
        value = g0 = g1 = g2 = 0.0
        kappa, rest = p.kappa[e], p.rest[e]
        for q in range(xs.shape[0]):
            r0, r1, r2 = _combination(p, e, xs[q])
            length = math.sqrt(r0 * r0 + r1 * r1 + r2 * r2)
            value += 0.5 * energy[q] * kappa * (length - rest) ** 2
            pull = force[q] * kappa * (1.0 - (rest / length if length > 0.0 else 0.0))
            g0, g1, g2 = g0 + pull * r0, g1 + pull * r1, g2 + pull * r2
        values[e] = value
        for a in range(p.elements.shape[1]):
            v, c = p.elements[e, a], p.c[e, a]
            if owner[v] == part:
                out[v, 0] += c * g0
                out[v, 1] += c * g1
                out[v, 2] += c * g2


@njit(cache=True, nogil=True)
def _block(stencil: Stencil, e: int, xs: Array, curvature: Array, project: bool, B: Array) -> None:
    """B of one stencil, summed over the samples; with `project` each made positive semidefinite."""
    B[:] = 0.0
    kappa, rest = stencil.kappa[e], stencil.rest[e]
    for q in range(xs.shape[0]):
        weight = curvature[q] * kappa
        across, bend = weight, 0.0
        r0, r1, r2 = 0.0, 0.0, 0.0
        if rest > 0.0:
            r0, r1, r2 = _combination(stencil, e, xs[q])
            s = r0 * r0 + r1 * r1 + r2 * r2
            ratio = rest / math.sqrt(s) if s > 0.0 else 0.0
            across, bend = weight * (1.0 - ratio), (weight * ratio / s if s > 0.0 else 0.0)
            if project and across < 0.0:  # the eigenvalue along r is the weight
                across, bend = 0.0, (max(weight, 0.0) / s if s > 0.0 else 0.0)
        B[0] += across + bend * r0 * r0
        B[1] += bend * r0 * r1
        B[2] += bend * r0 * r2
        B[3] += across + bend * r1 * r1
        B[4] += bend * r1 * r2
        B[5] += across + bend * r2 * r2


@njit(cache=True, nogil=True)
def _add(w: float, B: Array, s: int, length: int, diagonal: bool, isotropic: bool, values: Array) -> None:
    """values += w B at slot s. The diagonal of a block is at s, s + L and s + 2L - 1."""
    values[s] += w * B[0]
    values[s + length] += w * B[3]
    values[s + 2 * length - 1] += w * B[5]
    if isotropic:
        return
    values[s + 1] += w * B[1]
    values[s + 2] += w * B[2]
    values[s + length + 1] += w * B[4]
    if not diagonal:
        values[s + length - 1] += w * B[1]
        values[s + 2 * length - 3] += w * B[2]
        values[s + 2 * length - 2] += w * B[4]


@hessian_for(Stencil)
@njit(cache=True, nogil=True)
def _hessian(part, p, xs, curvature, place, chosen, project, values):
    B = np.empty(6)
    k = p.elements.shape[1]
    for e in chosen:
        _block(p, e, xs, curvature, project, B)
        isotropic = p.rest[e] == 0.0
        at = 0
        for a in range(k):
            for b in range(a, k):
                s = place.slots[e, at]
                at += 1
                if s < 0:
                    continue
                va, vb = p.elements[e, a], p.elements[e, b]
                top = va if place.unknowns[va] <= place.unknowns[vb] else vb
                if place.owner[top] == part:
                    w, length = p.c[e, a] * p.c[e, b], place.row_length[place.unknowns[top]]
                    _add(w, B, s, length, a == b, isotropic, values)
