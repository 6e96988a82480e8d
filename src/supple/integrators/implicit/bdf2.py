"""BDF2 with variable steps, order 2. r = h / previous h:

    X = ((1 + r)^2 x0 - r^2 x_-1)/(1 + 2r), V in the same way, k = h (1 + r)/(1 + 2r)
    x1 = argmin 1/2 |x - (X + k V)|_M^2 + k^2 V(x),  v1 = (x1 - X)/k
The first step is TR-BDF2, or backward Euler. In the first stage of TR-BDF2 a velocity that decays at a rate d changes sign if
d h > 4, which a dissipation defined for positive velocities only does not permit. Damps less than backward Euler, but stiff
motion strongly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from supple.dynamics.needs import MINIMISED, Need
from supple.dynamics.stage import Stage
from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.integrators import INTEGRATORS
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.integrators.implicit.tr_bdf2 import TRBDF2
from supple.integrators.method import TwoStep


@INTEGRATORS("bdf2")
@dataclass(frozen=True)
class BDF2(TwoStep):
    """One solve per step, second order, strong damping of stiff motion."""

    first: Literal["tr-bdf2", "backward-euler"] = "tr-bdf2"
    """Method of the first step: the accurate one, or the one that preserves positivity."""

    @property
    def meets(self) -> frozenset[Need]:
        return MINIMISED

    @property
    def facts(self) -> Facts:
        return Facts(
            order=2,
            solves=1,
            stability="unconditional (L-stable)",
            damping="moderate, grows with the step",
            choose="for calm motion at the cost of one solve",
            conserves=("linear momentum",),
        )

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        x0, v0 = state.x, state.v
        now = {"x": x0, "v": v0, "h": np.array(h)}
        if not memory:
            method = TRBDF2() if self.first == "tr-bdf2" else BackwardEuler()
            new, _, report = method.step(system, state, memory, h, tools)
            return new, now, report
        r = h / float(memory["h"])
        new_weight, old_weight = (1 + r) ** 2 / (1 + 2 * r), r * r / (1 + 2 * r)
        X = new_weight * x0 - old_weight * memory["x"]
        V = new_weight * v0 - old_weight * memory["v"]
        k = h * (1 + r) / (1 + 2 * r)
        x1 = tools.minimise(Stage.at_end(state.t + h, X, V, k, x0, x0 + h * v0)).x
        return self.arrived(system, state.t + h, x1, (x1 - X) / k), now, StepReport(h)
