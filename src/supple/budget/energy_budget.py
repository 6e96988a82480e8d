"""The energy budget (after Su, Sheth and Fedkiw 2013): closes the energy balance of any integrator, step by step.

After every step:
    momentum  v <- v - v_rig(v) + v_rig(P, L) of each free body, P and L being the old momenta plus external impulses
              (under gravity its centre of mass is also moved back to its parabola)
    ledger    R <- R + f (E1 - E0 - work of scripts + dissipated) - f_d dissipated + energy change of the line above
    energy    v <- v + s M^-1 f,  (Q/2) s^2 + P s + R = 0,  P = v . f,  Q = f . M^-1 f
with f the elastic force for a deficit (R < 0) and a torque-free viscous force for an excess; or f = M v without the
rigid motion of free bodies (`along = "motion"`). Energy that velocities along f cannot absorb stays in R for later
steps. Prescribed vertices and vertices in contact are not corrected. With `release = "rebound"` the last line is
replaced: each body stores the energy until something pushes it (rebound.py).

Limits: one ledger for the whole system, so energy lost by one body may return in another. The distribution of energy
is not corrected: high frequencies damped by backward Euler do not return. Velocities cannot remove the potential
energy that an explicit method accumulates beyond its stability limit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from supple.budget.bodies import find_bodies
from supple.budget.contacts import with_contacts
from supple.budget.correction import direction, energies_and_force
from supple.budget.holding import held_back, with_momenta
from supple.budget.options import BudgetOptions
from supple.budget.parts import find_parts
from supple.budget.quadratic import stride
from supple.budget.rebound import Rebound
from supple.budget.rigid import Rigid
from supple.budget.viscous import viscous_force
from supple.dynamics import ledger
from supple.dynamics.invariants import Energies, kinetic_energy
from supple.dynamics.state import State
from supple.dynamics.step import Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.errors import StepRejected
from supple.integrators.wrapper import inside, outside
from supple.linalg.reduce import dot
from supple.types import Array

FAINT = 1e-12
"""Fraction of the kinetic energy below which the work of a force per step is too small for a correction."""
TURNING = 2.0
"""Steps within which the elastic force reverses a motion that counts as being at its turning point."""
TELL = 1e-3
"""Fraction of the energy that may be carried over without a note."""


@dataclass(frozen=True)
class EnergyBudget(BudgetOptions):
    """Any integrator, with its errors in energy and momentum corrected."""

    name: ClassVar[str] = "energy-budget"
    table_key: ClassVar[str] = "budget"

    def promises(self, system: System) -> float | None:
        return None  # energy that velocities cannot absorb is carried over to later steps

    def start(self, system: System, state: State) -> Memory:
        inner = self.of.start(system, state)
        if self.release == "motion":
            return _kept(inner, 0.0, 0.0)
        _, stored = find_parts(system).energies(system, state)
        return Rebound.begin(stored).memory | outside(inner)

    def restarted(self, system: System, state: State, memory: Memory) -> Memory:
        held = {key: memory[key] for key in ("rebound.held",) if key in memory}
        return self.start(system, state) | held

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        new, inner, report = self.of.step(system, state, inside(memory), h, tools)
        return self._after(system, state, new, memory, inner, report, tools)

    def advance(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        new, inner, report = self.of.advance(system, state, inside(memory), h, tools)
        return self._after(system, state, new, memory, inner, report, tools)

    def _after(
        self, system: System, old: State, new: State, memory: Memory, inner: Memory, report: StepReport, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        """The step with its energy balance closed, or with its energy loss stored."""
        report = with_contacts(system, find_bodies(system), new.x, report)
        if self.release == "motion":
            closed, own, given, report = self._closed(system, old, new, memory, report, tools)
        else:
            closed, own, given, report = held_back(self, system, old, new, memory, report, tools)
        # returned energy of requested dissipation counts as external work: the ledger closes and shows both
        report = replace(report, external_work=(report.external_work or 0.0) + given)
        return closed, own | outside(self.of.kicked(inner, closed.v - new.v)), report

    def _closed(
        self, system: System, old: State, new: State, memory: Memory, report: StepReport, tools: Tools
    ) -> tuple[State, Memory, float, StepReport]:
        """The step with its energy balance closed."""
        bodies = find_bodies(system).without(report.contacts)
        rigid = Rigid(bodies, system.mass, new.x) if bodies.count else None
        placed = with_momenta(self, system, old, new, report.h, bodies, rigid)
        x, v = placed.x, placed.v
        before, (after, force) = tools.energies(old), energies_and_force(system, placed)
        if not math.isfinite(after.total):
            raise StepRejected(f"the energy after the step to t = {new.t:g} s is {after.total}")
        report = ledger.measured(system, old, new, report)  # of the step itself, before the correction
        turned = after.kinetic - kinetic_energy(system, new.v)
        owed = float(memory["owed"]) + self._booked(after.total - turned - before.total, turned, report)
        if self.along == "motion":
            force = system.mass[:, None] * v / report.h
        elif owed > 0.0:
            force = viscous_force(system, x, v)
        v = v + self._correction(system, v, direction(system, x, force, report, rigid), owed, report.h)
        closed = State(new.t, x, v)
        energies = replace(after, kinetic=kinetic_energy(system, v))
        tools.remember(closed, energies)
        # the actual change, so round-off is carried over too and never accumulates
        owed += energies.kinetic - after.kinetic
        told, note = _told(owed, float(memory["told"]), energies)
        report = replace(report, note="; ".join(filter(None, (report.note, note))))
        given = self.returned * (report.dissipated or 0.0)
        return closed, {"owed": np.array(owed), "told": np.array(told)}, given, report

    def _booked(self, gained: float, turned: float, report: StepReport) -> float:
        """Ledger entry of a step, from the method's energy gain and the energy `turned` of the momentum correction [J]."""
        work, taken = report.external_work or 0.0, report.dissipated or 0.0
        numerical = self.restore * (gained - work + taken) + turned
        return self._channel(report) * numerical - self.returned * taken

    def _channel(self, report: StepReport) -> float:
        """Corrected fraction of the step's error; contact determines it, since a step has only one error."""
        if report.contacts is not None and len(report.contacts):
            return self.collision
        if report.self_contacts is not None and len(report.self_contacts):
            return self.self_collision
        return self.integration

    def _correction(self, system: System, v: Array, d: Array, owed: float, h: float) -> Array:
        """s d, or zero if d is not a usable direction."""
        weighted = system.mass[:, None] * d
        kinetic, P, Q = kinetic_energy(system, v), dot(v, weighted), dot(d, weighted)
        if not Q * h * h > FAINT * kinetic:
            return np.zeros_like(d)
        s = stride(P, Q, owed, TURNING * h)
        if self.cap is not None:
            most = self.cap * math.sqrt(2.0 * kinetic / Q)
            s = min(max(s, -most), most)
        return s * d


def _told(owed: float, told: float, energies: Energies) -> tuple[float, str]:
    """Note on the energy carried over, when it becomes significant and whenever it has doubled."""
    share = abs(owed) / energies.scale if energies.scale > 0.0 else 0.0
    if share < TELL:
        return 0.0, ""
    if abs(owed) < 2.0 * told:
        return told, ""
    what = "in excess and cannot be removed" if owed > 0.0 else "missing and cannot be restored"
    note = f"energy budget: {abs(owed):.2g} J ({share:.1%} of the energy) are {what} through the velocities"
    return abs(owed), f"{note} of this step; they are carried over: take a smaller time.step"


def _kept(inner: Memory, owed: float, told: float) -> Memory:
    return {"owed": np.array(owed), "told": np.array(told), **outside(inner)}
