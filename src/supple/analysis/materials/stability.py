"""Stability of a deformed solid: by convexity in the stretch, and by strong ellipticity.

Convexity: the density as a function of the stretch U of F = R U has a positive definite second derivative there, which is
dP/dF at F = U on symmetric changes. Rotations are excluded, because compression always makes them unstable. A block
under constant forces on its faces becomes unstable where convexity ends.
Strong ellipticity: m n^T : dP/dF : m n^T > 0 for all directions m and n, so waves have real speeds. Bands of shear or of
crushed material form where it ends. Neither implies the other: changes m n^T rotate as well as stretch.
Both are returned over the largest entry of dP/dF there, so their round-off is 1e-15 at any stiffness.
"""

from __future__ import annotations

import numpy as np

from supple.materials.material import Material
from supple.types import Array

DIRECTIONS = 256
"""Number of normals n on the half sphere for the test of ellipticity."""
PAIRS = ((0, 1), (0, 2), (1, 2))


def least_curvature(material: Material, F: Array) -> Array:
    """(m,) smallest second derivative of the density over unit symmetric changes of U [-]."""
    values, vectors = np.linalg.eigh(np.swapaxes(F, 1, 2) @ F)
    U = np.einsum("mik,mk,mjk->mij", vectors, np.sqrt(np.maximum(values, 0.0)), vectors)
    basis = np.zeros((6, 3, 3))
    for k in range(3):
        basis[k, k, k] = 1.0
    for k, (i, j) in enumerate(PAIRS, 3):
        basis[k, i, j] = basis[k, j, i] = 0.5**0.5
    C = _scaled(material.tangent(U))
    return np.asarray(np.linalg.eigvalsh(np.einsum("aij,mijkl,bkl->mab", basis, C, basis, optimize=True))[:, 0])


def least_acoustic(material: Material, F: Array) -> Array:
    """(m,) smallest m n^T : dP/dF : m n^T over unit m and n [-]."""
    n, C = half_sphere(), _scaled(material.tangent(F))
    Q = np.einsum("mijkl,dj,dl->mdik", C, n, n, optimize=True)
    return np.asarray(np.linalg.eigvalsh(Q)[:, :, 0].min(axis=1))


def _scaled(C: Array) -> Array:
    return np.asarray(C / np.abs(C).max(axis=(1, 2, 3, 4), keepdims=True))


def half_sphere() -> Array:
    """(d, 3) evenly spread unit vectors, including the axes and the diagonals of their planes."""
    k = np.arange(DIRECTIONS)
    z, turn = (k + 0.5) / DIRECTIONS, np.pi * (1 + 5**0.5) * k
    spread = np.stack([np.sqrt(1 - z * z) * np.cos(turn), np.sqrt(1 - z * z) * np.sin(turn), z], axis=1)
    diagonals = [np.eye(3)[i] + sign * np.eye(3)[j] for i, j in PAIRS for sign in (1, -1)]
    return np.concatenate([np.eye(3), np.array(diagonals) / 2**0.5, spread])
