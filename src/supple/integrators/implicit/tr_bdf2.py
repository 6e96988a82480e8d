"""TR-BDF2 and SDIRK: a trapezoidal stage over a fraction g of the step, then a BDF2 stage over all of it. Order 2.

    t = g h/2:  xg = argmin 1/2 |x - (x0 + 2t v0 + t^2 a0)|_M^2 + t^2 V(x),  vg = (xg - x0)/t - v0
    w = 1/(g (2 - g)),  X = x0 + w (xg - x0),  V likewise,  k = h (1 - g)/(2 - g)
    x1 = argmin 1/2 |x - (X + k V)|_M^2 + k^2 V(x),  v1 = (x1 - X)/k
g = 1/2: TR-BDF2, which is Bathe's composite method. g = 2 - sqrt(2): both stages share k, the L-stable SDIRK of order 2.
Stiff motion is damped; on strongly nonlinear bodies the energy may rise for a while.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from supple.dynamics.needs import MINIMISED, Need
from supple.dynamics.stage import Sample, Stage
from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.integrators import INTEGRATORS
from supple.integrators.method import Method


@INTEGRATORS("tr-bdf2")
@dataclass(frozen=True)
class TrBdf2(Method):
    """Accurate and L-stable at the price of two solves."""

    fraction: ClassVar[float] = 0.5

    @property
    def meets(self) -> frozenset[Need]:
        return MINIMISED

    @property
    def facts(self) -> Facts:
        return Facts(
            order=2,
            solves=2,
            stability="unconditional (L-stable)",
            damping="of high frequencies, little of what the step resolves",
            choose="for accurate, calm motion without chosen damping",
            conserves=("linear momentum",),
        )

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        x0, v0, g = state.x, state.v, self.fraction
        t = g * h / 2
        xg = tools.minimise(
            Stage(
                time=state.t + g * h,
                target=x0 + 2 * t * v0 + t * t * system.acceleration(state),
                positions=(Sample(t * t),),
                velocities=(Sample(t * t, 1 / t, -x0 / t - v0),),
                origin=x0,
                start=x0 + 2 * t * v0,
            )
        )
        vg = (xg - x0) / t - v0
        w, k = 1 / (g * (2 - g)), h * (1 - g) / (2 - g)
        X, V = x0 + w * (xg - x0), v0 + w * (vg - v0)
        x1 = tools.minimise(
            Stage(
                time=state.t + h,
                target=X + k * V,
                positions=(Sample(k * k),),
                velocities=(Sample(k * k, 1 / k, -X / k),),
                origin=xg,
                start=xg + (1 - g) * h * vg,
            )
        )
        return self.arrived(system, state.t + h, x1, (x1 - X) / k), memory, StepReport(h)


@INTEGRATORS("bathe")
@dataclass(frozen=True)
class Bathe(TrBdf2):
    """The structural engineer's name for TR-BDF2."""


@INTEGRATORS("sdirk")
@dataclass(frozen=True)
class Sdirk(TrBdf2):
    """Two stages with the same matrix."""

    fraction: ClassVar[float] = 2 - math.sqrt(2)
