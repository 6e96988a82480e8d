"""Sums in a fixed order: the same bits for any thread count and memory alignment."""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.types import Array


@njit(cache=True, nogil=True)
def inner(a, b):
    """Inner product of two flat arrays."""
    # Blocks of 128 keep round-off near that of pairwise summation; four lanes let the compiler vectorise.
    total = 0.0
    n = a.size
    for start in range(0, n, 128):
        stop = min(start + 128, n)
        s0 = s1 = s2 = s3 = 0.0
        i = start
        while i + 3 < stop:
            s0 += a[i] * b[i]
            s1 += a[i + 1] * b[i + 1]
            s2 += a[i + 2] * b[i + 2]
            s3 += a[i + 3] * b[i + 3]
            i += 4
        while i < stop:
            s0 += a[i] * b[i]
            i += 1
        total += (s0 + s1) + (s2 + s3)
    return total


def dot(a: Array, b: Array) -> float:
    """Inner product of two arrays of the same shape."""
    return float(inner(a.ravel(), b.ravel()))


@njit(cache=True, nogil=True)
def _largest(a):
    best = 0.0
    for i in range(a.size):
        size = abs(a[i])
        if best == best and not size <= best:  # a NaN stays
            best = size
    return best


def largest(a: Array) -> float:
    """Largest magnitude; NaN if there is one, 0 for an empty array."""
    return float(_largest(a.ravel()))


@njit(cache=True, nogil=True)
def same(a, b):
    """Whether two arrays of the same shape (n, 3) have the same entries."""
    alike, i = True, 0
    while alike and i < a.shape[0]:
        alike = a[i, 0] == b[i, 0] and a[i, 1] == b[i, 1] and a[i, 2] == b[i, 2]
        i += 1
    return alike


@njit(cache=True, nogil=True)
def add_masked(part, mask, total):
    """total (n, 3) += mask (n, 1) part; returns the largest magnitude added, NaN if there is one."""
    best = 0.0
    for i in range(part.shape[0]):
        for k in range(3):
            value = mask[i, 0] * part[i, k]
            total[i, k] += value
            size = abs(value)
            if best == best and not size <= best:
                best = size
    return best


@njit(cache=True, nogil=True)
def add_part(z, residual, gap, p):
    """p += gap (z . residual)."""
    along = inner(z, residual)
    for i in range(p.size):
        p[i] += along * gap[i]


@njit(cache=True, nogil=True)
def take_out(Y, Z, G, y, z, gap):
    """Orthogonalise a new change against the known change Y with its images Z and G."""
    along = inner(Z, y)
    for i in range(y.size):
        y[i] -= along * Y[i]
        z[i] -= along * Z[i]
        gap[i] -= along * G[i]


def within(vector: Array, floor: Array | float) -> bool:
    """Whether no entry is above its floor: local stiffness must not mask errors of its neighbours."""
    return bool((np.abs(vector) <= floor).all())
