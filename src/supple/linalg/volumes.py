"""Volume ratios of tets, J = det F, counted without an array per tet."""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.types import Array, Ints


def six_volumes(x: Array, tets: Ints) -> Array:
    """(m,) determinants of the edges from corner 0 of each tet: six times its signed volume [m^3]."""
    edges = x[tets[:, 1:]] - x[tets[:, :1]]
    return np.linalg.det(edges) if len(tets) else np.empty(0)


@njit(cache=True)
def count_below(x: Array, tets: Ints, inverse: Array, least: float) -> tuple[int, int]:
    """Number of tets with J <= 0 (or NaN), and with 0 < J < least; inverse (m,): 1/six_volumes at rest."""
    inverted, crushed = 0, 0
    for e in range(tets.shape[0]):
        a, b, c, d = tets[e, 0], tets[e, 1], tets[e, 2], tets[e, 3]
        ux, uy, uz = x[b, 0] - x[a, 0], x[b, 1] - x[a, 1], x[b, 2] - x[a, 2]
        vx, vy, vz = x[c, 0] - x[a, 0], x[c, 1] - x[a, 1], x[c, 2] - x[a, 2]
        wx, wy, wz = x[d, 0] - x[a, 0], x[d, 1] - x[a, 1], x[d, 2] - x[a, 2]
        ratio = inverse[e] * (ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx))
        if ratio >= least:
            continue
        if ratio > 0.0:
            crushed += 1
        else:  # including NaN
            inverted += 1
    return inverted, crushed
