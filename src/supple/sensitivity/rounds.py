"""Iterated solves, where part of the matrix is available only as products: damping that follows the step."""

from __future__ import annotations

from collections.abc import Callable

from supple.errors import SuppleError
from supple.linalg.reduce import largest
from supple.types import Array

ROUNDS = 60


def settled(first: Array, again: Callable[[Array], Array], change: float) -> Array:
    """The fixed point of `again`; rounds contract as those of the step itself. change: stop at this change per
    round, relative to the largest entry."""
    found = first
    for _ in range(ROUNDS):
        before, found = found, again(found)
        if largest(found - before) <= change * largest(found):
            return found
    raise SuppleError(
        "the iteration between damping and motion did not converge in a sweep over the run; use smaller steps"
    )
