"""L-BFGS-B with adjoints: for many unknowns, and for losses that are not sums of squares."""

from __future__ import annotations

import math

import numpy as np

from supple.fits.solving.gauss_newton import Stop, Told, attempt
from supple.fits.solving.problem import Problem
from supple.fits.solving.trial import Trial
from supple.types import Array

WORSE = 1e3
"""A run that cannot be computed counts as this multiple of the best value."""


def descend(problem: Problem, first: Trial, steps: int, stop: Stop, told: Told) -> Trial:
    """The best trial over a given number of time steps, from a first one."""
    from scipy.optimize import Bounds, minimize

    best, count = first, 0
    scale = abs(first.value) or 1.0

    def value_and_gradient(z: Array) -> tuple[float, Array]:
        nonlocal best, count
        again = np.array_equal(z, first.z)
        trial = first if again else attempt(problem, z, steps)
        if trial is None or not math.isfinite(trial.value):
            return WORSE * (abs(best.value) / scale + 1.0), np.zeros_like(z)
        gradient = problem.gradient(trial)
        count += 1
        if trial.value < best.value:
            best = trial
            told(best, count)
        return trial.value / scale, gradient / scale

    low, high = problem.variables.bounds
    minimize(
        value_and_gradient, first.z, jac=True, method="L-BFGS-B", bounds=Bounds(low, high),
        options={"maxiter": stop.steps, "ftol": stop.decrease, "gtol": 1e-9, "maxcor": 20},
    )  # fmt: skip
    return best
