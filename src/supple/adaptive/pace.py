"""dt(q) = h sigma(q) within limits, without a kink.

With y = h sigma and limits a = h_min, b = h_max:
    y1 = y/sqrt(1 + (y/b)^2),   dt = sqrt(a^2 + (1 - (a/b)^2) y1^2)
lies between a and b, grows with y and is smooth, so reversible and symplectic control keep their properties. Near the
limits it is shorter or longer than h sigma: by 11 % at half of h_max.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from supple.adaptive.place import Place
from supple.adaptive.rule import Rule
from supple.errors import StepRejected
from supple.types import Array


@dataclass(frozen=True)
class Pace:
    """Step lengths of one run with base step h [s], which may be negative."""

    rule: Rule
    h: float
    h_min: float | None = None
    h_max: float | None = None

    def step(self, place: Place) -> float:
        """dt [s]."""
        return self._limited(self._wanted(place))[0]

    def gradient(self, place: Place) -> Array:
        """grad dt (n, 3) [s/m]."""
        if self.rule.constant:
            return np.zeros_like(place.x)
        return self._limited(self._wanted(place))[1] * self.h * self.rule.gradient(place)

    def _wanted(self, place: Place) -> float:
        sigma = self.rule.value(place)
        if not (math.isfinite(sigma) and sigma > 0.0):
            raise StepRejected(f"rule {self.rule.name} gave sigma = {sigma}; allowed are positive numbers")
        return self.h * sigma

    def _limited(self, y: float) -> tuple[float, float]:
        """dt and its derivative with respect to h sigma."""
        over = 0.0 if self.h_max is None else 1.0 / self.h_max**2
        root = 1.0 / math.sqrt(1.0 + over * y * y)
        y1, slope = y * root, root**3
        if self.h_min is None:
            return y1, slope
        share = 1.0 - over * self.h_min**2
        dt = math.copysign(math.sqrt(self.h_min**2 + share * y1 * y1), self.h)
        return dt, share * y1 / dt * slope
