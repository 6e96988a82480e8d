"""Fused loops of dihedral bending: positions -> signed angle (dihedral_angle.py) -> global vector or matrix.

    psi = k f(theta - theta0) (fold.py);  Hessian k [f'' theta' theta'^T + f' theta'']
All samples of a stage are summed before anything is scattered.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit, prange

from supple.energies.bending.dihedral_angle import add_second, angle, dot
from supple.energies.bending.fold import fold
from supple.energies.element_blocks import add_element
from supple.energies.springs.kernels import Place
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
            f, slope, _ = fold(angle(xs[q], corners, work, g) - bends.rest[e])
            value += energy[q] * k * f
            pull = force[q] * k * slope
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
        _, slope, second = fold(angle(xs[q], corners, work, g) - bends.rest[e])
        along, across = curvature[q] * k * second, curvature[q] * k * slope
        if project and along <= 0.0:
            continue
        for a in range(12):
            for b in range(12):
                H[a, b] += along * g[a] * g[b]
        if not project:
            length = dot(work[3], work[0]) - dot(work[2], work[0])
            add_second(across, length, 0, work, H)
            add_second(across, length, 1, work, H)


@njit(cache=True, nogil=True)
def _hessian_part(
    part: int, bends: Bends, xs: Array, curvature: Array, place: Place, chosen: Ints, project: bool, values: Array
) -> None:
    work, g, H = np.empty((8, 3)), np.empty(12), np.empty((12, 12))
    for e in chosen:
        _second(bends, e, xs, curvature, project, work, g, H)
        add_element(part, e, bends.elements, place, H, values)


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
        out[e] = angle(x, elements[e], work, gradients[e])


@njit(cache=True)
def element_hessians(bends: Bends, x: Array, project: bool, out: Array) -> None:
    """out (m, 12, 12) = Hessians of all hinges."""
    work, g, one = np.empty((8, 3)), np.empty(12), np.ones(1)
    xs = x.reshape(1, x.shape[0], 3)
    for e in range(bends.elements.shape[0]):
        _second(bends, e, xs, one, project, work, g, out[e])
