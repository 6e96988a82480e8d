"""A rule for the step length: dt = h sigma(q), with h the requested step.

sigma must be positive and, except for rules reserved to naive control, have a continuous gradient: a kink destroys
the properties of reversible and symplectic control.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from supple.adaptive.place import Place
from supple.types import Array


class Rule:
    """Base of the rules, which are frozen dataclasses of their options; any object with these members is a rule."""

    name: ClassVar[str] = "own rule"
    smooth: ClassVar[bool] = True
    """Whether sigma is a function of the positions with a continuous gradient."""
    constant: ClassVar[bool] = False
    """Whether sigma is 1 everywhere."""

    def value(self, place: Place) -> float:
        """sigma [-]."""
        raise TypeError(f"{type(self).__name__} does not define value")

    def gradient(self, place: Place) -> Array:
        """grad sigma (n, 3), zero on prescribed vertices [1/m]."""
        raise TypeError(f"{type(self).__name__} does not define gradient")


def root(square: float, slope: Array) -> tuple[float, Array]:
    """sigma = (1 + s)^(-1/2) and its gradient, from s and grad s."""
    sigma = 1.0 / np.sqrt(1.0 + square)
    return float(sigma), -0.5 * sigma**3 * slope


def positive(z: float, e: float) -> tuple[float, float]:
    """A smooth max(z, 0), (z + sqrt(z^2 + e^2))/2, and its derivative."""
    r = float(np.hypot(z, e))
    return 0.5 * (z + r), 0.5 * (1.0 + z / r)
