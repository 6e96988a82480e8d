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
    """The first of x + p, x + p/2, x + p/4 ... that lowers the objective enough, and how many were tried. Where x + p would
    pass through something, they begin before it, after one attempt in which only the vertices concerned stop there."""
    tried = 0
    cut = objective.clipped(x, p)
    if cut is not p:  # one vertex that nears a wall must not hold the whole body back
        found = _lower(objective, x, now, min(1.0, objective.max_step(x, cut)), cut)
        tried = 1
        if found is not None:
            return found, tried
    t = min(1.0, objective.max_step(x, p))
    for _ in range(halvings + 1):
        tried += 1
        found = _lower(objective, x, now, t, p)
        if found is not None:
            return found, tried
        t *= 0.5
    return None, tried


def _lower(objective: StageObjective, x: Array, now: Evaluation, t: float, p: Array) -> Found | None:
    """x + t p if it lowers the objective enough."""
    trial = x + t * p
    then = objective.evaluate(trial)
    slope = min(dot(now.gradient, p), 0.0)
    enough = now.value + SUFFICIENT * t * slope + NOISE * now.magnitude
    return Found(trial, then) if math.isfinite(then.value) and then.value <= enough else None
