"""Fields over vertices (n, 3) and over the unknowns among them (3 * free,): one pass of a compiled loop each.

For bodies of a few hundred vertices, call overhead of array operations exceeds their arithmetic.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.linalg.reduce import inner
from supple.types import Array, Ints


@njit(cache=True, nogil=True)
def _gathered(field, free, out):
    for i in range(free.size):
        v = free[i]
        for k in range(3):
            out[3 * i + k] = -field[v, k]


def gathered(field: Array, free: Ints) -> Array:
    """(3 * free,) minus a field at the unknowns: a gradient as right-hand side."""
    out = np.empty(3 * len(free))
    _gathered(field, free, out)
    return out


@njit(cache=True, nogil=True)
def _spread(values, free, out):
    for i in range(free.size):
        v = free[i]
        for k in range(3):
            out[v, k] = values[3 * i + k]


def spread(values: Array, free: Ints, n: int) -> Array:
    """(n, 3) of the values (3 * free,) at the unknowns, zero elsewhere."""
    out = np.zeros((n, 3))
    _spread(values, free, out)
    return out


@njit(cache=True, nogil=True)
def inertia(x, target, mass, free, gradient):
    """1/2 |x - target|_M^2 over the vertices with free (n, 1) = 1, and the largest entry of its gradient (n, 3), written."""
    n = x.shape[0]
    d = np.empty((n, 3))
    best = 0.0
    for i in range(n):
        for k in range(3):
            d[i, k] = (x[i, k] - target[i, k]) * free[i, 0]
            force = mass[i, 0] * d[i, k]
            gradient[i, k] = force
            size = abs(force)
            if not size <= best and best == best:  # a NaN stays
                best = size
    return 0.5 * inner(gradient.ravel(), d.ravel()), best


@njit(cache=True, nogil=True)
def lay_diagonal(values, diagonal, weight, entries):
    """values = 0 except weight * entries at the diagonal slots."""
    values[:] = 0.0
    for i in range(diagonal.size):
        values[diagonal[i]] = weight * entries[i]


@njit(cache=True, nogil=True)
def scaled_if_finite(field, factor, out):
    """out = factor * field; whether the field is finite everywhere."""
    finite = True
    for i in range(field.shape[0]):
        for k in range(3):
            finite = finite and np.isfinite(field[i, k])
            out[i, k] = factor * field[i, k]
    return finite


@njit(cache=True, nogil=True)
def all_finite(field):
    """Whether a field (n, 3) is finite everywhere."""
    for i in range(field.shape[0]):
        for k in range(3):
            if not np.isfinite(field[i, k]):
                return False
    return True


@njit(cache=True, nogil=True)
def kinetic(mass, v, free):
    """1/2 v^T M v over some vertices."""
    momentum, velocity = np.empty(3 * free.size), np.empty(3 * free.size)
    for i in range(free.size):
        for k in range(3):
            velocity[3 * i + k] = v[free[i], k]
            momentum[3 * i + k] = mass[free[i]] * v[free[i], k]
    return 0.5 * inner(momentum, velocity)


@njit(cache=True, nogil=True)
def weigh(weight, xs, energy, force, gradient):
    """sum_q energy_q weight . x_q over configurations xs (q, n, 3); gradient (n, 3) += force * weight."""
    for i in range(weight.shape[0]):
        for k in range(3):
            gradient[i, k] += force * weight[i, k]
    value = 0.0
    for q in range(xs.shape[0]):
        value += energy[q] * inner(weight.ravel(), xs[q].ravel())
    return value


@njit(cache=True, nogil=True)
def affine(x, scale, offset, out):
    """out = scale x + offset."""
    for i in range(x.shape[0]):
        for k in range(3):
            out[i, k] = scale * x[i, k] + offset[i, k]


@njit(cache=True, nogil=True)
def below(field, floor):
    """Whether no entry is above its floor: local stiffness must not mask errors of its neighbours."""
    for i in range(field.shape[0]):
        for k in range(3):
            if not abs(field[i, k]) <= floor[i, k]:
                return False
    return True
