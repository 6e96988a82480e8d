"""The interface of an approximate inverse for conjugate gradients."""

from __future__ import annotations

from typing import Protocol

from supple.types import Array


class Preconditioner(Protocol):
    """Built for one pattern; takes the entries of one matrix after the other."""

    @property
    def renewal(self) -> float:
        """Cost of a renewal in solves: extra iterations allowed with an old one before a new one pays off; 0: always renewed."""

    factorises: bool
    """Whether a renewal counts as a factorisation."""
    may_err: bool
    """Whether it may reject a definite matrix."""

    def renew(self, values: Array, places: Array) -> None:
        """Set another matrix, of vertices at these positions (n, 3); raises NotPositiveDefinite if it has no
        approximate inverse."""

    def solve(self, rhs: Array) -> Array:
        """Approximate solution, symmetric and positive definite as a map."""

    def close(self) -> None:
        """Free the memory."""
