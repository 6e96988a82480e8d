"""Backward Euler, order 1: x1 = argmin 1/2 |x - x0 - h v0|_M^2 + h^2 V(x) + h^3 D((x - x0)/h), v1 = (x1 - x0)/h.

Unconditionally stable, damps every motion with h omega > 0 strongly. With constraints, the minimum is subject to g(x1)
= 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from supple.dynamics.needs import MINIMISED, Need
from supple.dynamics.reactions import Reactions
from supple.dynamics.stage import Stage
from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.integrators import INTEGRATORS
from supple.integrators.method import Method


@INTEGRATORS("backward-euler")
@dataclass(frozen=True)
class BackwardEuler(Method):
    """Robust and cheap, but damps all motion: the method of most engines."""

    @property
    def meets(self) -> frozenset[Need]:
        return MINIMISED | {Need.CONSTRAINTS}

    @property
    def facts(self) -> Facts:
        return Facts(
            order=1,
            solves=1,
            stability="unconditional",
            damping="strong, grows with the step",
            choose="to reach rest quickly; never for undamped motion",
            conserves=("linear momentum",),
        )

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        x0, v0 = state.x, state.v
        solution = tools.minimise(
            Stage.at_end(
                state.t + h, x0, v0, h, x0, x0 + h * v0, Reactions(h * h, x0, "end") if system.constraints else None
            )
        )
        v1 = (solution.x - x0) / h
        new = self.arrived(system, state.t + h, solution.x, v1)
        damping = self.dissipative_force(system, v1)
        return new, memory, StepReport(h, mean_dissipation=damping, reaction=solution.reaction)
