"""Kernels of incomplete factors: interiors of ranges, their contributions to the separator, and triangular solves."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def _pivot(block, inverse):
    """Inverse of the upper factor of a symmetric block; False if it is not positive definite."""
    a, b, c = block[0, 0], block[0, 1], block[0, 2]
    if not a > 0.0:
        return False
    u00 = np.sqrt(a)
    u01, u02 = b / u00, c / u00
    d = block[1, 1] - u01 * u01
    if not d > 1e-6 * block[1, 1]:
        return False
    u11 = np.sqrt(d)
    u12 = (block[1, 2] - u01 * u02) / u11
    e = block[2, 2] - u02 * u02 - u12 * u12
    if not e > 1e-6 * block[2, 2]:
        return False
    u22 = np.sqrt(e)
    inverse[:] = 0
    inverse[0, 0], inverse[1, 1], inverse[2, 2] = 1 / u00, 1 / u11, 1 / u22
    inverse[0, 1] = -u01 / (u00 * u11)
    inverse[1, 2] = -u12 / (u11 * u22)
    inverse[0, 2] = (u01 * u12 / u11 - u02) / (u00 * u22)
    return True


@njit(cache=True, nogil=True)
def _add_products(first, b, end, start, column, blocks):
    """Take U_ij^T U_il out of row j, which begins at `first`: b is the block of column j in a row i that ends at `end`."""
    target, stop = first, start[column[b] + 1]
    for d in range(b, end):
        while target < stop and column[target] < column[d]:
            target += 1
        if target < stop and column[target] == column[d]:
            for r in range(3):
                for c in range(3):
                    blocks[target, r, c] -= (
                        blocks[b, 0, r] * blocks[d, 0, c]
                        + blocks[b, 1, r] * blocks[d, 1, c]
                        + blocks[b, 2, r] * blocks[d, 2, c]
                    )


@njit(cache=True, nogil=True)
def factor(first, last, start, column, blocks):
    """Rows first ... last - 1, in place; the diagonal becomes the inverse of its factor. Columns from `last` on are those of the
    separator, whose rows stay as they are. Returns the row that broke down, or -1."""
    inverse, scaled = np.empty((3, 3), blocks.dtype), np.empty((3, 3), blocks.dtype)
    for i in range(first, last):
        head, end = start[i], start[i + 1]
        if not _pivot(blocks[head], inverse):
            return i
        blocks[head] = inverse
        for b in range(head + 1, end):
            for r in range(3):  # U_ij = U_ii^-T A_ij
                for c in range(3):
                    total = inverse[0, r] * blocks[b, 0, c]
                    for k in range(1, r + 1):
                        total += inverse[k, r] * blocks[b, k, c]
                    scaled[r, c] = total
            blocks[b] = scaled
        for b in range(head + 1, end):
            j = column[b]
            if j >= last:
                break
            _add_products(start[j], b, end, start, column, blocks)
    return -1


@njit(cache=True, nogil=True)
def join(rows, separator, start, column, blocks):
    """Subtract the products of factorised rows of interiors from the separator, in a fixed order."""
    for i in rows:
        end = start[i + 1]
        for b in range(start[i] + 1, end):
            j = column[b]
            if j >= separator:
                _add_products(start[j], b, end, start, column, blocks)


@njit(cache=True, nogil=True, fastmath={"contract", "nsz"})
def forward(first, last, start, column, blocks, x):
    """U^-T x in place, within the range."""
    for i in range(first, last):
        head = start[i]
        u = blocks[head]
        a, b, c = x[3 * i], x[3 * i + 1], x[3 * i + 2]
        y0, y1, y2 = u[0, 0] * a, u[0, 1] * a + u[1, 1] * b, u[0, 2] * a + u[1, 2] * b + u[2, 2] * c
        x[3 * i], x[3 * i + 1], x[3 * i + 2] = y0, y1, y2
        for k in range(head + 1, start[i + 1]):
            j = column[k]
            if j < last:
                for r in range(3):
                    x[3 * j + r] -= blocks[k, 0, r] * y0 + blocks[k, 1, r] * y1 + blocks[k, 2, r] * y2


@njit(cache=True, nogil=True, fastmath={"contract", "nsz"})
def hand_over(rows, separator, start, column, blocks, x):
    """Subtract the products of solved rows of interiors from the separator's right-hand side, in a fixed order."""
    for i in rows:
        y0, y1, y2 = x[3 * i], x[3 * i + 1], x[3 * i + 2]
        for k in range(start[i] + 1, start[i + 1]):
            j = column[k]
            if j >= separator:
                for r in range(3):
                    x[3 * j + r] -= blocks[k, 0, r] * y0 + blocks[k, 1, r] * y1 + blocks[k, 2, r] * y2


@njit(cache=True, nogil=True, fastmath={"contract", "nsz"})
def backward(first, last, start, column, blocks, x):
    """U^-1 x in place; the separator is solved already."""
    for i in range(last - 1, first - 1, -1):
        head = start[i]
        y0, y1, y2 = x[3 * i], x[3 * i + 1], x[3 * i + 2]
        for k in range(head + 1, start[i + 1]):
            j = column[k]
            p, q, s = x[3 * j], x[3 * j + 1], x[3 * j + 2]
            y0 -= blocks[k, 0, 0] * p + blocks[k, 0, 1] * q + blocks[k, 0, 2] * s
            y1 -= blocks[k, 1, 0] * p + blocks[k, 1, 1] * q + blocks[k, 1, 2] * s
            y2 -= blocks[k, 2, 0] * p + blocks[k, 2, 1] * q + blocks[k, 2, 2] * s
        u = blocks[head]
        x[3 * i] = u[0, 0] * y0 + u[0, 1] * y1 + u[0, 2] * y2
        x[3 * i + 1] = u[1, 1] * y1 + u[1, 2] * y2
        x[3 * i + 2] = u[2, 2] * y2
