"""Products and smoothing steps with rows of blocks, compiled for the block sizes in use."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import njit


@cache
def row_product(rows: int, columns: int) -> Any:
    """kernel(first, last, start, column, data, x, base, sign, out): out = base + sign A x for a range of rows of blocks."""

    @njit(cache=True, nogil=True, fastmath={"contract", "nsz", "reassoc"})
    def kernel(first, last, start, column, data, x, base, sign, out):
        total = np.empty(rows, data.dtype)
        for i in range(first, last):
            for r in range(rows):
                total[r] = 0
            for b in range(start[i], start[i + 1]):
                j = columns * column[b]
                for r in range(rows):
                    for c in range(columns):
                        total[r] += data[b, r, c] * x[j + c]
            for r in range(rows):
                out[rows * i + r] = base[rows * i + r] + sign * total[r]

    return kernel


@cache
def smoothing(size: int) -> Any:
    """kernel(first, last, start, column, data, inverse, b, x, beta, gamma, d, out): one step of the Chebyshev
    iteration, d = beta d + gamma D^-1 (b - A x), out = x + d, for a range of rows of blocks."""

    @njit(cache=True, nogil=True, fastmath={"contract", "nsz", "reassoc"})
    def kernel(first, last, start, column, data, inverse, b, x, beta, gamma, d, out):
        total = np.empty(size, data.dtype)
        for i in range(first, last):
            for r in range(size):
                total[r] = b[size * i + r]
            for k in range(start[i], start[i + 1]):
                j = size * column[k]
                for r in range(size):
                    for c in range(size):
                        total[r] -= data[k, r, c] * x[j + c]
            for r in range(size):
                z = data.dtype.type(0)
                for c in range(size):
                    z += inverse[i, r, c] * total[c]
                d[size * i + r] = beta * d[size * i + r] + gamma * z
                out[size * i + r] = x[size * i + r] + d[size * i + r]

    return kernel


@cache
def first_smoothing(size: int) -> Any:
    """kernel(first, last, inverse, b, gamma, d, out): the same from x = 0, out = d = gamma D^-1 b."""

    @njit(cache=True, nogil=True)
    def kernel(first, last, inverse, b, gamma, d, out):
        for i in range(first, last):
            for r in range(size):
                z = inverse[i, r, 0] * b[size * i]
                for c in range(1, size):
                    z += inverse[i, r, c] * b[size * i + c]
                d[size * i + r] = gamma * z
                out[size * i + r] = gamma * z

    return kernel
