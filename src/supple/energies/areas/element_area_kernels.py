"""The area of one triangle in the fused loops (loops.py): positions -> A, its gradient and Hessian.

With n = (x1 - x0) x (x2 - x0), A = |n|/2, u = n/|n|, and e_i the edge opposite corner i, running round the triangle:

    A_i' = u x e_i/2,   A_ij'' = (e_i . e_j)/(2 |n|) u u^T + s_ij/2 [u],   s_ij = -1 for j = i + 1, 1 for j = i - 1, 0 for j = i
    psi = k (1 - A/A0)^2 A0:   Hessian 2k [(A/A0 - 1) A'' + A' A'^T/A0]
Of A'' the part along u is positive: tension stiffens a triangle against out-of-plane displacements, and pressure makes
it buckle. The part with [u] has both signs. The positive semidefinite Hessian drops that part and, under pressure, all
of A''.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from supple.energies.element_blocks import add_element
from supple.energies.loops import gradient_for, hessian_for
from supple.types import Array, Ints


class Areas(NamedTuple):
    """Loop data of triangles."""

    elements: Ints
    """(m, 3) triangles."""
    k: Array
    rest: Array
    """A0 [m^2]."""


@njit(cache=True, nogil=True, error_model="numpy")
def _area(x: Array, triangle: Ints, u: Array, e: Array, g: Array) -> float:
    """A; u (3,), the edges e (3, 3) and the gradient g (3, 3)."""
    for a in range(3):
        b, c = triangle[(a + 1) % 3], triangle[(a + 2) % 3]
        for i in range(3):
            e[a, i] = x[c, i] - x[b, i]
    square = 0.0
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        u[i] = e[2, j] * -e[1, k] + e[2, k] * e[1, j]  # (x1 - x0) x (x2 - x0), with x2 - x0 = -e_1
        square += u[i] * u[i]
    size = math.sqrt(square)
    for i in range(3):
        u[i] /= size
    for a in range(3):
        for i in range(3):
            j, k = (i + 1) % 3, (i + 2) % 3
            g[a, i] = 0.5 * (u[j] * e[a, k] - u[k] * e[a, j])
    return 0.5 * size


@gradient_for(Areas)
@njit(cache=True, nogil=True)
def _gradient(part, p, xs, energy, force, owner, chosen, values, out):
    u, e, g, total = np.empty(3), np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    for t in chosen:
        triangle, k, rest = p.elements[t], p.k[t], p.rest[t]
        value = 0.0
        total[:] = 0.0
        for q in range(xs.shape[0]):
            strain = _area(xs[q], triangle, u, e, g) / rest - 1.0
            value += energy[q] * k * strain * strain * rest
            pull = 2.0 * force[q] * k * strain
            for a in range(3):
                for i in range(3):
                    total[a, i] += pull * g[a, i]
        values[t] = value
        for a in range(3):
            v = triangle[a]
            if owner[v] == part:
                for i in range(3):
                    out[v, i] += total[a, i]


@njit(cache=True, nogil=True, error_model="numpy")
def _add_second(
    stiff: float, tension: float, twist: float, size: float, u: Array, e: Array, g: Array, H: Array
) -> None:
    """H (9, 9) += stiff A' A'^T + the parts of A'' along u and with [u], each with its own weight."""
    for a in range(3):
        for b in range(3):
            along = tension * (e[a, 0] * e[b, 0] + e[a, 1] * e[b, 1] + e[a, 2] * e[b, 2]) / (4.0 * size)
            for i in range(3):
                for j in range(3):
                    H[3 * a + i, 3 * b + j] += stiff * g[a, i] * g[b, j] + along * u[i] * u[j]
            if a != b:
                half = (-0.5 if b == (a + 1) % 3 else 0.5) * twist
                for i in range(3):
                    j, k = (i + 1) % 3, (i + 2) % 3
                    H[3 * a + i, 3 * b + j] -= half * u[k]
                    H[3 * a + i, 3 * b + k] += half * u[j]


@njit(cache=True, nogil=True, error_model="numpy")
def _second(
    areas: Areas, t: int, xs: Array, curvature: Array, project: bool, u: Array, e: Array, g: Array, H: Array
) -> None:
    """H (9, 9) = weighted Hessian of one triangle."""
    H[:] = 0.0
    k, rest = areas.k[t], areas.rest[t]
    for q in range(xs.shape[0]):
        size = _area(xs[q], areas.elements[t], u, e, g)
        stiff, slope = 2.0 * curvature[q] * k / rest, 2.0 * curvature[q] * k * (size / rest - 1.0)
        if project:
            _add_second(max(stiff, 0.0), max(slope, 0.0), 0.0, size, u, e, g, H)
        else:
            _add_second(stiff, slope, slope, size, u, e, g, H)


@hessian_for(Areas)
@njit(cache=True, nogil=True)
def _hessian(part, p, xs, curvature, place, chosen, project, values):
    u, e, g, H = np.empty(3), np.empty((3, 3)), np.empty((3, 3)), np.empty((9, 9))
    for t in chosen:
        _second(p, t, xs, curvature, project, u, e, g, H)
        add_element(part, t, p.elements, place, H, values)


@njit(cache=True)
def element_hessians(areas: Areas, x: Array, project: bool, out: Array) -> None:
    """out (m, 9, 9) = Hessians of all triangles."""
    u, e, g, one = np.empty(3), np.empty((3, 3)), np.empty((3, 3)), np.ones(1)
    xs = x.reshape(1, x.shape[0], 3)
    for t in range(areas.elements.shape[0]):
        _second(areas, t, xs, one, project, u, e, g, out[t])
