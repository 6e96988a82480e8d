"""Free entries of F at which their stresses vanish: minima of the density, by Newton's method with the solid's own tangent.

All points of a curve are solved simultaneously. A point whose initial guess does not converge restarts from
its neighbour towards rest, so curves follow the branch that begins there.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from supple.materials.material import Material
from supple.types import Array, Ints

Mask = npt.NDArray[np.bool_]
ITERATIONS, HALVINGS = 60, 40
TOLERANCE = 1e-12
"""Residual stress on free entries, over the stiffness at rest."""
ROUGH = 1e-9
"""The same where no step lowers the density further."""
FLOOR = 1e-6
"""Smallest curvature of a Newton step, over the stiffness at rest."""
ROUNDING = 1e-15
"""Of a density, relative to itself and to stiffness times strain: changes below the resolution of a line search."""


def settle(material: Material, F: Array, free: Sequence[int], ways: Sequence[Sequence[int]]) -> tuple[Array, Mask]:
    """F (m, 3, 3) with its free entries in equilibrium, and whether it was found (m,); `ways` lists points from rest outwards."""
    F = np.array(F)
    found = np.isfinite(material.density(F))
    if not free:
        return F, found
    stiffness = float(np.abs(material.tangent(np.eye(3)[None])).max())
    F[found], found[found] = _minimised(material, F[found], free, stiffness)
    for way in ways:
        for before, point in pairwise(way):
            if found[before] and not found[point]:
                one = F[[point]]
                one.reshape(1, 9)[:, free] = F[before].ravel()[free]
                if np.isfinite(material.density(one))[0]:
                    F[[point]], found[[point]] = _minimised(material, one, free, stiffness)
    return F, found


def _minimised(material: Material, F: Array, free: Sequence[int], stiffness: float) -> tuple[Array, Mask]:
    """Newton's method for each F, whose density is finite."""
    F, places = np.array(F), np.asarray(free)
    settled, left = np.zeros(len(F), bool), np.arange(len(F))
    for _ in range(ITERATIONS):
        if not len(left):
            break
        residual, step = _newton(material, F[left], places, stiffness)
        size = np.abs(residual).max(axis=1) / stiffness
        F[left], moved = _search(material, F[left], places, residual, step, stiffness)
        # the last step is taken too; where round-off prevents one, the current point is accepted or not
        settled[left] = (size <= TOLERANCE) | (~moved & (size <= ROUGH))
        left = left[moved & ~settled[left]]
    return F, settled


def _newton(material: Material, F: Array, places: Ints, stiffness: float) -> tuple[Array, Array]:
    """Stresses on the free entries, and a step downhill: with absolute values of the curvatures."""
    residual = material.stress(F).reshape(-1, 9)[:, places]
    H = material.tangent(F).reshape(-1, 9, 9)[:, places[:, None], places[None, :]]
    values, vectors = np.linalg.eigh(H)
    sizes = np.maximum(np.abs(values), FLOOR * stiffness)
    along = np.einsum("mki,mk->mi", vectors, residual) / sizes
    return residual, -np.einsum("mki,mi->mk", vectors, along)


def _search(
    material: Material, F: Array, places: Ints, residual: Array, step: Array, stiffness: float
) -> tuple[Array, Mask]:
    """The longest halved step that lowers the density, and whether one exists."""
    psi, slope = material.density(F), np.einsum("mk,mk->m", residual, step)
    noise = ROUNDING * (np.abs(psi) + stiffness * np.abs(F - np.eye(3)).max(axis=(1, 2)))
    best, length = np.array(F), np.ones(len(F))
    left = np.arange(len(F))
    for _ in range(HALVINGS):
        trial = np.array(F[left])
        trial.reshape(-1, 9)[:, places] += length[left, None] * step[left]
        bound = psi[left] + 1e-4 * length[left] * slope[left] + noise[left]
        good = material.density(trial) <= bound
        best[left[good]] = trial[good]
        left = left[~good]
        if not len(left):
            break
        length[left] *= 0.5
    arrived = np.ones(len(F), bool)
    arrived[left] = False
    return best, arrived
