"""The profile of a whirl about an axis, shared by the velocities of a vortex and the forces of a swirl.

With the unit axis a, the vector d from the axis, its length r and s = r/c with the radius c of the core:

    around     2/(1 + s^2) a x d/c          largest at r = c, where it is 1; as r inside, as 1/r far outside (Scully 1975)
    inwards   -2/(1 + s^2) d/c              the same towards the axis
    along      1/(1 + s^2)^2 a              1 on the axis
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.types import Array
from supple.values import Direction, Positive, Vector


@dataclass(frozen=True)
class Whirl:
    """An axis with a core."""

    centre: Vector
    """A point of the axis [m]."""
    axis: Direction
    core: Positive
    """Radius at which it is fastest [m]."""

    def at(self, x: Array, around: float, inwards: float, along: float) -> Array:
        """(n, 3) the sum of the three parts, each times its largest value, at the positions x (n, 3)."""
        a = np.asarray(self.axis, dtype=np.float64)
        a = a / np.linalg.norm(a)
        d = (x - np.asarray(self.centre)) / self.core
        d = d - (d @ a)[:, None] * a
        profile = 1.0 / (1.0 + np.einsum("ni,ni->n", d, d))[:, None]
        turning = around * np.cross(a, d) - inwards * d
        return np.asarray(2.0 * profile * turning + along * profile * profile * a)
