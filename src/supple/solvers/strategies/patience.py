"""Limits on attempts with old factors of small matrices. A failed attempt costs part of a factorisation, and in violent
motion every attempt fails."""

from __future__ import annotations

import math

import numpy as np

from supple.types import Array

MANY = 20
"""Iterations beyond which a new factorisation is cheaper, for many unknowns."""
FEWEST = 4
"""The same for few unknowns."""
ITERATIONS = 1 / 6
"""Iterations per factorisation time, over the square root of the number of unknowns: 5 for 1,000 unknowns, 9 for 3,000."""
LONGEST = 7
"""Largest number of solves without an attempt."""


class Patience:
    """After two consecutive failures one solve skips the attempt, after three failures three solves do, then LONGEST."""

    def __init__(self, unknowns: int) -> None:
        self.limit = min(max(int(ITERATIONS * math.sqrt(unknowns)), FEWEST), MANY)
        """Iteration limit of an attempt."""
        self._failures = 0
        self._waiting = 0

    def waits(self) -> bool:
        """Whether the next solve should skip the attempt."""
        self._waiting -= 1
        return self._waiting >= 0

    def learn(self, worked: bool) -> None:
        """Record the result of an attempt."""
        if self.limit == MANY:
            return  # their factorisation is worth any number of attempts
        self._failures = 0 if worked else self._failures + 1
        self._waiting = min(2 ** max(self._failures - 1, 0) - 1, LONGEST)

    def memory(self) -> Array:
        return np.array([float(self._failures), float(self._waiting)])

    def restore(self, memory: Array) -> None:
        self._failures, self._waiting = int(memory[0]), int(memory[1])
