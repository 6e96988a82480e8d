"""Standstill of a search: neither the objective nor its gradient decreases any more.

At a kink of an energy every direction leads uphill, so iterations only repeat line searches within round-off, each with dozens of
evaluations.
"""

from __future__ import annotations

from supple.dynamics.stage import Evaluation
from supple.solvers.line_search import NOISE

PATIENCE = 5
"""Iterations in a row without progress."""
LEAST = 0.99
"""A gradient has decreased below this fraction of the smallest one so far."""


class Standstill:
    """Counts iterations in a row without progress."""

    def __init__(self, first: Evaluation) -> None:
        self._smallest = first.size
        self._idle = 0

    @property
    def reached(self) -> bool:
        return self._idle >= PATIENCE

    def moved(self, now: Evaluation, then: Evaluation) -> None:
        """Compare the evaluations before and after an iteration."""
        lower = now.value - then.value > NOISE * now.magnitude
        flatter = then.size < LEAST * self._smallest
        self._idle = 0 if lower or flatter else self._idle + 1
        self._smallest = min(self._smallest, then.size)
