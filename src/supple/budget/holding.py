"""Energy lost in a step, stored by the bodies until they rebound."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from supple.budget.accounts import step_account
from supple.budget.bodies import Bodies, find_bodies
from supple.budget.correction import missing_motion
from supple.budget.options import BudgetOptions
from supple.budget.parts import find_parts
from supple.budget.pushes import Pushes, find_pushes
from supple.budget.rebound import Rebound
from supple.budget.rigid import Rigid
from supple.dynamics import ledger
from supple.dynamics.invariants import kinetic_energy
from supple.dynamics.state import State
from supple.dynamics.step import Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.errors import StepRejected
from supple.types import Array


def with_momenta(
    budget: BudgetOptions, system: System, old: State, new: State, h: float, bodies: Bodies, rigid: Rigid | None
) -> State:
    """The new state with the momenta of free bodies restored."""
    if not (budget.momentum and rigid):
        return new
    shift, velocity = missing_motion(system, bodies, old, new, h, rigid)
    return State(new.t, new.x + budget.restore * shift, new.v + budget.restore * velocity)


def held_back(
    budget: BudgetOptions, system: System, old: State, new: State, memory: Memory, report: StepReport, tools: Tools
) -> tuple[State, Memory, float, StepReport]:
    """Bodies store the energy lost in a step, and release it on rebound."""
    parts, rebound = find_parts(system), Rebound.of(memory)
    pushes = find_pushes(system, parts, old, new, report, rebound.partner)
    touching = np.append(pushes.touching, False)[parts.label]
    bodies = find_bodies(system).without(np.flatnonzero(touching).astype(np.int32))
    rigid = Rigid(bodies, system.mass, new.x) if bodies.count else None
    placed = with_momenta(budget, system, old, new, report.h, bodies, rigid)
    energies, stored = parts.energies(system, placed)
    if not math.isfinite(energies.total):
        raise StepRejected(f"the energy after the step to t = {new.t:g} s is {energies.total}")
    whole = ledger.measured(system, old, new, report)
    account = step_account(system, parts, pushes, (old, new, placed), (report, whole), (stored - rebound.stored)[:, 0])
    lost = -account.booked(_channels(budget, pushes), budget.restore, budget.returned)
    rebound = replace(rebound, stored=stored).holding(parts, pushes, lost)
    mass = parts.mass[:, None]
    centres, velocities = (parts.summed(system.mass[:, None] * field) / mass for field in (placed.x, placed.v))
    change, rebound = rebound.released(parts, pushes, centres, velocities, report.h)
    closed = State(new.t, placed.x, placed.v + parts.at_vertices(change))
    tools.remember(closed, replace(energies, kinetic=kinetic_energy(system, closed.v)))
    given = budget.returned * float(account.taken[pushes.having(parts.free)].sum())
    return closed, rebound.memory, given, replace(whole, held=float(rebound.held.sum()))


def _channels(budget: BudgetOptions, pushes: Pushes) -> Array:
    """(g,) corrected fraction of each group's error."""
    touching, folded = pushes.having(pushes.touching), pushes.having(pushes.folded)
    return np.where(touching, budget.collision, np.where(folded, budget.self_collision, budget.integration))
