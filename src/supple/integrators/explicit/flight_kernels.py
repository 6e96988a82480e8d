"""The loop of flight.py: many Verlet steps of an elastic solid without returning to the interpreter."""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.energies.solids.kernels import gradient_part
from supple.energies.solids.rest import rested


@njit(cache=True, nogil=True)
def fly(count, h, elastic, damping, steady, mass, free, x, v, a, tau, flat, stable, noise):
    """`count` steps of h; x, v, a (n, 3) are replaced. Returns the number of steps taken and the energy dissipated by
    impulses; fewer steps than `count` if an impulse is too strong. `elastic`, `damping`: law, constants, tets, shape
    gradients and volumes."""
    n = x.shape[0]
    response, table, tets, shape, volume = elastic
    law, constants, damped, rest_shape, rest_volume = damping
    owner, one = np.zeros(n, np.int32), np.ones(1)
    all_tets, values = np.arange(tets.shape[0]).astype(np.int32), np.empty(tets.shape[0])
    all_damped, lost = np.arange(damped.shape[0]).astype(np.int32), np.empty(damped.shape[0])
    xs, before, pull = np.empty((1, n, 3)), np.empty((n, 3)), np.empty((n, 3))
    taken = 0.0
    for step in range(count):
        before[:] = x
        for i in range(n):
            for k in range(3):
                v[i, k] += h / 2 * a[i, k]
                x[i, k] += h * v[i, k]
        xs[0] = x
        pull[:] = 0.0
        gradient_part(0, response, table, xs, one, one, tets, shape, volume, owner, all_tets, values, pull)
        for i in range(n):
            for k in range(3):
                a[i, k] = -(pull[i, k] + steady[i, k]) / mass[i] if free[i] else 0.0
                v[i, k] += h / 2 * a[i, k]
        if tau > 0.0:
            turned, swollen = rested(before, damped, rest_shape, rest_volume, flat)
            pull[:] = 0.0
            gradient_part(0, law, constants, xs, one, one, damped, turned, swollen, owner, all_damped, lost, pull)
            given = _given(x, v, mass, free, h, tau, pull, lost.sum(), stable, noise)
            if not np.isfinite(given):
                return step, taken
            taken += given
    return count, taken


@njit(cache=True, nogil=True)
def _given(x, v, mass, free, h, tau, pull, value, stable, noise):
    """Applies the impulse -tau pull to v; returns the energy it dissipated, NaN if it is too strong to apply."""
    size, square, whole = 0.0, 0.0, mass.sum()
    for k in range(3):
        size = max(size, x[:, k].max() - x[:, k].min())
    for i in range(x.shape[0]):
        if free[i]:
            for k in range(3):
                square += (tau * pull[i, k]) ** 2 / mass[i]
    limit = stable * 2.0 * tau / h * value
    if not (np.isfinite(value) and square <= max(limit, whole * (noise * size / h) ** 2)):
        return np.nan
    before, after = 0.0, 0.0
    for i in range(x.shape[0]):
        if free[i]:
            for k in range(3):
                before += 0.5 * mass[i] * v[i, k] ** 2
                v[i, k] -= tau * pull[i, k] / mass[i]
                after += 0.5 * mass[i] * v[i, k] ** 2
    return before - after
