"""Kinematic collisions at the end of a step: positions and velocities are changed, and the energy change is reported.

E after - E before = collided - energy dissipated by friction + work of moving shapes. Prescribed vertices do not
change. `collided` does not measure the energy lost in an impact: part of it reverses the energy change of vertices
that fell through the obstacle during the step. Only the energy balance of the whole step shows the loss.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from supple.dynamics.contact.rejoin import rejoined
from supple.dynamics.state import State
from supple.dynamics.system import System

if TYPE_CHECKING:
    from supple.dynamics.step import StepReport, Tools


def collide(system: System, old: State, new: State, report: StepReport, tools: Tools) -> tuple[State, StepReport]:
    """The state after all projections of a system, `new` itself without contact, and the step's report."""
    if not system.projections:
        return new, report
    put = projected(system, old, new)
    if not put.touched.any():
        return new, report
    touched = put.touched.copy()
    if report.contacts is not None:
        touched[report.contacts] = True
    before = tools.energies(new).total
    return put.state, replace(
        report,
        contacts=np.flatnonzero(touched).astype(np.int32),
        taken_after=(*report.taken_after, put.taken),
        collided=tools.energies(put.state).total - before + put.taken - put.work,
        worked_after=report.worked_after + put.work,
    )


@dataclass(frozen=True)
class Landing:
    """A state after all projections, and their effect."""

    state: State
    touched: npt.NDArray[np.bool_]
    """(n,) free vertices that collided."""
    taken: float
    """Energy dissipated by friction [J]."""
    work: float
    """Work of moving shapes [J]."""


def projected(system: System, old: State, new: State) -> Landing:
    """Projected positions of vertices that would end inside obstacles, and their remaining velocities."""
    x, v, taken, work = new.x, new.v, 0.0, 0.0
    touched = np.zeros(system.n, dtype=bool)
    for projection in system.projections:
        put = projection.project(old.x, x, v, old.t, new.t)
        x, v = x + system.on_free(put.x - x), v + system.on_free(put.v - v)
        taken += 0.5 * float(system.mass[system.free] @ put.rubbed[system.free])
        work += float(system.mass[system.free] @ put.driven[system.free])
        touched[put.touched] = True
    touched[system.motion.held(system.n)] = False
    if len(system.constraints) and touched.any():
        x, v = rejoined(system, x, v, np.flatnonzero(touched).astype(np.int32), new.t)
    return Landing(State(new.t, x, v), touched, taken, work)
