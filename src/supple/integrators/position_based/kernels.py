"""Sweeps over constraints between points: springs, and linear combinations of vertices. See xpbd.py for the mathematics.

Positions are base + u; only the displacements u of the substep are updated, so velocities u/h lose no digits. A sweep
visits the colours in turn; no two constraints of a colour share a vertex, so large colours (of at least `least`) are
split between threads without changing a bit. `pushes` are the impulses [kg m] from the last visit of each constraint,
which are removed first; `first`: there are none yet, `keep`: another sweep follows. `share` above 0: plain PBD, C is
reduced by that fraction, regardless of the stiffness.
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from supple.linalg.threads import calm_workers

calm_workers()


@njit(cache=True, nogil=True)
def _springs_part(low, high, pairs, rest, stiffness, squared, base, u, w, h2, share, first, keep, pushes):
    for s in range(low, high):
        i, j = pairs[s, 0], pairs[s, 1]
        wi, wj, k, r = w[i], w[j], stiffness[s], rest[s, 0]
        both = wi + wj
        if both == 0.0 or k == 0.0:
            continue
        p0, p1, p2 = 0.0, 0.0, 0.0
        if not first:
            p0, p1, p2 = pushes[s, 0], pushes[s, 1], pushes[s, 2]
        # e: the ends without the last push of this spring; the exact push points along it
        d0 = base[j, 0] - base[i, 0] + (u[j, 0] - u[i, 0])
        d1 = base[j, 1] - base[i, 1] + (u[j, 1] - u[i, 1])
        d2 = base[j, 2] - base[i, 2] + (u[j, 2] - u[i, 2])
        e0, e1, e2 = d0 - both * p0, d1 - both * p1, d2 - both * p2
        L = np.sqrt(e0 * e0 + e1 * e1 + e2 * e2)
        if L == 0.0:
            scale = 0.0
        elif share > 0.0:
            scale = share * (r - L) / (both * L)
        elif squared:
            # minus f/f' of f(l) = l - L + 2 both k h^2 (l^2 - r^2) l at the present length, f' without 2 both k h^2 (l^2 - r^2)
            length = L if first else (d0 * e0 + d1 * e1 + d2 * e2) / L
            g = 2.0 * both * k * h2
            f = length - L + g * (length * length - r * r) * length
            scale = (length - L - f / (1.0 + 2.0 * g * length * length)) / (both * L)
        else:
            scale = -k * h2 * (L - r) / ((1.0 + k * h2 * both) * L)
        q0, q1, q2 = scale * e0, scale * e1, scale * e2
        if keep:
            pushes[s, 0], pushes[s, 1], pushes[s, 2] = q0, q1, q2
        q0, q1, q2 = q0 - p0, q1 - p1, q2 - p2
        u[i, 0] -= wi * q0
        u[i, 1] -= wi * q1
        u[i, 2] -= wi * q2
        u[j, 0] += wj * q0
        u[j, 1] += wj * q1
        u[j, 2] += wj * q2


@njit(cache=True, parallel=True)
def sweep_springs(start, threads, least, pairs, rest, stiffness, squared, base, u, w, h2, share, first, keep, pushes):
    """Springs (m, 2) of rest length `rest` (m, 1); squared: in l^2, else in l."""
    for c in range(start.size - 1):
        low, high = np.int64(start[c]), np.int64(start[c + 1])
        if high - low < least or threads == 1:
            _springs_part(low, high, pairs, rest, stiffness, squared, base, u, w, h2, share, first, keep, pushes)
        else:
            for part in prange(threads):
                a = low + (high - low) * np.int64(part) // threads
                b = low + (high - low) * (np.int64(part) + 1) // threads
                _springs_part(a, b, pairs, rest, stiffness, squared, base, u, w, h2, share, first, keep, pushes)


@njit(cache=True, nogil=True)
def _combinations_part(low, high, vertices, parameters, stiffness, base, u, w, h2, share, first, keep, pushes):
    k = vertices.shape[1]
    e, old = np.empty(3), np.zeros(3)
    for s in range(low, high):
        weight = 0.0
        for a in range(k):
            weight += w[vertices[s, a]] * parameters[s, a] ** 2
        if weight == 0.0 or stiffness[s] == 0.0:
            continue
        # e: the combination without its last push; the exact push points along it
        square = 0.0
        for i in range(3):
            if not first:
                old[i] = pushes[s, i]
            e[i] = -parameters[s, k + i] - weight * old[i]
            for a in range(k):
                v = vertices[s, a]
                e[i] += parameters[s, a] * (base[v, i] + u[v, i])
            square += e[i] * e[i]
        rest = parameters[s, k + 3]
        left = 1.0 - rest / np.sqrt(square) if rest > 0.0 and square > 0.0 else 1.0
        scale = -left * (share / weight if share > 0.0 else stiffness[s] * h2 / (1.0 + stiffness[s] * h2 * weight))
        for i in range(3):
            new = scale * e[i]
            if keep:
                pushes[s, i] = new
            for a in range(k):
                v = vertices[s, a]
                u[v, i] += w[v] * parameters[s, a] * (new - old[i])


@njit(cache=True, parallel=True)
def sweep_combinations(
    start, threads, least, vertices, parameters, stiffness, base, u, w, h2, share, first, keep, pushes
):
    """|sum_a c_a x_a - p| = r over vertices (m, k), parameters (m, k + 4): c, p, r."""
    for c in range(start.size - 1):
        low, high = np.int64(start[c]), np.int64(start[c + 1])
        if high - low < least or threads == 1:
            _combinations_part(low, high, vertices, parameters, stiffness, base, u, w, h2, share, first, keep, pushes)
        else:
            for part in prange(threads):
                a = low + (high - low) * np.int64(part) // threads
                b = low + (high - low) * (np.int64(part) + 1) // threads
                _combinations_part(a, b, vertices, parameters, stiffness, base, u, w, h2, share, first, keep, pushes)
