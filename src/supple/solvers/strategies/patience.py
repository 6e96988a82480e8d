"""How long old factors of small matrices are tried. An attempt that fails costs part of a factorisation, and in wild motion
every one fails."""

from __future__ import annotations

import math

import numpy as np

from supple.types import Array

MANY = 20
"""Iterations beyond which a fresh factorisation is cheaper, for many unknowns."""
FEWEST = 4
"""The same for few unknowns."""
ITERATIONS = 1 / 6
"""Iterations in the time of a factorisation, over the root of the number of unknowns: 5 for 1,000 of them, 9 for 3,000."""
LONGEST = 7
"""Solves without an attempt, at most."""


class Patience:
    """After two failures in a row one solve goes without an attempt, after three of them three, then LONGEST."""

    def __init__(self, unknowns: int) -> None:
        self.limit = min(max(int(ITERATIONS * math.sqrt(unknowns)), FEWEST), MANY)
        """Iterations that an attempt may take."""
        self._failures = 0
        self._waiting = 0

    def waits(self) -> bool:
        """Whether the next solve shall not be attempted."""
        self._waiting -= 1
        return self._waiting >= 0

    def learn(self, worked: bool) -> None:
        """How an attempt ended."""
        if self.limit == MANY:
            return  # their factorisation is worth any number of attempts
        self._failures = 0 if worked else self._failures + 1
        self._waiting = min(2 ** max(self._failures - 1, 0) - 1, LONGEST)

    def memory(self) -> Array:
        return np.array([float(self._failures), float(self._waiting)])

    def restore(self, memory: Array) -> None:
        self._failures, self._waiting = int(memory[0]), int(memory[1])
