"""Equilibrium of a world: descent in steps of pseudo-time, each the minimum of 1/2 |x - x0|_M^2 + k^2 V(x).

The inertia keeps unsupported bodies from sliding away, and bodies in free flight fall as a whole, in their rest
shapes, until something stops them. Dissipation and friction are ignored.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from supple.dynamics.stage import Sample, Stage
from supple.dynamics.system import System
from supple.errors import StageNotConverged, StepRejected
from supple.solvers.tools import StepTools
from supple.types import Array
from supple.work import OutOfWork, Work, counted

STEPS = 60
FIRST, LAST, GROWTH = 1 / 30, 1.0, 1.6
"""Pseudo-time of the first step and of the longest one [s], and the factor from one to the next."""
MOST = 20_000
"""Units of work after which the search ends where it is."""
STILL = 1e-4
"""Change of shape in a longest step, relative to the size of a body, that counts as rest."""


def at_rest(system: System, x: Array, bodies: Sequence[slice]) -> Array:
    """(n, 3) positions at or near an equilibrium, reached from x [m]; `bodies`: their vertices."""
    tools, work = StepTools(system), Work(0, MOST)
    x, k = system.motion.place(x, 0.0), FIRST
    sizes = [float(np.ptp(x[own], axis=0).max()) or 1.0 for own in bodies]
    try:
        for _ in range(STEPS):
            stage = Stage(time=0.0, target=x, positions=(Sample(k * k),), origin=x, start=x)
            try:
                with counted(work):
                    after = tools.for_step().minimise(stage).x
            except OutOfWork:
                break
            except (StageNotConverged, StepRejected):
                if k < FIRST / 16:
                    break
                k /= 4.0
                continue
            moved = max(_strained(after[own] - x[own]) / size for own, size in zip(bodies, sizes, strict=True))
            x = after
            if k >= LAST and moved < STILL:
                break
            k = min(LAST, GROWTH * k)
    finally:
        tools.close()
    return x


def _strained(d: Array) -> float:
    """Largest displacement relative to the mean [m]."""
    return float(np.abs(d - d.mean(axis=0)).max(initial=0.0))
