"""The barrier between two surfaces, of their squared distance D, with a gap that ends at a thickness (Li et al. 2020, 2021).

    phi(D) = kappa / dhat^3 b(G),   b = -(G - dhat^2)^2 ln(G / dhat^2) for G < dhat^2, else 0,   G = (sqrt(D) - xi)^2
xi is the offset of a pair, half of both thicknesses: phi begins at the distance xi + dhat and is infinite at xi. It is
the same function of the gap sqrt(D) - xi for every xi, so kappa is the same pressure for thick and thin bodies.

    phi' = b' G',  phi'' = b'' G'^2 + b' G'',   G' = 1 - xi/d,  G'' = xi/(2 d^3),   d = sqrt(D)
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True, error_model="numpy")
def barrier(D, xi, dhat, kappa):
    """phi and its first two derivatives with respect to D."""
    d, G = 0.0, D
    if xi > 0.0:
        d = np.sqrt(D)
        G = max(d - xi, 0.0) ** 2
    top = dhat * dhat
    if top <= G:
        return 0.0, 0.0, 0.0
    scale = kappa / (dhat * top)
    log, gap = np.log(G / top), G - top
    value = -scale * gap * gap * log
    slope = scale * (-2.0 * gap * log - gap * gap / G)
    curvature = scale * (-2.0 * log - 4.0 * gap / G + (gap / G) ** 2)
    if xi > 0.0:
        turn, bend = 1.0 - xi / d, xi / (2.0 * d * D)
        return value, slope * turn, curvature * turn * turn + slope * bend
    return value, slope, curvature
