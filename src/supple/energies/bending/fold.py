"""The energy profile of a hinge: f(d) of the change of its angle d = theta - theta0, taken within -pi to pi.

    f = d^2 up to |d| = c = 3/4 pi.
Beyond that, f' falls to 0 at |d| = pi, where two triangles lie on each other and the angle jumps from pi to -pi. With
d^2 the force would change sign abruptly, and no quadrature rule along a step could integrate it. With u = (|d| - c)/w,
w = pi - c,

    f' = 2c (1 - 10 u^3 + 15 u^4 - 6 u^5) + 2w (u - 6 u^3 + 8 u^4 - 3 u^5) - 3c (-4 u^3 + 7 u^4 - 3 u^5)
which matches 2 d up to two derivatives and passes through pi as an odd function, so f has three continuous derivatives.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from supple.types import Array

FAR = 0.75 * math.pi
"""c [rad]"""
_WIDTH = math.pi - FAR
_CUBIC = -20.0 * FAR - 12.0 * _WIDTH + 12.0 * FAR
_QUARTIC = 30.0 * FAR + 16.0 * _WIDTH - 21.0 * FAR
_QUINTIC = -12.0 * FAR - 6.0 * _WIDTH + 9.0 * FAR


@njit(cache=True, nogil=True, inline="always")
def fold(difference: float) -> tuple[float, float, float]:
    """f, f' and f'' of an angle difference."""
    d = difference - 2.0 * math.pi * math.floor(0.5 * difference / math.pi + 0.5)
    size = abs(d)
    if size <= FAR:
        return d * d, 2.0 * d, 2.0
    u = (size - FAR) / _WIDTH
    cube = u * u * u
    slope = 2.0 * FAR + 2.0 * _WIDTH * u + cube * (_CUBIC + u * (_QUARTIC + u * _QUINTIC))
    curvature = 2.0 + u * u * (3.0 * _CUBIC + u * (4.0 * _QUARTIC + u * 5.0 * _QUINTIC)) / _WIDTH
    whole = u * (2.0 * FAR + _WIDTH * u + cube * (_CUBIC / 4.0 + u * (_QUARTIC / 5.0 + u * _QUINTIC / 6.0)))
    return FAR * FAR + _WIDTH * whole, math.copysign(slope, d) if slope >= 0.0 else 0.0, curvature


@njit(cache=True, nogil=True)
def folds(differences: Array) -> tuple[Array, Array]:
    """(m,) f and f'."""
    value, slope = np.empty_like(differences), np.empty_like(differences)
    for e in range(differences.size):
        value[e], slope[e], _ = fold(differences[e])
    return value, slope
