"""The shortest of the springs of an element, one for each order of its corners: the formulas of kinds.py as a loop.

Their feet slide along a line or in a plane, without end.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.types import Array, Ints


@njit(cache=True, nogil=True)
def choose_shortest(base: Array, slides: Array, orders: Ints, x: Array, elements: Ints, chosen: Ints) -> bool:
    """chosen (m,) = index of the order with the shortest spring; False if the feet of an element are undetermined."""
    corners = len(base)
    d, e = np.empty(3), np.empty((2, 3))
    two = len(slides) == 2
    for m in range(len(elements)):
        least = np.inf
        chosen[m] = 0
        for q in range(len(orders)):
            for i in range(3):
                d[i] = 0.0
                e[0, i], e[1, i] = 0.0, 0.0
                for k in range(corners):
                    at = x[elements[m, orders[q, k]], i]
                    d[i] += base[k] * at
                    for a in range(len(slides)):
                        e[a, i] += slides[a, k] * at
            g00 = e[0, 0] ** 2 + e[0, 1] ** 2 + e[0, 2] ** 2
            p0 = e[0, 0] * d[0] + e[0, 1] * d[1] + e[0, 2] * d[2]
            if two:
                g11 = e[1, 0] ** 2 + e[1, 1] ** 2 + e[1, 2] ** 2
                g01 = e[0, 0] * e[1, 0] + e[0, 1] * e[1, 1] + e[0, 2] * e[1, 2]
                p1 = e[1, 0] * d[0] + e[1, 1] * d[1] + e[1, 2] * d[2]
                det = g00 * g11 - g01 * g01
                if det <= 0.0:
                    return False
                t0, t1 = (g01 * p1 - g11 * p0) / det, (g01 * p0 - g00 * p1) / det
            else:
                if g00 <= 0.0:
                    return False
                t0, t1 = -p0 / g00, 0.0
            square = 0.0
            for i in range(3):
                square += (d[i] + t0 * e[0, i] + t1 * e[1, i]) ** 2
            if square < least:
                least, chosen[m] = square, q
    return True
