"""An explicit step through the engine's general stage, in stable substeps: for gradients without kernels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from supple.dynamics.state import State
from supple.dynamics.step import GridParts, StepReport, Tools
from supple.dynamics.system import System
from supple.integrators.method import Method
from supple.integrators.points.grid_step import Around, grid_step
from supple.integrators.points.riders import bound_of_rates
from supple.points.limit import Limit, fastest_particle, fastest_wave
from supple.points.matter import Matter


def cut_step(
    system: System, of: Method, state: State, matter: Matter, h: float, around: Around, limit: Limit, tools: Tools
) -> tuple[State, Matter, StepReport]:
    """Particles and the report after a step of h [s]."""
    parts, dissipated, work, touching, left, taken = GridParts(), 0.0, 0.0, [], h, 0
    start, limit = state.t, replace(limit, rate=bound_of_rates(system, state.x))
    while left > 0.0:
        count = limit.pieces(left, taken, fastest_wave(system.clouds, system.mass, matter), fastest_particle(state.v))
        piece = left / count
        state, matter, _, report = grid_step(system, of, state, matter, {}, piece, around, tools)
        parts += report.grid or GridParts()
        dissipated, work = dissipated + (report.dissipated or 0.0), work + (report.external_work or 0.0)
        touching += [report.contacts] if report.contacts is not None else []
        taken, left = taken + 1, left - piece if count > 1 else 0.0
    contacts = np.unique(np.concatenate(touching)).astype(np.int32) if touching else None
    report = StepReport(
        h, dissipated=dissipated, external_work=work, collided=parts.collided, grid=parts, contacts=contacts
    )
    return State(start + h, state.x, state.v), matter, report
