"""The multiple of the mass that makes an indefinite matrix definite, remembered from one iteration to the next."""

from __future__ import annotations

import math

import numpy as np

from supple.solvers.strategies.matrix import Matrix
from supple.types import Array

GROWTH = 4.0
SMALLEST = 1e-4
LARGEST = 1e16
HELD = 3
"""Iterations for which a newly required shift is kept."""


class Shift:
    """`value` times the mass is added to matrices that are factorised."""

    def __init__(self) -> None:
        self.value = 0.0
        self.held = 0

    def drop(self) -> None:
        """Drop the shift: the matrix is definite without it."""
        self.value, self.held = 0.0, 0

    def increase(self, matrix: Matrix) -> None:
        """Increase the shift: the last direction was useless."""
        self.value = max(GROWTH * self.value, smallest_shift(matrix))

    def demand(self, matrix: Matrix) -> None:
        """The matrix was not definite: increase the shift, and keep it for a while."""
        self.held = HELD
        self.increase(matrix)

    def relax(self, matrix: Matrix) -> None:
        """Record a successful iteration. After an indefinite matrix the shift is kept for a while: where it is needed
        in every iteration, trying without costs a factorisation each time."""
        self.held = max(self.held - 1, 0)
        if self.held or not self.value:
            return
        self.value /= GROWTH
        if self.value < SMALLEST * smallest_shift(matrix):
            self.value = 0.0

    def exceeds(self, most: float, matrix: Matrix) -> bool:
        """Whether it is more than `most` times the smallest."""
        return self.value > most * smallest_shift(matrix) or not math.isfinite(self.value)

    def memory(self) -> dict[str, Array]:
        return {"shift": np.array(self.value), "held": np.array(self.held)}

    def restore(self, memory: dict[str, Array]) -> None:
        self.value = float(memory["shift"])
        self.held = int(memory.get("held", 0))  # checkpoints of older versions have none


def smallest_shift(matrix: Matrix) -> float:
    """Half the inertia is a mild start; in stages with a huge or no inertia term the stiffness sets the scale. Contact
    is much stiffer than anything else, but local: the median ignores it."""
    ratio = np.abs(matrix.diagonal) / matrix.mass
    stiffness = float(np.median(ratio)) if ratio.size else 0.0
    return max(0.5, 1e-5 * stiffness) if stiffness >= 1.0 else 1e-5 * max(stiffness, 1e-300)
