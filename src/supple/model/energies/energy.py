"""Base class and registry of additional energies of a world, also for user-defined energies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from supple.energies.term import EnergyTerm
from supple.model.placed import Placed
from supple.registry import Registry
from supple.types import Array


class Energy:
    """Base of the kinds; subclasses are frozen dataclasses, registered in ENERGIES."""

    name: ClassVar[str]

    def terms(self, placed: Sequence[Placed], x: Array, path: str) -> Iterable[EnergyTerm]:
        """Its terms at the initial positions x (n, 3) of all bodies; `path`: location in the world, for messages."""
        raise TypeError(f"{type(self).__name__} does not define its terms")


ENERGIES: Registry[Energy] = Registry("energy", "supple.model.energies", variable="ENERGIES")
