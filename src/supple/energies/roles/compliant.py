"""Terms that position-based dynamics can solve for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from supple.energies.compliant import Compliance

if TYPE_CHECKING:
    from supple.energies.term import EnergyTerm


class CompliantTerm:
    """An energy that is, up to a constant and possibly for certain materials only, a sum of squares of constraints."""

    def compliant(self) -> Sequence[Compliance] | None:
        """The constraints; None where the material has no such form."""
        raise TypeError(f"{type(self).__name__} does not define compliant")


def compliances(term: EnergyTerm) -> Sequence[Compliance] | None:
    """The constraints whose squares make up a term; None if it is not of that form."""
    return term.compliant() if isinstance(term, CompliantTerm) else None
