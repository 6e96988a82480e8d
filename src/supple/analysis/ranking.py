"""Ranking of methods for a body by the errors and costs of many runs.

At a budget, the method with the least error wins; for a given accuracy, the one that reaches it with the
least CPU time. Between two runs of a method both are interpolated linearly in the logarithms. Nothing is extrapolated: a
method whose coarsest run costs more than the budget, or whose finest run misses the accuracy, is not in the ranking, and
the reason is given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

EXACT = 1e-10
"""Relative errors below this count as equal: round-off and solver tolerance dominate."""

Point = tuple[float, float]
"""CPU seconds per simulated second, and an error."""


@dataclass(frozen=True)
class Place:
    """A method in a ranking."""

    integrator: str
    cost: float
    """CPU seconds per simulated second; NaN if not ranked."""
    error: float
    """Relative [-]; NaN if not ranked."""
    reason: str = ""
    """Why it is not ranked."""


def common_budget(curves: Mapping[str, Sequence[Point]]) -> float:
    """The smallest budget at which every method with a run is ranked; NaN if there is none."""
    return max((min(cost for cost, _ in points) for points in curves.values() if points), default=math.nan)


def rank_by_error(curves: Mapping[str, Sequence[Point]], budget: float) -> list[Place]:
    """The smallest error that each method reaches within a budget; the best method first."""

    def judge(name: str, points: Sequence[Point]) -> Place:
        affordable = [(max(error, EXACT), cost, error) for cost, error in points if cost <= budget]
        if not affordable:
            return _out(name, f"its cheapest run takes {points[0][0]:.3g} CPU s per simulated second")
        for (c0, e0), (c1, e1) in pairwise(points):
            if c0 <= budget < c1:
                error = _between(budget, (c0, e0), (c1, e1))
                affordable.append((max(error, EXACT), budget, error))
        _, cost, error = min(affordable)
        return Place(name, cost, error)

    return _ranked(curves, judge, lambda place: (max(place.error, EXACT), place.cost))


def rank_by_cost(curves: Mapping[str, Sequence[Point]], accuracy: float, budget: float = math.inf) -> list[Place]:
    """The least CPU time with which each method reaches an accuracy, within a budget; the best method first."""

    def judge(name: str, points: Sequence[Point]) -> Place:
        reached = [(cost, error) for cost, error in points if error <= accuracy]
        if not reached:
            best = min(error for _, error in points)
            return _out(name, f"its best run has an error of {best:.2g}")
        for (c0, e0), (c1, e1) in pairwise(points):
            if e0 > accuracy >= e1 > 0.0:
                reached.append((_between(accuracy, (e0, c0), (e1, c1)), accuracy))
        cost, error = min(reached)
        if cost > budget:
            return _out(name, f"needs {cost:.3g} CPU s per simulated second, above the budget")
        return Place(name, cost, error)

    return _ranked(curves, judge, lambda place: (place.cost, place.error))


def _ranked(
    curves: Mapping[str, Sequence[Point]],
    judge: Callable[[str, Sequence[Point]], Place],
    key: Callable[[Place], tuple[float, float]],
) -> list[Place]:
    places = [
        judge(name, sorted(points)) if points else _out(name, "no run gave a usable error")
        for name, points in curves.items()
    ]
    return sorted((p for p in places if not p.reason), key=key) + [p for p in places if p.reason]


def _out(name: str, reason: str) -> Place:
    return Place(name, math.nan, math.nan, reason)


def _between(at: float, a: tuple[float, float], b: tuple[float, float]) -> float:
    """The second figure where the first is `at`, by linear interpolation in the logarithms."""
    (x0, y0), (x1, y1) = a, b
    if min(x0, x1, y0, y1) <= 0.0 or x0 == x1:
        return max(y0, y1)
    part = math.log(at / x0) / math.log(x1 / x0)
    return math.exp(math.log(y0) + part * math.log(y1 / y0))
