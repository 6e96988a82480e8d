"""Backtracking on the objective: the Armijo rule with a tolerance for the round-off of the objective."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from supple.dynamics.stage import Evaluation, StageObjective
from supple.linalg.reduce import dot
from supple.types import Array, Ints

SUFFICIENT = 1e-4
"""Required fraction of the predicted decrease."""
NOISE = 1e-14
"""Round-off of the objective relative to the sum of its absolute parts."""
AIMS, ROUNDS = 4, 8
"""Attempts of groups of bodies to find the lowest point along their path, and to find any lower point."""
FLAT = 0.5
"""Fraction of the initial slope at which the search of a group ends."""
HEARD = 1e-6
"""Fraction of the total slope of all groups below which the slope of one is ignored: for groups at rest it is round-off."""

PATIENCE = 5
"""Iterations in a row without progress."""
LEAST = 0.99
"""A gradient has decreased below this fraction of the smallest one so far."""


@dataclass(frozen=True)
class Found:
    """A point that the search accepted."""

    x: Array
    evaluation: Evaluation


class Standstill:
    """Counts iterations in a row that lower neither the objective nor its gradient.

    At a kink of an energy every direction leads uphill, and further searches, of dozens of evaluations each, stay in round-off.
    """

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


def backtrack(
    objective: StageObjective, x: Array, now: Evaluation, p: Array, halvings: int
) -> tuple[Found | None, int]:
    """The first of x + p, x + p/2, x + p/4 ... that lowers the objective enough, and the number of trials. Where x + p
    would pass through a surface, the search starts before it, after one attempt in which only the vertices concerned
    stop there."""
    found, tried = _each(objective, x, now, p)
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


def _each(objective: StageObjective, x: Array, now: Evaluation, p: Array) -> tuple[Found | None, int]:
    """A point where vertices and groups of bodies moved as far as each can individually, if that lowers the objective
    enough. One vertex approaching a wall must not hold back its body, nor one body a pile. And the number of trials."""
    move, group = objective.clipped(x, p), objective.groups(x)
    if group is not None:
        return _by_groups(objective, x, now, move, group)
    if move is p:
        return None, 0
    return _lower(objective, x, now, min(1.0, objective.max_step(x, move)), move), 1


def _by_groups(
    objective: StageObjective, x: Array, now: Evaluation, move: Array, group: Ints
) -> tuple[Found | None, int]:
    """The lowest point of a search along `move` for all groups at once, each with its own factor, and the number of
    trials. Groups that overshot, where forces push back, bisect: a barrier just inside its reach is steep, and halfway
    to it there is no force."""
    first, best, tried = _slopes(now, group, move), None, 0
    heard = first <= HEARD * first.sum()
    t, low, high = np.ones_like(first), np.zeros_like(first), np.full_like(first, 2.0)
    while tried < (AIMS if best is not None else ROUNDS):
        tried += 1
        cut = t[group][:, None] * move
        limit = objective.max_step(x, cut)
        cut = limit * cut if limit < 1.0 else cut
        then = objective.evaluate(x + cut)
        if not math.isfinite(then.value):
            break
        if _is_lower(now, then, dot(now.gradient, cut)) and (best is None or then.value < best.evaluation.value):
            best = Found(x + cut, then)
        slope = _slopes(then, group, move)
        over = heard & (slope > np.maximum(-FLAT * first, 0.0))
        low, high = np.where(over, low, t), np.where(over, t, high)
        steep = over | (heard & (slope < FLAT * first) & (high <= 1.0))
        if not steep.any():
            break
        t = np.where(steep, 0.5 * (low + high), t)
    return best, tried


def _slopes(at: Evaluation, group: Ints, move: Array) -> Array:
    """(g,) change of the objective along the displacements (n, 3) of each group."""
    return np.asarray(np.bincount(group, np.einsum("ni,ni->n", at.gradient, move)), dtype=np.float64)


def _is_lower(now: Evaluation, then: Evaluation, slope: float) -> bool:
    """Whether the objective decreased enough, given the change predicted by its gradient."""
    enough = now.value + SUFFICIENT * min(slope, 0.0) + NOISE * now.magnitude
    return math.isfinite(then.value) and then.value <= enough


def _lower(objective: StageObjective, x: Array, now: Evaluation, t: float, p: Array) -> Found | None:
    """x + t p if it lowers the objective enough."""
    trial = x + t * p
    then = objective.evaluate(trial)
    return Found(trial, then) if _is_lower(now, then, t * dot(now.gradient, p)) else None
