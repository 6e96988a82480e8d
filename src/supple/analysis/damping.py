"""Damping curves: the effect of a method on an undamped oscillator, measured with its own code (Rojas, Liu and Kavan 2018).

One step of a linear problem is a matrix T acting on x, v and the memory of the method. Its columns are steps from
unit vectors. A damped oscillator x'' + d x' + omega^2 x = 0 shrinks by exp(-d h/2) per step, so the spectral radius
rho of T corresponds to the damping

    d / omega = -2 ln(rho) / (h omega)

Zero: no loss; negative: the motion grows. Time is measured in units of 1/omega, so positions, velocities
and stored accelerations of an oscillation have the same magnitude and T is well scaled.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from supple.analysis.oscillator import oscillator
from supple.dynamics.step import Integrator
from supple.dynamics.system import System
from supple.errors import SuppleError
from supple.solvers.amplification import TIGHT, amplification
from supple.solvers.tools import StepTools
from supple.types import Array


@dataclass(frozen=True)
class DampingPoint:
    """One point of one curve."""

    integrator: str
    h_omega: float
    damping_over_omega: float
    """NaN where undefined; `note` holds the reason."""
    note: str = ""


def damping_curves(methods: Mapping[str, Integrator], h_omega: Sequence[float]) -> Iterator[DampingPoint]:
    """All points of all curves, one method after the other."""
    system = oscillator(1.0)
    for name, method in methods.items():
        tools = StepTools(system, TIGHT)
        try:
            for h in h_omega:
                yield _point(name, method, h, system, tools)
        finally:
            tools.close()


def _point(name: str, method: Integrator, h: float, system: System, tools: StepTools) -> DampingPoint:
    """A point of a curve; an unmeasurable method is a result, not an error."""
    refusal = method.refuses(system)
    if refusal:
        return DampingPoint(name, h, math.nan, refusal)
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            T = amplification(system, method, h, tools)
        return DampingPoint(name, h, damping(T, h))
    except SuppleError as problem:
        return DampingPoint(name, h, math.nan, str(problem))


def damping(T: Array, h_omega: float) -> float:
    """d / omega = -2 ln(rho(T)) / (h omega)."""
    if not np.isfinite(T).all():
        raise SuppleError("the step is not finite: it diverges at once")
    rho = float(np.abs(np.linalg.eigvals(T)).max())
    return 0.0 - 2.0 * math.log(rho) / h_omega if rho > 0.0 else math.inf  # 0.0 - 0.0 has no sign
