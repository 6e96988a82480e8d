"""Effort of searches for contact: bounded for each search, and counted in the work of the step.

Moves of pairs and pairs found cost about the same, comparisons of boxes a hundredth of that, energies of pairs more. A unit of
work, about one evaluation of all energies, is PER_UNIT moves plus one for each vertex, edge or triangle of the surface.
"""

from __future__ import annotations

import numpy as np

from supple.errors import StepRejected
from supple.types import Ints
from supple.work import left, spend

PAIRS, LOOKS = 10_000_000, 4_000_000_000
"""Pairs that a query may find, and boxes that it may compare, before it is abandoned."""
PER_UNIT = 500
"""Moves of a unit of work on small surfaces."""
MOST_UNITS = 1000
"""Units of work of one search for the first touch; those of shipped scenes take up to 3."""
LOOKS_PER_MOVE, MOVES_PER_PAIR = 100, 4
"""Comparisons that cost as much as a move, and moves that cost as much as forces and stiffness of a pair."""


def looks_left(size: int) -> int:
    """Comparisons that a query over so many boxes may make."""
    return min(LOOKS, LOOKS_PER_MOVE * _moves_left(size))


def rounds_left(size: int) -> Ints:
    """(1,) moves that a search over a surface of that size may make; the search subtracts each move made."""
    return np.full(1, min(MOST_UNITS * (PER_UNIT + size), _moves_left(size)))


def require_complete(pairs: Ints, looks: int, size: int) -> Ints:
    """The pairs of a query with so many comparisons left; raises StepRejected if it was abandoned."""
    before = looks_left(size)
    _count(len(pairs) + (before - looks) // LOOKS_PER_MOVE, size)
    if looks < 0 or len(pairs) > PAIRS:
        raise StepRejected(
            f"the search for contact pairs was abandoned at {len(pairs)} pairs: bodies move too far in a step, or "
            "contact.distance is too large for their triangles; take a smaller time.step or contact.distance"
        )
    return pairs


def require_rounds(rounds: Ints, size: int) -> None:
    """Count the moves of a search that has `rounds` (1,) left; raises StepRejected if these are none."""
    before, after = int(rounds_left(size)[0]), int(rounds[0])
    _count(before - after, size)
    if after <= 0:
        raise StepRejected(
            f"the search for the first touch was abandoned after {before} advances of pairs: bodies move too far in a step; "
            "take a smaller time.step"
        )


def count_pairs(pairs: int, size: int) -> None:
    """Count the energies of so many pairs, which are evaluated next."""
    _count(MOVES_PER_PAIR * pairs, size)


def _moves_left(size: int) -> int:
    """Enough to exhaust the work of the step."""
    return (left() + 1) * (PER_UNIT + size)


def _count(moves: int, size: int) -> None:
    spend(moves // (PER_UNIT + size))
