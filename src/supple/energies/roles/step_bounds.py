"""Terms whose energy is infinite behind a surface: moves have to end before it."""

from __future__ import annotations

from supple.types import Array, Ints


class BoundsSteps:
    """A term that may keep vertices out of something."""

    keeps_apart: bool = True
    """Whether it does; a contact with a soft law lets vertices through."""

    def max_step(self, x: Array, p: Array) -> float:
        """Largest multiple of p by which x may move without passing through something; infinite where nothing is hit."""
        raise TypeError(f"{type(self).__name__} does not define max_step")

    def clipped(self, x: Array, p: Array) -> Array:
        """The move p with every vertex that would pass through something stopped before it, p itself where none would."""
        return p

    def groups(self, x: Array) -> Ints | None:
        """(n,) numbers of groups of bodies that do not feel each other at x; None if there is one only, or that is not known."""
        return None

    def passes(self, x0: Array, x1: Array) -> bool:
        """Whether a body that goes straight from x0 to x1, both allowed, would pass through something on its way."""
        raise TypeError(f"{type(self).__name__} does not define passes")
