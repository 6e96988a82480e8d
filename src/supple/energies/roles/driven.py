"""Dissipation by air, which may itself move and drive the body."""

from __future__ import annotations

from supple.types import Array


class DrivenByAir:
    """A dissipation whose work includes work done by the wind."""


class HeatsAir(DrivenByAir):
    """The same term during one step, with heat and work separated."""

    def heat(self, v: Array) -> float:
        """Power converted into heat, (v - w) . D'(v) with the velocity w of the air [W]."""
        raise TypeError(f"{type(self).__name__} does not define heat")
