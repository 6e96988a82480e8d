"""Terms whose energy is infinite behind a surface: steps must stop in front of it."""

from __future__ import annotations

from supple.types import Array, Ints


class BoundsSteps:
    """A term that may exclude vertices from a region."""

    keeps_apart: bool = True
    """Whether it does so; a contact with a soft law lets vertices through."""

    def max_step(self, x: Array, p: Array) -> float:
        """Largest multiple of p by which x may move without passing through a surface; infinite where nothing is hit."""
        raise TypeError(f"{type(self).__name__} does not define max_step")

    def clipped(self, x: Array, p: Array) -> Array:
        """The displacement p with every vertex that would pass through a surface stopped before it; p if none would."""
        return p

    def groups(self, x: Array) -> Ints | None:
        """(n,) indices of groups of bodies that do not interact at x; None if there is only one group, or if unknown."""
        return None

    def passes(self, x0: Array, x1: Array) -> bool:
        """Whether a body that moves straight from x0 to x1, both admissible, would pass through a surface on the way."""
        raise TypeError(f"{type(self).__name__} does not define passes")
