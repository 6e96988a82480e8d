"""Energy balance of one step, by groups of touching parts; within a group energy may pass from part to part.

Stationary scenery does no work, so every energy loss of a group is due to dissipation, collisions or the integrator.
Energies that a step reports only as a total are distributed by mass; the work of scripts and wind goes to the groups
in contact, if any.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.budget.parts import Parts
from supple.budget.pushes import Pushes
from supple.dynamics import ledger
from supple.dynamics.state import State
from supple.dynamics.step import StepReport
from supple.dynamics.system import System
from supple.types import Array


@dataclass(frozen=True)
class StepAccount:
    """Energy changes of groups in one step (g,) [J]."""

    gained: Array
    """By the step itself."""
    turned: Array
    """By restoring momenta after the step."""
    work: Array
    """From outside."""
    taken: Array
    """By requested dissipation."""

    def booked(self, channel: Array, restore: float, returned: float) -> Array:
        """(g,) excess energy, negative for a deficit; channel (g,): fraction of the error that is corrected."""
        numerical = restore * (self.gained - self.work + self.taken) + self.turned
        return channel * numerical - returned * self.taken


def step_account(
    system: System,
    parts: Parts,
    pushes: Pushes,
    states: tuple[State, State, State],
    reports: tuple[StepReport, StepReport],
    stored: Array,
) -> StepAccount:
    """The account of a step.

    states: before the step, after it, and with momenta restored; reports: as returned by the step, and with measured
    energies; stored (p,): changes of the potential energies [J].
    """
    old, new, _ = states
    given, whole = reports
    before, reached, after = (parts.kinetic(system, state.v) for state in states)
    taken, work = (parts.summed(values) for values in ledger.by_vertex(system, old, new, given))
    touching = np.where(pushes.touching, parts.mass, 0.0)
    pressed = touching if touching.any() else parts.mass
    taken += _share(parts.mass, (whole.dissipated or 0.0) - taken.sum())
    work += _share(pressed, (whole.external_work or 0.0) - work.sum())
    columns = (reached - before + stored, after - reached, work, taken)
    return StepAccount(*(pushes.summed(column) for column in columns))


def _share(weight: Array, energy: float) -> Array:
    return energy * weight / weight.sum()
