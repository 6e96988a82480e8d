"""Nearest positive semidefinite matrices: negative eigenvalues set to zero."""

from __future__ import annotations

import numpy as np

from supple.types import Array


def clamp_negative(matrices: Array) -> Array:
    """Project each symmetric matrix of a stack (m, k, k)."""
    eigenvalues, vectors = np.linalg.eigh(matrices)
    if (eigenvalues >= 0.0).all():
        return matrices
    return np.einsum("mik,mk,mjk->mij", vectors, np.maximum(eigenvalues, 0.0), vectors, optimize=True)
