"""What conjugate gradients need of an approximate inverse."""

from __future__ import annotations

from typing import Protocol

from supple.types import Array


class Preconditioner(Protocol):
    """Made for one pattern; takes the numbers of one matrix after the other."""

    @property
    def renewal(self) -> float:
        """Cost of a renewal in solves: iterations that may be wasted on an old one before a new one pays; 0: always renewed."""

    factorises: bool
    """Whether a renewal counts as a factorisation."""
    may_err: bool
    """Whether it may refuse a matrix that is definite."""

    def renew(self, values: Array, places: Array) -> None:
        """Take another matrix, of vertices at these places (n, 3); raises NotPositiveDefinite where there is no approximate
        inverse of it."""

    def solve(self, rhs: Array) -> Array:
        """Approximate solution, symmetric and positive definite as a map."""

    def close(self) -> None:
        """Give the memory back."""
