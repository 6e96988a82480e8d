"""Solves that are repeated because part of their matrix is known by its products only: damping that follows the step."""

from __future__ import annotations

from collections.abc import Callable

from supple.errors import SuppleError
from supple.linalg.reduce import largest
from supple.types import Array

ROUNDS = 60


def settled(first: Array, again: Callable[[Array], Array], change: float) -> Array:
    """The fixed point of `again`; rounds contract as those of the step itself. change: in one round, relative to the largest
    entry, at which they end."""
    found = first
    for _ in range(ROUNDS):
        before, found = found, again(found)
        if largest(found - before) <= change * largest(found):
            return found
    raise SuppleError("damping and motion did not agree in a sweep over the run; take smaller steps")
