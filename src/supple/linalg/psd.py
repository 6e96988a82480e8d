"""Nearest positive semidefinite matrices: negative eigenvalues set to zero.

Small ones by Jacobi rotations within kernels: no library call per matrix, and results independent of the machine's
library.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.types import Array

SWEEPS = 30
"""Largest number of sweeps; convergence is quadratic, and about six are needed."""
SMALL = 1e-16
"""Off-diagonal entry, relative to the largest of the matrix, that counts as zero."""
SEMIDEFINITE = 1e-15
"""Pivot, relative to the largest entry, that counts as zero."""
MOST = 6
"""Rows up to which rotations are faster than the library."""


def clamp_negative(matrices: Array) -> Array:
    """Project each symmetric matrix of a stack (m, k, k); positive semidefinite ones are unchanged to the bit."""
    k, bad = matrices.shape[-1], indefinite(matrices)
    if not bad.any():
        return matrices
    out = matrices.copy()
    if k <= MOST:
        _clamp(np.flatnonzero(bad), out)
        return out
    eigenvalues, vectors = np.linalg.eigh(matrices[bad])
    out[bad] = (vectors * np.maximum(eigenvalues, 0.0)[:, None, :]) @ vectors.transpose(0, 2, 1)
    return out


@njit(cache=True, nogil=True, error_model="numpy")
def indefinite(matrices):
    """(m,) whether elimination finds a negative pivot, or a zero pivot with nonzero entries beside it."""
    m, k, _ = matrices.shape
    out, L = np.zeros(m, dtype=np.bool_), np.empty((k, k))
    for e in range(m):
        largest = 0.0
        for i in range(k):
            for j in range(i + 1):
                L[i, j] = matrices[e, i, j]
                largest = max(largest, abs(L[i, j]))
        out[e] = not _eliminated(k, SEMIDEFINITE * largest, L)
    return out


@njit(cache=True, nogil=True, error_model="numpy")
def _eliminated(k, zero, L):
    """Whether the lower triangle L (k, k) is positive semidefinite up to entries of `zero`; it is overwritten."""
    for p in range(k):
        pivot = L[p, p]
        if pivot <= zero:
            for i in range(p, k):
                if not abs(L[i, p]) <= zero:
                    return False
            continue
        if not pivot > zero:  # or NaN
            return False
        for i in range(p + 1, k):
            share = L[i, p] / pivot
            for j in range(p + 1, i + 1):
                L[i, j] -= share * L[j, p]
    return True


@njit(cache=True, nogil=True, error_model="numpy")
def _clamp(chosen, matrices):
    k = matrices.shape[1]
    A, V = np.empty((k, k)), np.empty((k, k))
    for e in chosen:
        A[:] = matrices[e]
        diagonalise(k, A, V)
        matrices[e] = 0.0
        for p in range(k):
            if not A[p, p] <= 0.0:
                for i in range(k):
                    for j in range(k):
                        matrices[e, i, j] += A[p, p] * V[p, i] * V[p, j]


@njit(cache=True, nogil=True, error_model="numpy")
def diagonalise(k, A, V):
    """The leading k rows and columns of A become diagonal, the leading rows of V its eigenvectors."""
    largest = 0.0
    for i in range(k):
        for j in range(k):
            V[i, j] = 1.0 if i == j else 0.0
            largest = max(largest, abs(A[i, j]))
    for _ in range(SWEEPS):
        turned = False
        for p in range(k - 1):
            for q in range(p + 1, k):
                if abs(A[p, q]) > SMALL * largest:
                    _turn(k, p, q, A, V)
                    turned = True
        if not turned:
            return


@njit(cache=True, nogil=True, error_model="numpy")
def _turn(k, p, q, A, V):
    """Rotate in the plane of p and q to make A[p, q] zero."""
    apart = 0.5 * (A[q, q] - A[p, p]) / A[p, q]
    t = 1.0 / (abs(apart) + np.sqrt(1.0 + apart * apart))
    if apart < 0.0:
        t = -t
    c = 1.0 / np.sqrt(1.0 + t * t)
    s = t * c
    change = t * A[p, q]
    A[p, p] -= change
    A[q, q] += change
    A[p, q] = A[q, p] = 0.0
    for i in range(k):
        if i != p and i != q:
            a, b = A[p, i], A[q, i]
            A[p, i] = A[i, p] = c * a - s * b
            A[q, i] = A[i, q] = s * a + c * b
    for i in range(k):
        a, b = V[p, i], V[q, i]
        V[p, i], V[q, i] = c * a - s * b, s * a + c * b
