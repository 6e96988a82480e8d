"""The vibration spectrum of a body: the lowest eigenvalues of K x = lambda M x [1/s^2] and their frequencies.

f = sqrt(lambda) / (2 pi) [Hz]. A free body has six modes without stiffness; their computed values are round-off
of K, which the largest diagonal entry of M^-1 K measures.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.dynamics.linear.linearised import Linearised
from supple.dynamics.linear.modes import Modes
from supple.dynamics.state import State
from supple.dynamics.system import System
from supple.solvers.modes import lowest_modes
from supple.solvers.options import Backend
from supple.types import Array

NOISE = 1e-12
"""Size of an eigenvalue that is zero up to round-off, relative to the largest diagonal entry of M^-1 K."""


@dataclass(frozen=True)
class Spectrum:
    """The lowest modes, and the threshold below which eigenvalues count as zero."""

    modes: Modes
    noise: float
    """[1/s^2]"""

    @property
    def frequencies(self) -> Array:
        """(s,) [Hz]; 0 for modes without stiffness, NaN for unstable ones."""
        values = np.where(self.is_zero, 0.0, self.modes.values)
        return np.sqrt(np.where(values >= 0.0, values, np.nan)) / (2.0 * np.pi)

    @property
    def is_zero(self) -> np.ndarray:
        """(s,) True for modes without stiffness."""
        return np.abs(self.modes.values) <= self.noise

    @property
    def is_unstable(self) -> np.ndarray:
        """(s,) True for modes that grow: the body is close to buckling, or not in equilibrium."""
        return self.modes.values < -self.noise


def spectrum(system: System, x: Array, count: int, backend: Backend = "auto") -> Spectrum:
    """The `count` lowest modes about the configuration x, or as many as there are unknowns."""
    x = np.array(x, np.float64, order="C")
    stiffness = Linearised(system, State(0.0, x, np.zeros_like(x))).stiffness
    top = float(np.max(np.abs(stiffness[system.pattern.diagonal]) / system.unknown_mass, initial=0.0))
    return Spectrum(lowest_modes(system, x, count, backend), NOISE * top)
