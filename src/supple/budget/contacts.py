"""Vertices in contact at the end of a step: the budget counts such steps as collisions and does not correct them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from supple.budget.bodies import Bodies
from supple.dynamics.step import StepReport
from supple.dynamics.system import System
from supple.types import Array, Ints


def with_contacts(system: System, bodies: Bodies, x: Array, report: StepReport) -> StepReport:
    """The report with the contacts of the system's contact terms, unless the step has reported contacts itself."""
    if report.contacts is not None or report.self_contacts is not None:
        return report
    others: list[Ints] = []
    same: list[Ints] = []
    for term in system.potential.roles.contacts:
        for touch in term.touches(x):
            active = touch.force > 0.0
            pressed = touch.corners[active]
            labels = bodies.label[pressed]
            alone = touch.two_sided[active] & (labels >= 0).all(axis=1) & (labels == labels[:, :1]).all(axis=1)
            others.append(pressed[~alone].ravel())
            same.append(pressed[alone].ravel())
    return replace(report, contacts=_joined(others), self_contacts=_joined(same))


def _joined(found: list[Ints]) -> Ints | None:
    vertices = np.unique(np.concatenate(found)) if found else np.empty(0, np.int32)
    return vertices.astype(np.int32) if len(vertices) else None
