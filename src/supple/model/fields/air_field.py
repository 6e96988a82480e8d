"""Fields of air velocity. They add up to one w(x, t), which acts on bodies through their drag."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from supple.model.fields.field import LocalField
from supple.types import Array


@dataclass(frozen=True)
class AirField(LocalField):
    """Air that moves within a region and a time interval."""

    moves_air: ClassVar[bool] = True
    dissipates: ClassVar[bool] = True

    def velocity(self, x: Array, t: float) -> Array:
        share = self.share(x, t)
        if not np.any(share):
            return np.zeros_like(x)
        w = self.stream(x, t)
        return share * w if isinstance(share, float) else share[:, None] * w

    def stream(self, x: Array, t: float) -> Array:
        """(n, 3) the velocity without the limits of region and time [m/s]."""
        raise TypeError(f"{type(self).__name__} does not define its stream")
