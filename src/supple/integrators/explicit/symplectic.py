"""Explicit symplectic methods: symplectic Euler (order 1) and velocity Verlet (order 2). Stable for h omega < 2.

Symplectic Euler: v1 = v0 + h a(x0, v0),  x1 = x0 + h v1
Verlet:           v_half = v0 + h/2 a(x0, v0),  x1 = x0 + h v_half,  v1 = v_half + h/2 a(x1, v_half)
Energy oscillates and does not drift while stable; momenta are exact. With velocity-dependent forces Verlet's second half
needs v1 itself: it is predicted with the force at v_half, which preserves the order.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Annotated

import numpy as np
from annotated_types import Ge, Le

from supple.dynamics.invariants import Energies, kinetic_energy
from supple.dynamics.ledger import measured
from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.energies.samples import one_sample
from supple.integrators import INTEGRATORS
from supple.integrators.explicit.flight import flight
from supple.integrators.method import Method
from supple.integrators.pieces import joined, take_pieces
from supple.types import Array


@INTEGRATORS("symplectic-euler")
@dataclass(frozen=True)
class SymplecticEuler(Method):
    """One force per step, no drift while stable."""

    @property
    def freezes_at(self) -> float | None:
        return None

    @property
    def asks_at_states(self) -> bool:
        return True

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
    """The molecular dynamicist's choice; remembers the acceleration, so it needs one force evaluation per step."""

    substeps: Annotated[int, Ge(1), Le(100_000)] = 1
    """Number of equal Verlet steps that make up one step of the run, each with its impulses and collisions; only the last one is
    recorded. For one solid body, damped by increments or not, they run in a compiled loop."""

    @property
    def freezes_at(self) -> float | None:
        return None

    @property
    def asks_at_states(self) -> bool:
        return True

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

    def advance(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        if self.substeps == 1:
            return super().advance(system, state, memory, h, tools)
        h = h / self.substeps
        if (whole := flight(system)) is not None:
            return whole.taken(state, memory, h, self.substeps)
        one, reports = Verlet(), []
        for _ in range(self.substeps):
            new, memory, report = one.advance(system, state, memory, h, tools)
            reports.append(measured(system, state, new, report))
            state = new
        return state, memory, reduce(joined, reports)

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        if self.substeps > 1:
            return take_pieces(system, Verlet(), state, memory, (h / self.substeps,) * self.substeps, tools)
        half = state.v + h / 2 * memory["a"]
        middle = self.arrived(system, state.t + h, state.x + h * half, half)
        elastic, stored = self._forces(system, middle)
        a1 = self._acceleration(system, middle, elastic)
        new = self.arrived(system, state.t + h, middle.x, half + h / 2 * a1)
        if not system.dissipation.terms:
            tools.remember(new, Energies(kinetic_energy(system, new.v), **stored))
            return new, {"a": a1}, StepReport(h)
        a1 = self._acceleration(system, new, elastic)
        new = self.arrived(system, state.t + h, middle.x, half + h / 2 * a1)
        return new, {"a": self._acceleration(system, new, elastic)}, StepReport(h)

    @staticmethod
    def _forces(system: System, state: State) -> tuple[Array, dict[str, float]]:
        """Forces of the potential, with the energies by ledger column, which the loop need not evaluate again."""
        gradient, stored = np.zeros_like(state.x), {"elastic": 0.0, "gravity": 0.0, "other": 0.0}
        for term, value, part in system.potential.at(state.t).contributions(one_sample(state.x)):
            stored[term.group] += value
            gradient += part
        return system.on_free(-gradient), stored

    @staticmethod
    def _acceleration(system: System, state: State, elastic: Array) -> Array:
        """Acceleration from known forces of the potential."""
        force = elastic
        if system.dissipation.terms:
            force = force - system.on_free(system.dissipation.at(state.x, state.t, state.v).gradient(state.v))
        return force / system.mass[:, None]
