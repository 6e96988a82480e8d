"""Terms that position-based dynamics can solve for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from supple.energies.compliant import Compliance

if TYPE_CHECKING:
    from supple.energies.term import EnergyTerm


class CompliantTerm:
    """An energy that is, but for a constant and perhaps with certain materials only, a sum of squares of constraints."""

    def compliant(self) -> Sequence[Compliance] | None:
        """Those constraints; None where the material allows none."""
        raise TypeError(f"{type(self).__name__} does not define compliant")


def compliances(term: EnergyTerm) -> Sequence[Compliance] | None:
    """The constraints whose squares a term is; None if it is no such thing."""
    return term.compliant() if isinstance(term, CompliantTerm) else None
