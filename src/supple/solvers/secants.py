"""Secant steps: a root by residuals and old factors alone, without a Jacobian.

P, the factorised matrix, approximates the Jacobian. Each displacement s changed the residual by some y, which corrects
the approximation: the part of a residual r explained by known changes is removed by their displacements, the rest by
P^-1. The split minimises the rest in the norm of P^-1 (Anderson mixing). For matrices that hardly change this equals
a Krylov method over all iterations together. An iteration costs one residual and one solve.
"""

from __future__ import annotations

import math

import numpy as np

from supple.linalg.reduce import add_part, inner, take_out
from supple.types import Array

DEPTH = 20
"""Number of stored displacements."""
LONGEST = 7
"""Largest number of searches without secant steps."""
NEW = 1e-24
"""Smallest new fraction of the square of a change; less is round-off."""


class Secants:
    """Displacements and changes of one search, orthonormal in the norm of P^-1."""

    def __init__(self) -> None:
        self._known: list[tuple[Array, Array, Array]] = []  # y, P^-1 y, and P^-1 y - s

    def direction(self, residual: Array, solved: Array) -> Array:
        """The next displacement; `solved` = P^-1 residual."""
        p = -solved
        for _, z, gap in self._known:
            add_part(z, residual, gap, p)
        return p

    def learn(self, move: Array, change: Array, solved: Array) -> None:
        """`solved` = P^-1 change."""
        y, z, gap = change.copy(), solved.copy(), solved - move
        whole = inner(y, z)
        for known in self._known:
            take_out(*known, y, z, gap)
        size = inner(y, z)
        if not size > NEW * abs(whole):
            return
        scale = 1.0 / math.sqrt(size)
        self._known = [*self._known[-DEPTH + 1 :], (scale * y, scale * z, scale * gap)]


class Age:
    """Whether factors are so old that new ones pay off, and whether secant steps are worth trying. Decisions depend on
    counts, never on the clock: runs are reproducible to the bit."""

    def __init__(self) -> None:
        self._best, self._wasted = math.inf, 0.0
        self._failures, self._waiting = 0, 0

    def waits(self) -> bool:
        """Whether the next search should skip secant steps: in violent motion they fail, one search after the other."""
        self._waiting -= 1
        return self._waiting >= 0

    def is_due(self, renewal: float) -> bool:
        """Whether the iterations in excess of the best count with these factors cost as much as new factors."""
        return self._wasted > renewal

    def learn(self, iterations: int, digits: float) -> None:
        """Record the cost of a search that ended at the root."""
        self._failures = 0
        if iterations and digits > 0.0:
            self._best = min(self._best, iterations / digits)
            self._wasted += iterations - self._best * digits

    def fail(self) -> None:
        """Record a search that failed."""
        self._failures += 1
        self._waiting = min(2**self._failures - 1, LONGEST)

    def renew(self) -> None:
        """Record new factors."""
        self._best, self._wasted = math.inf, 0.0

    def memory(self) -> Array:
        return np.array([self._best, self._wasted, float(self._failures), float(self._waiting)])

    def restore(self, memory: Array) -> None:
        self._best, self._wasted = float(memory[0]), float(memory[1])
        self._failures, self._waiting = int(memory[2]), int(memory[3])
