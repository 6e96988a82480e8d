"""Explicit symplectic methods: symplectic Euler (order 1) and velocity Verlet (order 2). Stable for h omega < 2.

Symplectic Euler: v1 = v0 + h a(x0, v0),  x1 = x0 + h v1
Verlet:           v_half = v0 + h/2 a(x0, v0),  x1 = x0 + h v_half,  v1 = v_half + h/2 a(x1, v_half)
Energy oscillates and does not drift while stable; momenta are exact. Velocity-dependent forces in Verlet's second half
see the half-step velocity, which costs one order if there are any.
"""

from __future__ import annotations

from dataclasses import dataclass

from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.integrators import INTEGRATORS
from supple.integrators.method import Method


@INTEGRATORS("symplectic-euler")
@dataclass(frozen=True)
class SymplecticEuler(Method):
    """One force a step, no drift while stable."""

    @property
    def facts(self) -> Facts:
        return Facts(
            1,
            0,
            "h omega < 2",
            "none: energy oscillates",
            "for cheap motion of soft bodies at small steps",
            ("linear momentum", "angular momentum"),
        )

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        v1 = state.v + h * system.acceleration(state)
        return self.arrived(system, state.t + h, state.x + h * v1, v1), memory, StepReport(h)


@INTEGRATORS("verlet")
@dataclass(frozen=True)
class Verlet(Method):
    """The molecular dynamicist's choice; remembers the acceleration, so that it needs one force a step."""

    @property
    def facts(self) -> Facts:
        return Facts(
            2,
            0,
            "h omega < 2",
            "none: energy oscillates",
            "for long runs of soft bodies at small steps",
            ("linear momentum", "angular momentum"),
            symmetric=True,
        )

    def start(self, system: System, state: State) -> Memory:
        return {"a": system.acceleration(state)}

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        half = state.v + h / 2 * memory["a"]
        middle = self.arrived(system, state.t + h, state.x + h * half, half)
        a1 = system.acceleration(middle)
        return self.arrived(system, state.t + h, middle.x, half + h / 2 * a1), {"a": a1}, StepReport(h)
