"""Time-reversible step control (Kharevych 2010): the midpoint rule with dt = h sigma at the middle of the step, order 2.

    M u + dt/2 grad W(q) = M v0,  q = x0 + dt u/2,  dt = h sigma(q);   x1 = x0 + dt u,  v1 = 2 u - v0
A step with -h reverses a step with h, so the energy of recurrent motion does not drift although the step length
varies. Control based on the start of the step only lacks this symmetry, and its energy drifts.

Limits: those of the midpoint rule: nonlinear stiff bodies become unstable at large steps. The rule is part of the
equation system; if it changes much within a step there may be no solution, and the loop halves h.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from supple.adaptive.adaptive import Ruled
from supple.adaptive.middle import MiddleEquation
from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.integrators import INTEGRATORS
from supple.integrators.implicit.midpoint import Midpoint
from supple.integrators.method import Method


@INTEGRATORS("adaptive-reversible")
@dataclass(frozen=True)
class AdaptiveReversible(Ruled):
    """The midpoint rule with rule-based step length; time-reversible."""

    plain: ClassVar[Method] = Midpoint()

    @property
    def facts(self) -> Facts:
        return Facts(
            order=2,
            solves=1,
            stability="as for midpoint",
            damping="none; energy does not drift while steps resolve the motion",
            choose="for steps adapted to the motion: the recommended adaptive method",
            conserves=("energy of linear bodies", "linear momentum", "angular momentum"),
            symmetric=not self.adapts,  # it is symmetric, but a composition cannot choose its step lengths
        )

    def follow(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        equation = MiddleEquation(system, state, self.pace(h), float(memory["energy"]))
        x1 = tools.root(equation)
        dt, u, _ = equation.taken(x1)
        new = self.arrived(system, state.t + dt, x1, 2 * u - state.v)
        return new, memory, StepReport(dt, mean_dissipation=self.dissipative_force(system, u))
