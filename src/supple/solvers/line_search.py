"""Backtracking on the objective: the Armijo rule with allowance for the rounding error of the objective itself."""

from __future__ import annotations

import math
from dataclasses import dataclass

from supple.dynamics.stage import Evaluation, StageObjective
from supple.linalg.reduce import dot
from supple.types import Array

SUFFICIENT = 1e-4
"""Fraction of the predicted decrease that must be had."""
NOISE = 1e-14
"""Rounding error of the objective relative to the sum of its absolute parts."""


@dataclass(frozen=True)
class Found:
    """A point that the search accepted."""

    x: Array
    evaluation: Evaluation


def backtrack(
    objective: StageObjective, x: Array, now: Evaluation, p: Array, halvings: int
) -> tuple[Found | None, int]:
    """The first of x + p, x + p/2, x + p/4 ... that lowers the objective enough, and how many were tried; where x + p would
    pass through something, they begin before it."""
    slope = dot(now.gradient, p)
    noise = NOISE * now.magnitude
    t = min(1.0, objective.max_step(x, p))
    for tried in range(1, halvings + 2):
        trial = x + t * p
        then = objective.evaluate(trial)
        if math.isfinite(then.value) and then.value <= now.value + SUFFICIENT * t * slope + noise:
            return Found(trial, then), tried
        t *= 0.5
    return None, halvings + 1
