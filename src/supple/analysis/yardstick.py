"""Error measures of a run: the reference end state, and the scales of its errors.

error_x = max |x - x_ref| [m] and error_v = max |v - v_ref| [m/s] over vertices and axes. They include high frequencies,
whether visible or not. error_modes includes only the lowest vibration modes X (X^T M X = I): the root mean square
of their part of the displacement, |X^T M (x - x_ref)| / sqrt(total mass) [m]. They are the modes about the start or, if the
motion hardly excites those (a flat sheet has no stiffness across its plane), about the reference's end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from supple.analysis.spectrum import spectrum
from supple.dynamics.invariants import energies
from supple.dynamics.ledger import Ledger
from supple.dynamics.state import State
from supple.dynamics.step import StepReport
from supple.dynamics.system import System
from supple.types import Array

ASKED = (24, 96, 240)
"""Modes computed until enough of them have a stiffness: flat sheets have one zero mode per vertex."""
SHARE = 0.01
"""Smallest fraction of the motion in the lowest modes for their errors to be meaningful."""


@dataclass(frozen=True)
class Yardstick:
    """A reference state, and the scales of errors."""

    end: State
    size: float
    """Extent of the body together with its motion [m]."""
    energy: float
    """Energy in play [J]."""
    modes: Array
    """(s, n, 3) lowest vibration modes, multiplied by the mass and divided by the root of the total mass [-]; empty if
    none were requested, or the motion does not excite them."""

    def errors(self, state: State) -> tuple[float, float, float]:
        """Errors of positions [m], of velocities [m/s] and of the lowest modes [m]; NaN without modes."""
        d = state.x - self.end.x
        low = _amplitude(self.modes, d) if len(self.modes) else math.nan
        return float(np.abs(d).max()), float(np.abs(state.v - self.end.v).max()), low


def yardstick(system: System, start: State, end: State, modes: int = 0) -> Yardstick:
    """The yardstick of runs from `start` that should reach `end`; with the errors of `modes` vibration modes."""
    size = float(np.ptp(np.concatenate([start.x, end.x]), axis=0).max())
    play = max(energies(system, state).scale for state in (start, end))
    return Yardstick(end, size, play or 1.0, _moved(system, start, end, modes))


def _moved(system: System, start: State, end: State, count: int) -> Array:
    """Functions of the displacement, one for each of the lowest modes excited by the motion."""
    mass, d = system.on_free(system.mass[:, None]), end.x - start.x
    whole = math.sqrt(float(mass[:, 0].sum()))
    moved = math.sqrt(float((mass * d * d).sum()))
    for x in (start.x, end.x) if count and moved > 0.0 else ():
        modes = mass * vibrations(system, x, count) / whole
        if _amplitude(modes, d) * whole >= SHARE * moved:
            return modes
    return np.empty((0, system.n, 3))


def _amplitude(modes: Array, d: Array) -> float:
    return float(np.linalg.norm(np.tensordot(modes, d, axes=2)))


def vibrations(system: System, x: Array, count: int) -> Array:
    """(s, n, 3) the lowest modes with a stiffness about x, at most `count`; none if the body has none."""
    unknowns = system.pattern.unknowns
    stiff = np.empty((0, system.n, 3))
    for asked in ASKED if unknowns else ():
        found = spectrum(system, x, min(asked, unknowns))
        stiff = found.modes.vectors[~(found.is_zero | found.is_unstable)][:count]
        if len(stiff) == count or asked >= unknowns:
            break
    return stiff


class Drift:
    """Tracks the energy created or lost by the numerics of one run."""

    def __init__(self, system: System, start: State) -> None:
        self.system = system
        now = energies(system, start)
        self.ledger = Ledger(now, now.total)
        self.largest = 0.0
        """Largest magnitude of the energy residual so far [J]."""

    def book(self, old: State, new: State, report: StepReport) -> None:
        """One more step."""
        self.ledger = self.ledger.after(self.system, old, new, report, energies(self.system, new))
        self.largest = max(self.largest, abs(self.ledger.residual))
