"""Semi-implicit Newmark (after Bridson, Marino and Fedkiw 2003): elastic forces explicit, damping by linear solves.

    (M + h/2 D0)(w - v0)      = h/2 (f(x0) - D'(v0))          velocity of the displacement, damping implicit
    x1 = x0 + h w                                             with collisions: obstacles change w before positions move
    v_half = v0 + h/2 M^-1 (f(x0) - D'(v0)) + change of w by collisions
    (M + h/2 D1)(v1 - v_half) = h/2 (f(x1) - D'(v_half))      damping implicit again
D0, D1: Hessians of the dissipation at both ends. Where damping is linear and constant, one factorisation serves both.
Without damping this is Verlet. Damping does not limit the step; elastic forces do: h omega < 2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from supple.contact.obstacles.projection import Projection
from supple.dynamics.contact.collision import projected
from supple.dynamics.needs import SMOOTH, Need
from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, Solve, StepReport, Tools
from supple.dynamics.system import System
from supple.energies.samples import one_sample
from supple.integrators import INTEGRATORS
from supple.integrators.method import Method
from supple.types import Array

LINEAR = 2
"""Degree of a dissipation potential whose forces are linear in the velocities."""


@INTEGRATORS("semi-implicit-newmark")
@dataclass(frozen=True)
class SemiImplicitNewmark(Method):
    """Explicit elasticity, implicit damping, collisions within the step: the basic scheme of many cloth and flesh simulators."""

    collides: ClassVar[bool] = True

    @property
    def freezes_at(self) -> float | None:
        return None

    @property
    def asks_at_states(self) -> bool:
        return True

    @property
    def meets(self) -> frozenset[Need]:
        return SMOOTH

    @property
    def facts(self) -> Facts:
        return Facts(
            2,
            0,
            "h omega < 2, independent of damping",
            "none: energy oscillates",
            "for strongly damped soft bodies at small steps",
            ("linear momentum", "angular momentum"),
        )

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        mass = system.mass[:, None]
        force, factored = system.force(state), _damped(system, state, h, tools)
        way = state.v + factored(0.5 * h * force)
        moved = self.arrived(system, state.t + h, state.x + h * way, way)
        landed, report = _collided(system, state, moved, h)
        half = state.v + 0.5 * h * force / mass + system.on_free(landed.v - moved.v)
        middle = self.arrived(system, landed.t, landed.x, half)
        if not _same_everywhere(system):
            factored = _damped(system, middle, h, tools)
        v1 = middle.v + factored(0.5 * h * system.force(middle))
        v1, report = _parted(system, report, landed, v1)
        if system.dissipation.terms:
            potential = -system.potential.at(state.t).gradient(state.x)
            resisted = system.on_free(potential) - 2.0 / h * mass * system.on_free(way - state.v)
            report = replace(report, mean_dissipation=resisted)
        return self.arrived(system, landed.t, landed.x, v1), memory, report


def _same_everywhere(system: System) -> bool:
    """Whether the Hessian of the dissipation is constant."""
    if not system.dissipation.terms:
        return True
    return not system.dissipation.changes and (system.dissipation.frozen.degree or LINEAR + 1) <= LINEAR


def _damped(system: System, state: State, h: float, tools: Tools) -> Solve:
    """(M + h/2 D'')^-1 at a state."""
    if not system.dissipation.terms:
        return lambda r: system.on_free(r / system.mass[:, None])
    values = np.zeros(system.pattern.nnz)
    system.dissipation.at(state.x, state.t, state.v).add_hessian(one_sample(state.v), values, project=True)
    values *= 0.5 * h
    values[system.pattern.diagonal] += system.unknown_mass
    return tools.factor(values)


def _collided(system: System, old: State, new: State, h: float) -> tuple[State, StepReport]:
    """End positions of vertices that would end inside obstacles, their remaining velocities, and the report so far."""
    put = projected(system, old, new)
    report = StepReport(h)
    if put.touched.any():
        contacts = np.flatnonzero(put.touched).astype(np.int32)
        report = StepReport(h, contacts=contacts, taken_after=(put.taken,), worked_after=put.work)
    return put.state, report


def _parted(system: System, report: StepReport, state: State, v: Array) -> tuple[Array, StepReport]:
    """Velocities of vertices on obstacles without the inward part, and the report with the work of moving obstacles."""
    for projection in system.projections:
        if isinstance(projection, Projection) and report.contacts is not None:
            parted, driven = projection.parted(state.x, v, report.contacts, state.t)
            v = v + system.on_free(parted - v)
            work = float(system.mass[system.free] @ driven[system.free])
            report = replace(report, worked_after=report.worked_after + work)
    return v, report
