"""A fit over growing horizons: phase misfits have a local minimum at every lost period, short horizons do not.

A quarter of the duration first, then half, then all of it, each from the previous result. Horizons in which the
loss observes nothing are omitted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from supple.errors import SuppleError
from supple.fits.solving.descent import descend
from supple.fits.solving.gauss_newton import Stop, gauss_newton
from supple.fits.solving.problem import Problem
from supple.fits.solving.trial import Trial
from supple.interruption.signals import answered

PARTS = (0.25, 0.5, 1.0)
STRICTER = 10.0
"""Factor on the weight of roughness per remaining horizon: coarse features come first."""
MOST = 8
"""Largest number of unknowns for tangents."""
ROUGHLY = Stop(12, 1e-3, 1e-2)
"""Stopping criteria of all horizons except the last."""


@dataclass(frozen=True)
class Report:
    """Progress of a fit."""

    horizon: float
    """[s]"""
    step: int
    runs: int
    trial: Trial


@dataclass
class Solved:
    """The best trial of the last horizon reached."""

    first: Trial
    """The start, over the full duration."""
    best: Trial
    whole: bool
    """Whether the best trial covers the full duration."""
    interrupted: bool
    method: str


def solve(problem: Problem, stop: Stop, told: Callable[[Report], None], parts: tuple[float, ...] = PARTS) -> Solved:
    """Minimise the loss. Ctrl-C stops with the best values so far."""
    few = problem.squares and not problem.counts and len(problem.names) <= MOST
    method = "Gauss-Newton with tangents" if few else "L-BFGS-B with adjoints"
    first = problem.trial(problem.start)
    if not math.isfinite(first.value):
        raise SuppleError("fit: the loss at the start is not finite; begin with other values")
    best, whole = first, False
    try:
        horizons = list(_horizons(problem, parts))
        for k, (steps, last) in enumerate(horizons):
            problem.stricter = STRICTER ** (len(horizons) - 1 - k)
            begin = first if best is first and last else problem.trial(best.z, steps)
            best, whole = begin, last

            def tell(trial: Trial, count: int, steps: int = steps) -> None:
                nonlocal best
                best = trial
                told(Report(steps * problem.setting.h, count, problem.runs, trial))

            tell(begin, 0)
            solver = gauss_newton if few else descend
            best = solver(problem, begin, steps, stop if last else ROUGHLY, tell)
    except KeyboardInterrupt as request:
        answered(request)
        return Solved(first, best, whole, True, method)
    return Solved(first, best, True, False, method)


def _horizons(problem: Problem, parts: tuple[float, ...]) -> Iterator[tuple[int, bool]]:
    """Numbers of time steps, and whether they are all."""
    total, h = problem.setting.steps, problem.setting.h
    begins = min((piece.prepared.first for piece in problem.pieces), default=math.inf)
    known = set()
    for part in parts:
        steps = max(1, round(part * total))
        if part < 1.0 and (steps * h < begins or steps in known or steps == total):
            continue
        known.add(steps)
        yield steps, part == 1.0
