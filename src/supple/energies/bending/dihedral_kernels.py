"""One hinge in the fused loops (loops.py): positions -> signed angle (dihedral_angle.py) -> gradient and Hessian.

psi = k f(theta - theta0) (fold.py);  Hessian k [f'' theta' theta'^T + f' theta'']
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from supple.energies.bending.dihedral_angle import add_second, angle, dot
from supple.energies.bending.fold import fold
from supple.energies.element_blocks import add_element
from supple.energies.loops import gradient_for, hessian_for
from supple.types import Array, Ints


class Bends(NamedTuple):
    """Loop data of hinges."""

    elements: Ints
    k: Array
    """Stiffness times weight [N m]."""
    rest: Array
    """theta0 [rad]."""


@gradient_for(Bends)
@njit(cache=True, nogil=True)
def _gradient(part, p, xs, energy, force, owner, chosen, values, out):
    work, g, total = np.empty((8, 3)), np.empty(12), np.empty(12)
    for e in chosen:
        corners, k = p.elements[e], p.k[e]
        value = 0.0
        total[:] = 0.0
        for q in range(xs.shape[0]):
            f, slope, _ = fold(angle(xs[q], corners, work, g) - p.rest[e])
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


@njit(cache=True, nogil=True)
def _second(bends: Bends, e: int, xs: Array, curvature: Array, project: bool, work: Array, g: Array, H: Array) -> None:
    """H (12, 12) = weighted Hessian of one hinge; `project` omits theta'', which leaves a positive semidefinite matrix."""
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


@hessian_for(Bends)
@njit(cache=True, nogil=True)
def _hessian(part, p, xs, curvature, place, chosen, project, values):
    work, g, H = np.empty((8, 3)), np.empty(12), np.empty((12, 12))
    for e in chosen:
        _second(p, e, xs, curvature, project, work, g, H)
        add_element(part, e, p.elements, place, H, values)


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
