"""The error of a midpoint along a straight step: the remainder of a function f of y between y0 and y1, d = y1 - y0,

    R = f(y1) - f(y0) - f'(m) . d,  m = (y0 + y1)/2,
which is of third order in d. A discrete gradient adds R d/(d . d) to f'(m), so R must not be round-off: the difference
of two values loses digits in small steps. The mean of f' along the step does not. By Gauss-3, whose middle node
cancels,

    R = 5/18 (f'(m + s d) + f'(m - s d) - 2 f'(m)) . d,  s = sqrt(3/20),
with an error of seventh order in d and round-off proportional to |d|.
"""

from __future__ import annotations

import math

import numpy as np

from supple.types import Array

REACH = math.sqrt(0.15)
"""Distance of the outer nodes of Gauss-3 from the middle, in units of d."""
WEIGHT = 5 / 18
NOISE = 4 * np.finfo(np.float64).eps
NEGLIGIBLE = 1e-9
"""Displacement relative to the positions below which the remainder, of third order, is below round-off."""


def remainder(difference: Array, sampled: Array, size: Array) -> Array:
    """R by `sampled` where that agrees with the difference of values to within the round-off of values of this size."""
    return np.where(np.abs(difference - sampled) <= NOISE * size, sampled, difference)
