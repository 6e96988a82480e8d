"""A force that rotates bodies about an axis, with or without drag; its profile is in whirl.py."""

from __future__ import annotations

from dataclasses import dataclass

from supple.formulas.curves import Changing
from supple.model.fields.field import FIELDS
from supple.model.fields.push_field import PushField
from supple.model.fields.whirl import Whirl
from supple.types import Array
from supple.values import Direction, Positive, Vector


@FIELDS("swirl")
@dataclass(frozen=True)
class Swirl(PushField):
    """A force around an axis: a vortex without air."""

    strength: Changing = 10.0
    """Largest force around the axis, right-handed: per kg [N/kg], or as given by `per`."""
    centre: Vector = (0.0, 0.0, 0.0)
    """A point of the axis [m]."""
    axis: Direction = (0.0, 1.0, 0.0)
    """Direction of the axis; need not have length 1."""
    core: Positive = 0.5
    """Radius at which the force is largest [m]."""
    lift: Changing = 0.0
    """Force along the axis, at the axis, in the unit of the strength."""
    inflow: Changing = 0.0
    """Largest force towards the axis, in the unit of the strength."""

    def push(self, x: Array, t: float) -> Array:
        whirl = Whirl(self.centre, self.axis, self.core)
        return whirl.at(x, self.now("strength", t), self.now("inflow", t), self.now("lift", t))
