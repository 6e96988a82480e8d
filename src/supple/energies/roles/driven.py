"""Dissipation by air, which may move and drive the body."""

from __future__ import annotations

from supple.types import Array


class DrivenByAir:
    """A dissipation whose work is partly that of the wind."""


class HeatsAir(DrivenByAir):
    """The same during one step: heat and work are told apart."""

    def heat(self, v: Array) -> float:
        """Power that is turned into heat, (v - w) . D'(v) with the velocity w of the air [W]."""
        raise TypeError(f"{type(self).__name__} does not define heat")
