"""Non-conservative force fields; their work is external."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from supple.energies.fields.push import Push
from supple.energies.term import EnergyTerm
from supple.model.fields.field import LocalField, Per, Reached, at_place
from supple.types import Array


@dataclass(frozen=True)
class PushField(LocalField):
    """A force within a region and a time interval."""

    per: Per = field(default="mass", kw_only=True)
    """Strength per kg of mass, per body as a whole [N], or per vertex [N]."""

    def terms(self, reached: Reached, column: str) -> Iterable[EnergyTerm]:
        def force(x: Array, t: float) -> Array:
            with at_place(column):
                return self._limited(x, t)

        yield Push(reached.weights(self.per), force, column)

    def _limited(self, x: Array, t: float) -> Array:
        share = self.share(x, t)
        if not np.any(share):
            return np.zeros_like(x)
        return np.broadcast_to(share, len(x))[:, None] * self.push(x, t)

    def push(self, x: Array, t: float) -> Array:
        """(n, 3) the force without the limits of region and time, at the positions x (n, 3) and the time t."""
        raise TypeError(f"{type(self).__name__} does not define its push")
