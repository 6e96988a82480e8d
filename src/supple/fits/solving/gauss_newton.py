"""Gauss-Newton with the damping of Levenberg and Marquardt, for sums of squares of few unknowns, within bounds.

    (J^T J + m D) d = -J^T r,   z + d within bounds,   D = diag(J^T J), bounded below for insensitive unknowns
m falls after a step whose gain agrees with the linear model, and grows otherwise (Nielsen 1999). A run that cannot be computed
counts as a failed step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from supple.errors import SuppleError
from supple.fits.solving.problem import Problem
from supple.fits.solving.trial import Trial
from supple.types import Array

FIRST, SMALLEST, LARGEST = 1e-3, 1e-9, 1e6
"""Initial value of m."""
FARTHEST = {"log": 7.0, "linear": 50.0}
"""Largest change of a variable per step, in units: a factor of 2 on a log scale, 5 times the start on a linear one."""
LEAST = 1e-4
"""Lower bound of D over its largest entry, so insensitive unknowns do not run away."""


@dataclass(frozen=True)
class Stop:
    """Stopping criteria."""

    steps: int = 40
    decrease: float = 1e-7
    """Relative change of the loss per step."""
    change: float = 1e-4
    """Change of the variables [units of 10 %]."""


Told = Callable[[Trial, int], None]
"""Called with the best trial so far, and the number of steps."""


def gauss_newton(problem: Problem, first: Trial, steps: int, stop: Stop, told: Told) -> Trial:
    """The best trial over a given number of time steps, from a first one."""
    low, high = problem.variables.bounds
    far = np.array([FARTHEST[variable.scale] for variable in problem.variables.all])
    best, m, growth = first, FIRST, 2.0
    for k in range(stop.steps):
        J, r = problem.rows_jacobian(best), best.rows
        while True:
            d = _step(J, r, m, best.z, (low, high), far)
            if np.abs(d).max(initial=0.0) < stop.change or m > LARGEST:
                return best
            trial = attempt(problem, best.z + d, steps)
            if trial is not None and trial.value < best.value:
                break
            m, growth = m * growth, 2.0 * growth
        promised = best.value - float(np.sum((r + J @ d) ** 2))
        gained = best.value - trial.value
        share = min(gained / promised, 1.0) if promised > 0.0 else 0.0
        m, growth = max(m * max(1.0 / 3.0, 1.0 - (2.0 * share - 1.0) ** 3), SMALLEST), 2.0
        settled = gained <= stop.decrease * best.value
        best = trial
        told(best, k + 1)
        if settled:
            break
    return best


def attempt(problem: Problem, z: Array, steps: int) -> Trial | None:
    """A trial; None if that run cannot be computed."""
    try:
        return problem.trial(z, steps)
    except SuppleError:
        return None


def _step(J: Array, r: Array, m: float, z: Array, bounds: tuple[Array, Array], far: Array) -> Array:
    """The change of the variables; those at a bound stay there if they would leave it."""
    A, g, (low, high) = J.T @ J, J.T @ r, bounds
    D = np.maximum(np.diag(A), LEAST * np.diag(A).max(initial=0.0))
    free = ~(((z <= low) & (g > 0.0)) | ((z >= high) & (g < 0.0))) & (np.diag(A) > 0.0)
    d = np.zeros_like(z)
    if free.any():
        some = np.ix_(free, free)
        d[free] = np.linalg.lstsq(A[some] + m * np.diag(D[free]), -g[free], rcond=None)[0]
    d /= max(1.0, float((np.abs(d) / far).max(initial=0.0)))
    within: Array = np.clip(z + d, low, high) - z
    return within
