"""A vortex: air that rotates about an axis, rises along it and flows inwards; its profile is in whirl.py.

The velocities around and along the axis are divergence-free; the inflow is not, as if the air left along the axis.
"""

from __future__ import annotations

from dataclasses import dataclass

from supple.formulas.curves import Changing
from supple.model.fields.air_field import AirField
from supple.model.fields.field import FIELDS
from supple.model.fields.whirl import Whirl
from supple.types import Array
from supple.values import Direction, Positive, Vector


@FIELDS("vortex")
@dataclass(frozen=True)
class Vortex(AirField):
    """Air that rotates about an axis."""

    strength: Changing = 5.0
    """Largest velocity around the axis, right-handed [m/s]."""
    centre: Vector = (0.0, 0.0, 0.0)
    """A point of the axis [m]."""
    axis: Direction = (0.0, 1.0, 0.0)
    """Direction of the axis; need not have length 1."""
    core: Positive = 0.5
    """Radius at which the air is fastest [m]."""
    updraft: Changing = 0.0
    """Velocity along the axis, at the axis [m/s]."""
    inflow: Changing = 0.0
    """Largest velocity towards the axis [m/s]."""

    def stream(self, x: Array, t: float) -> Array:
        whirl = Whirl(self.centre, self.axis, self.core)
        return whirl.at(x, self.now("strength", t), self.now("inflow", t), self.now("updraft", t))
