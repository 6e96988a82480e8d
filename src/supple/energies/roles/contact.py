"""Terms that model contact forces."""

from __future__ import annotations

from collections.abc import Sequence

from supple.energies.touch import Touch
from supple.types import Array


class ContactTerm:
    """A contact, as used by friction and by the energy budget."""

    def touches(self, x: Array) -> Sequence[Touch]:
        """Contacts and their forces at a configuration."""
        raise TypeError(f"{type(self).__name__} does not define touches")

    def presses(self, x0: Array, x1: Array) -> Sequence[Touch]:
        """Contacts over a step, with their mean forces."""
        raise TypeError(f"{type(self).__name__} does not define presses")
