"""A step made of substeps: several steps of one method, reported as one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from supple.dynamics import ledger
from supple.dynamics.state import State
from supple.dynamics.step import Integrator, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.types import Ints


def take_pieces(
    system: System, method: Integrator, state: State, memory: Memory, lengths: Sequence[float], tools: Tools
) -> tuple[State, Memory, StepReport]:
    """Steps of these lengths [s], one after the other; negative ones go back in time.

    A mean force over substeps of different lengths and directions would not give the work, so the work of the substeps
    is summed instead.
    """
    taken = dissipated = work = 0.0
    notes = []
    for h in lengths:
        new, memory, report = method.step(system, state, memory, h, tools)
        report = ledger.measured(system, state, new, report)
        taken += report.h
        dissipated += report.dissipated or 0.0
        work += report.external_work or 0.0
        notes.append(report.note)
        state = new
    note = "; ".join(filter(None, notes))
    return state, memory, StepReport(taken, dissipated=dissipated, external_work=work, note=note)


def joined(first: StepReport, second: StepReport) -> StepReport:
    """Two steps as one; their energy changes must already be measured."""
    return StepReport(
        first.h + second.h,
        dissipated=(first.dissipated or 0.0) + (second.dissipated or 0.0),
        external_work=(first.external_work or 0.0) + (second.external_work or 0.0),
        contacts=_either(first.contacts, second.contacts),
        self_contacts=_either(first.self_contacts, second.self_contacts),
        collided=first.collided + second.collided,
        timed=None if first.timed is second.timed is None else ledger.added(first.timed or {}, second.timed or {}),
        note="; ".join(filter(None, (first.note, second.note))),
        rejected=first.rejected + second.rejected,
    )


def _either(a: Ints | None, b: Ints | None) -> Ints | None:
    if a is None or b is None:
        return b if a is None else a
    return np.union1d(a, b).astype(np.int32)
