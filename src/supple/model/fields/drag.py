"""Drag in a region: a medium at rest that slows down bodies moving through it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from supple.damping.medium import Medium
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError, WrongOption
from supple.formulas.curves import NotNegativeChanging
from supple.model.fields.field import FIELDS, LocalField, Reached, at_place
from supple.types import Array
from supple.values import NotNegative


@FIELDS("drag")
@dataclass(frozen=True)
class DragField(LocalField):
    """A medium at rest, such as water or honey, that slows down bodies in it."""

    linear: NotNegative = 1.0
    """Decay rate of velocities in it [1/s]."""
    quadratic: NotNegative = 0.0
    """Additional decay rate per m/s of speed [1/m]."""
    strength: NotNegativeChanging = 1.0
    """Factor on both [-]."""

    dissipates: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.linear == 0.0 == self.quadratic:
            raise SuppleError(
                "drag: found linear = 0 and quadratic = 0, which have no effect; give one of them above 0"
            )

    def dampers(self, reached: Reached, path: str) -> Iterable[EnergyTerm]:
        def filled(x: Array, t: float) -> Array:
            with at_place(path):
                return self._filled(x, t)

        yield Medium(reached.mass, self.linear, self.quadratic, filled)

    def _filled(self, x: Array, t: float) -> Array:
        """(m,) strength times the fraction of positions in the medium [-]."""
        strength = self.now("strength", t)
        if strength < 0.0:
            raise WrongOption(self.name, "strength", f"must not be negative, found {strength:g} at t = {t:g} s")
        return np.broadcast_to(strength * self.share(x, t), len(x))
