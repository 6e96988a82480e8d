"""Sums in a fixed order: the same bits for any thread count and memory alignment."""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.types import Array


@njit(cache=True, nogil=True)
def _dot(a, b):
    # Blocks of 128 keep the rounding error near that of pairwise summation, four lanes let the compiler vectorise.
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
    return float(_dot(a.ravel(), b.ravel()))


def largest(a: Array) -> float:
    """Largest magnitude; NaN if there is one, 0 for an empty array."""
    return float(np.max(np.abs(a), initial=0.0))
