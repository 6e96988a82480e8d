"""The report of a solver."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from supple.types import Array
from supple.work import EVALUATION, ITERATION, spend


class Outcome(Enum):
    """How a minimisation ended; the values are shown to users."""

    CONVERGED = "converged"
    STALLED = "no step lowered the objective"
    SLOW = "hardly any progress"
    EXHAUSTED = "the limit of iterations was reached"
    NOT_FINITE = "the objective is not finite at the start, however short the first move"
    OVERFLOW = "its second derivatives are not finite"
    SINGULAR = "the matrix could not be made positive definite"


@dataclass
class SolveReport:
    """Total counts of one or several minimisations."""

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

    def iterated(self, effort: int = 1) -> None:
        """Count an iteration that begins, here and in the work of the step; `effort`: of each evaluation."""
        self.iterations += 1
        spend(ITERATION * effort)

    def searched(self, evaluations: int = 1, effort: int = 1) -> None:
        """Count evaluations of a line search, here and in the work of the step."""
        self.line_search_steps += evaluations
        spend(EVALUATION * evaluations * effort)

    def add(self, other: SolveReport) -> None:
        """Add another minimisation; the residual is taken from the later one."""
        self.count(other)
        self.gradient_norm = max(self.gradient_norm, other.gradient_norm)
        self.residual = other.residual
        self.constraint_forces = other.constraint_forces

    def count(self, other: SolveReport) -> None:
        """Add only the work of another minimisation."""
        self.iterations += other.iterations
        self.factorisations += other.factorisations
        self.line_search_steps += other.line_search_steps
        self.cg_iterations += other.cg_iterations
