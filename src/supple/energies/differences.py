"""Derivatives of element functions of element parameters, by central differences over all elements at once.

    f'(c) = [8 (f(c + d) - f(c - d)) - (f(c + 2d) - f(c - 2d))] / (12 d) + O(d^4)

The parameters of all elements are shifted together, each by its own d. The result of element e depends only on its own
parameters, so four evaluations give the derivatives for all elements. With d = 1e-3 c the error is about 1e-12 of f;
zero where f is of degree four or less. Derivatives with respect to the corners of elements need four evaluations per
corner and axis, with corners that no two elements share.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from supple.types import Array

WEIGHTS = ((1.0, 8.0), (-1.0, -8.0), (2.0, -1.0), (-2.0, 1.0))
"""Multiples of d, and the weights of the values there; their sum over 12 d is the derivative."""
PART = 1e-3
"""Relative shift of a parameter; absolute shift of a parameter that is zero."""
REACH = 1e-4
"""Shift of corners relative to the size of the element: heights of flat elements are smaller than their size."""
SHORT = 1e-6
"""The same for functions with kinks: small, so few elements cross one."""


def along(f: Callable[[float], Array], d: float) -> Array:
    """df/de at e = 0 of a function of one variable."""
    return np.asarray(sum(weight * f(k * d) for k, weight in WEIGHTS) / (12.0 * d))


def by_numbers(f: Callable[[Array], Array], values: Array) -> Array:
    """(m, ...) derivatives of f (m,) with respect to the parameters (m, ...) of each element."""
    m = len(values)
    flat = values.reshape(m, math.prod(values.shape[1:]))
    out = np.empty_like(flat)
    for column in range(flat.shape[1]):
        d = PART * np.where(flat[:, column] != 0.0, np.abs(flat[:, column]), 1.0)
        total = np.zeros(m)
        for k, weight in WEIGHTS:
            moved = flat.copy()
            moved[:, column] += k * d
            total += weight * f(moved.reshape(values.shape))
        out[:, column] = total / (12.0 * d)
    return out.reshape(values.shape)


def by_corners(f: Callable[[Array], Array], corners: Array, scale: float | None = None, reach: float = REACH) -> Array:
    """(m, k, 3, ...) derivatives of f (m, ...) with respect to the corners (m, k, 3) of each element; `scale`: their size, if
    that is not the size of the element."""
    m, k, _ = corners.shape
    size = np.ptp(corners, axis=1).max(axis=1, initial=0.0) if scale is None else np.full(m, scale)
    d = reach * np.where(size > 0.0, size, 1.0)
    rows = []
    for a in range(k):
        for i in range(3):
            parts = []
            for multiple, weight in WEIGHTS:
                moved = corners.copy()
                moved[:, a, i] += multiple * d
                parts.append(weight * f(moved))
            total = np.asarray(sum(parts))
            rows.append(total / (12.0 * d).reshape(m, *(1,) * (total.ndim - 1)))
    out = np.stack(rows, axis=1)
    return out.reshape(m, k, 3, *out.shape[2:])
