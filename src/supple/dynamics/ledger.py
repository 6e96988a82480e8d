"""The energy ledger: what a system has, what was asked to dissipate, what scripts brought in, what numerics made or lost.

total + dissipated - external work - total at the start = residue
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.dynamics.invariants import Energies
from supple.dynamics.path import Path
from supple.dynamics.state import State
from supple.dynamics.step import StepReport
from supple.dynamics.system import System
from supple.linalg.quadrature import lobatto
from supple.linalg.reduce import dot


@dataclass(frozen=True)
class Ledger:
    """Energies now [J], and the running sums since the start."""

    energies: Energies
    initial: float
    dissipated: float = 0.0
    external_work: float = 0.0

    @property
    def residue(self) -> float:
        """Energy that the numerics made (positive) or lost."""
        return self.energies.total + self.dissipated - self.external_work - self.initial

    def after(self, system: System, old: State, new: State, report: StepReport, energies: Energies) -> Ledger:
        """The ledger one step later."""
        return Ledger(
            energies,
            self.initial,
            self.dissipated + dissipated(system, old, new, report),
            self.external_work + scripted_work(system, old, new, report),
        )


def dissipated(system: System, old: State, new: State, report: StepReport) -> float:
    """Energy that the dissipative forces took in one step [J]."""
    if report.dissipated is not None:
        return report.dissipated
    if not system.dissipation.terms:
        return 0.0
    mean = report.mean_dissipation
    if mean is None:
        both = (system.dissipation.at(state.x, state.t).gradient(state.v) for state in (old, new))
        mean = 0.5 * sum(both, np.zeros_like(old.v))
    return dot(new.x[system.free] - old.x[system.free], mean[system.free])


def scripted_work(system: System, old: State, new: State, report: StepReport) -> float:
    """Work of the hands that move the scripted vertices: they balance the body's force there [J]."""
    if report.external_work is not None:
        return report.external_work
    if not system.motion.moves:
        return 0.0
    # without the method's own mean: Simpson's rule, exact for quartic energies
    mean = (
        report.mean_gradient
        if report.mean_gradient is not None
        else Path(system.potential, old.x, lobatto(3)).mean_gradient(new.x)
    )
    held = system.motion.held(system.n)
    return dot(new.x[held] - old.x[held], mean[held])
