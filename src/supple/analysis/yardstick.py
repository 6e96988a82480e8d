"""What a run is measured by: the state where it should end, and the scales of its errors.

error_x = max |x - x_ref| [m] and error_v = max |v - v_ref| [m/s] over vertices and axes. They see the high frequencies,
whether anyone else does or not. error_modes sees the lowest vibration modes X alone (X^T M X = I): the root mean square
of their part of the displacement, |X^T M (x - x_ref)| / sqrt(total mass) [m]. They are the modes about the start or, if the
motion has next to no part in those (a flat sheet has no stiffness across its plane), about the reference's end.
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
"""Modes computed until enough of them have a stiffness: flat sheets have one without for every vertex."""
SHARE = 0.01
"""Part of the motion that must lie in the lowest modes, or their errors say nothing about it."""


@dataclass(frozen=True)
class Yardstick:
    """A reference, and what errors are relative to."""

    end: State
    size: float
    """Extent of the body together with its motion [m]."""
    energy: float
    """Energy in play [J]."""
    modes: Array
    """(s, n, 3) lowest vibration modes, multiplied by the mass and divided by the root of the total mass [-]; empty if
    none were asked for, or the motion has no part in them."""

    def errors(self, state: State) -> tuple[float, float, float]:
        """Errors of positions [m], of velocities [m/s] and of the lowest modes [m]; NaN without modes."""
        d = state.x - self.end.x
        low = _amplitude(self.modes, d) if len(self.modes) else math.nan
        return float(np.abs(d).max()), float(np.abs(state.v - self.end.v).max()), low


def yardstick(system: System, start: State, end: State, modes: int = 0) -> Yardstick:
    """The yardstick of runs from `start` that should reach `end`; with the errors of so many vibration modes."""
    size = float(np.ptp(np.concatenate([start.x, end.x]), axis=0).max())
    play = max(energies(system, state).scale for state in (start, end))
    return Yardstick(end, size, play or 1.0, _moved(system, start, end, modes))


def _moved(system: System, start: State, end: State, count: int) -> Array:
    """Functions of the displacement, one for each of the lowest modes that the motion has a part in."""
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
    """Follows the energy that the numerics of one run make or lose."""

    def __init__(self, system: System, start: State) -> None:
        self.system = system
        now = energies(system, start)
        self.ledger = Ledger(now, now.total)
        self.largest = 0.0
        """Largest size of the ledger's residue so far [J]."""

    def book(self, old: State, new: State, report: StepReport) -> None:
        """One more step."""
        self.ledger = self.ledger.after(self.system, old, new, report, energies(self.system, new))
        self.largest = max(self.largest, abs(self.ledger.residue))
