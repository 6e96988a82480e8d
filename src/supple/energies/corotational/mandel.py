"""Stiffness tensors of linear elasticity as symmetric 6x6 matrices over Mandel's vectors (e11, e22, e33, sqrt2 e23,
sqrt2 e13, sqrt2 e12), so e : C : e is a product of vectors and rotations are orthogonal.

Voigt's matrix, over (e11, e22, e33, 2 e23, 2 e13, 2 e12), becomes Mandel's when rows and columns 4 to 6 are multiplied by
sqrt2: shear entries by 2, entries that couple shear and stretch by sqrt2.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from supple.errors import MeshError, SuppleError
from supple.materials.lame import lame
from supple.types import Array

FIRST, SECOND = (0, 1, 2, 1, 0, 0), (0, 1, 2, 2, 2, 1)
"""Indices i, j of each entry."""
WEIGHT = np.array([1.0, 1.0, 1.0, np.sqrt(2.0), np.sqrt(2.0), np.sqrt(2.0)])
ROUNDING = 1e-10
"""Asymmetry and negative eigenvalues, relative to the largest entry, that count as round-off."""


def isotropic(young: Any, poisson: Any) -> Array:
    """(..., 6, 6) lam on the 3x3 block of stretches + 2 mu I [Pa], from Young's modulus [Pa] and Poisson's ratio."""
    mu, lam = (np.asarray(value, dtype=np.float64)[..., None, None] for value in lame(young, poisson))
    block = np.zeros((6, 6))
    block[:3, :3] = 1.0
    return lam * block + 2.0 * mu * np.eye(6)


def checked(stiffness: Array, m: int) -> Array:
    """(m, 6, 6) from one matrix or one per element; rejects matrices that are not symmetric positive semidefinite."""
    C = np.asarray(stiffness, dtype=np.float64)
    if C.shape not in ((6, 6), (m, 6, 6)):
        raise SuppleError(f"stiffness: one 6x6 matrix or one for each of the {m} tets, found shape {C.shape}")
    C = np.broadcast_to(C, (m, 6, 6))
    if not np.isfinite(C).all():
        raise SuppleError("stiffness: must be finite")
    size = np.abs(C).max(axis=(1, 2))
    crooked = np.abs(C - np.swapaxes(C, 1, 2)).max(axis=(1, 2)) > ROUNDING * size
    _refuse(crooked, "is not symmetric")
    C = np.ascontiguousarray(0.5 * (C + np.swapaxes(C, 1, 2)))
    _refuse(np.linalg.eigvalsh(C)[:, 0] < -ROUNDING * size, "has a negative eigenvalue: strain would release energy")
    return C


def _refuse(bad: Array, what: str) -> None:
    if bad.any():
        found = np.flatnonzero(bad)
        raise MeshError(f"stiffness: the matrix of {len(found)} tets {what}, the first is tet {found[0]}")


def is_isotropic(C: Array) -> bool:
    """Whether every one of (m, 6, 6) is lam on the 3x3 block of stretches + 2 mu I, up to round-off."""
    twice_mu = C[:, 3:, 3:].trace(axis1=1, axis2=2) / 3.0
    lam = C[:, :3, :3].mean(axis=(1, 2)) - twice_mu / 3.0
    block = np.zeros((6, 6))
    block[:3, :3] = 1.0
    wanted = lam[:, None, None] * block + twice_mu[:, None, None] * np.eye(6)
    return bool((np.abs(C - wanted) <= ROUNDING * np.abs(C).max(axis=(1, 2), keepdims=True)).all())


def turned(C: Array, R: Array) -> Array:
    """(m, 6, 6) of the same bodies rotated by (m, 3, 3)."""
    i, j = np.array(FIRST), np.array(SECOND)
    # e'_ij = R_ik R_jl e_kl; a pair k != l represents both orders
    both = R[:, i[:, None], i] * R[:, j[:, None], j] + R[:, i[:, None], j] * R[:, j[:, None], i]
    Q = 0.5 * both * WEIGHT[:, None] * WEIGHT
    return Q @ C @ np.swapaxes(Q, 1, 2)
