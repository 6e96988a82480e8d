"""What a solver reports about its work."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from supple.types import Array


class Outcome(Enum):
    """How a minimisation ended; the values are what users read."""

    CONVERGED = "converged"
    STALLED = "no step lowered the objective"
    SLOW = "hardly any progress"
    EXHAUSTED = "the limit of iterations was reached"
    NOT_FINITE = "the objective is not finite at the start, however short the first move"
    OVERFLOW = "its second derivatives are not finite"
    SINGULAR = "the matrix could not be made positive definite"


@dataclass
class SolveReport:
    """Counts of one or several minimisations, added up."""

    outcome: Outcome = Outcome.CONVERGED
    iterations: int = 0
    factorisations: int = 0
    line_search_steps: int = 0
    cg_iterations: int = 0
    gradient_norm: float = 0.0
    """Largest entry of the last gradient, relative to the largest single force in it [-]."""
    residual: Array = field(default_factory=lambda: np.zeros((0, 3)))
    """Gradient at the returned x."""
    constraint_forces: Array = field(default_factory=lambda: np.zeros(0))
    """Force of each constraint of the system in the last stage: positive along -grad g, the tension of a rod [N]."""

    def add(self, other: SolveReport) -> None:
        """Count another minimisation in; the residual is the later one's."""
        self.count(other)
        self.gradient_norm = max(self.gradient_norm, other.gradient_norm)
        self.residual = other.residual
        self.constraint_forces = other.constraint_forces

    def count(self, other: SolveReport) -> None:
        """Count the work of another minimisation in, and nothing else."""
        self.iterations += other.iterations
        self.factorisations += other.factorisations
        self.line_search_steps += other.line_search_steps
        self.cg_iterations += other.cg_iterations
