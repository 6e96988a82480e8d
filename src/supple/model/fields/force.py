"""An explicit force: uniform, or as expressions in position and time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.damping.air import WindText
from supple.formulas.curves import Changing
from supple.model.fields.field import FIELDS
from supple.model.fields.push_field import PushField
from supple.types import Array


@FIELDS("force")
@dataclass(frozen=True)
class Force(PushField):
    """An explicit force."""

    force: WindText
    """Three numbers, or expressions in the position x, y, z [m] and the time t [s]: per kg [N/kg], or as given by `per`."""
    strength: Changing = 1.0
    """Factor on the force [-]."""

    def push(self, x: Array, t: float) -> Array:
        with self.option("force"):
            force = np.asarray(self.force(x, t), dtype=np.float64)
        return np.asarray(self.now("strength", t) * force)
