"""Terms of bodies with a rest configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from supple.types import Array

if TYPE_CHECKING:
    from supple.energies.term import EnergyTerm


class Elastic:
    """An elastic energy of a body that can rest in any configuration."""

    def resting_at(self, x: Array) -> EnergyTerm:
        """The same elastic body with x as its rest configuration."""
        raise TypeError(f"{type(self).__name__} does not define resting_at")
