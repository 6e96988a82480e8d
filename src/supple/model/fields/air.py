"""Air with a given velocity, as numbers or as expressions in position and time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.damping.air import WindText, air_velocity
from supple.formulas.curves import Changing
from supple.model.fields.air_field import AirField
from supple.model.fields.field import FIELDS
from supple.types import Array


@FIELDS("air")
@dataclass(frozen=True)
class Air(AirField):
    """Air with an explicit velocity."""

    wind: WindText
    """Velocity of the air [m/s]: three numbers, or expressions in the position x, y, z [m] and the time t [s]."""
    strength: Changing = 1.0
    """Factor on the velocity [-]."""

    def stream(self, x: Array, t: float) -> Array:
        with self.option("wind"):
            w = air_velocity(self.wind, x, t, "air")
        return np.asarray(self.now("strength", t) * w)
