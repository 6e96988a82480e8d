"""Kinematic collisions at the end of a step: positions and velocities are changed, and what that does to the energy is reported.

E after - E before = collided - what friction took. Prescribed vertices stay as they are. `collided` is no measure of what an
impact cost: part of it undoes what the step did when it let vertices fall through the obstacle. Only the whole step shows it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from supple.dynamics.state import State
from supple.dynamics.system import System

if TYPE_CHECKING:
    from supple.dynamics.step import StepReport, Tools


def collide(system: System, old: State, new: State, report: StepReport, tools: Tools) -> tuple[State, StepReport]:
    """The state after all projections of a system, `new` itself if nothing was touched, and the step's report."""
    x, v, taken = new.x, new.v, 0.0
    touched = np.zeros(system.n, dtype=bool)
    for projection in system.projections:
        put = projection.project(old.x, x, v)
        x, v = x + system.on_free(put.x - x), v + system.on_free(put.v - v)
        taken += 0.5 * float(system.mass[system.free] @ put.rubbed[system.free])
        touched[put.touched] = True
    touched[system.motion.held(system.n)] = False
    if not touched.any():
        return new, report
    if report.contacts is not None:
        touched[report.contacts] = True
    after = State(new.t, x, v)
    before = tools.energies(new).total
    return after, replace(
        report,
        contacts=np.flatnonzero(touched).astype(np.int32),
        taken_after=(*report.taken_after, taken),
        collided=tools.energies(after).total - before + taken,
    )
