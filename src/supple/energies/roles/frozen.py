"""Terms that depend on more than their argument, and are taken as they are at one place of a step while it is solved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from supple.energies.instant import Instant

if TYPE_CHECKING:
    from supple.energies.term import EnergyTerm


class FrozenInSteps:
    """A term that is another one in every step."""

    def freeze(self, instant: Instant) -> EnergyTerm:
        """The plain term of one step, over the same elements."""
        raise TypeError(f"{type(self).__name__} does not define freeze")


class TorqueFree(FrozenInSteps):
    """A dissipation that turns nothing about the configuration at which it was frozen."""


class FrozenAgain(FrozenInSteps):
    """A dissipation that is frozen again where the step went, with the step solved again."""


def frozen(term: EnergyTerm, instant: Instant) -> EnergyTerm:
    """A term as it is during one step: itself, unless it is another one in every step."""
    return term.freeze(instant) if isinstance(term, FrozenInSteps) else term
