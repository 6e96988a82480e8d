"""Another rest configuration for tets: shape gradients and volumes at positions x, tet by tet in one loop.

With F = sum_a (x_a - x_0) g_a^T over corners a = 1..3 and J = |det F|: g'_a = F^-T g_a, V' = J V. The gradients of corners in
the configuration x are rows of shape F^-1, so F_b F^-1 = D_b (shape F^-1).
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def rested(x, tets, shape, volume, flat):
    """Shape gradients (m, 3, 3) and volumes (m,) at x (n, 3); tets with J <= flat keep their gradients and have no volume."""
    m = tets.shape[0]
    gradients, volumes = np.empty((m, 3, 3)), np.empty(m)
    F, C = np.empty((3, 3)), np.empty((3, 3))
    for e in range(m):
        v0, v1, v2, v3 = tets[e, 0], tets[e, 1], tets[e, 2], tets[e, 3]
        for i in range(3):
            d1, d2, d3 = x[v1, i] - x[v0, i], x[v2, i] - x[v0, i], x[v3, i] - x[v0, i]
            for j in range(3):
                F[i, j] = d1 * shape[e, 0, j] + d2 * shape[e, 1, j] + d3 * shape[e, 2, j]
        for i in range(3):
            a, b = (i + 1) % 3, (i + 2) % 3
            for j in range(3):
                c, d = (j + 1) % 3, (j + 2) % 3
                C[i, j] = F[a, c] * F[b, d] - F[a, d] * F[b, c]  # F^-1 = C^T/det F
        det = F[0, 0] * C[0, 0] + F[0, 1] * C[0, 1] + F[0, 2] * C[0, 2]
        if not abs(det) > flat:
            gradients[e], volumes[e] = shape[e], 0.0
            continue
        volumes[e] = abs(det) * volume[e]
        for a in range(3):
            for j in range(3):
                s = shape[e, a, 0] * C[j, 0] + shape[e, a, 1] * C[j, 1] + shape[e, a, 2] * C[j, 2]
                gradients[e, a, j] = s / det
    return gradients, volumes
