"""Terms by which things press on each other."""

from __future__ import annotations

from collections.abc import Sequence

from supple.energies.touch import Touch
from supple.types import Array


class ContactTerm:
    """A contact, as friction on it and the energy budget see it."""

    def touches(self, x: Array) -> Sequence[Touch]:
        """What presses on what at a configuration."""
        raise TypeError(f"{type(self).__name__} does not define touches")

    def presses(self, x0: Array, x1: Array) -> Sequence[Touch]:
        """What presses on what over a step, with the mean force that acts in it."""
        raise TypeError(f"{type(self).__name__} does not define presses")
