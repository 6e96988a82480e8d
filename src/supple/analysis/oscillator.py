"""One particle on a spring of rest length zero: the linear test problem of time integration, x'' = -omega^2 x.

V = k/2 |x|^2, gradient k x, Hessian k I; mass 1 kg and k = omega^2. The three coordinates do not know of each other.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from supple.dynamics.system import System, build_system
from supple.energies.term import EnergyTerm
from supple.types import Array


class Tether(EnergyTerm):
    """Pulls every vertex towards the origin."""

    group: ClassVar[str] = "elastic"
    degree = 2

    def __init__(self, n: int, stiffness: float) -> None:
        """stiffness k [N/m] of each of n tethers."""
        self.elements = np.arange(n, dtype=np.int32)[:, None]
        self.stiffness = stiffness

    def element_values(self, x: Array) -> Array:
        return 0.5 * self.stiffness * np.einsum("ij,ij->i", x, x)

    def element_gradients(self, x: Array) -> Array:
        return self.stiffness * x[:, None, :]

    def element_hessians(self, x: Array) -> Array:
        return np.broadcast_to(self.stiffness * np.eye(3), (len(self.elements), 3, 3)).copy()


def oscillator(omega: float) -> System:
    """A particle of 1 kg that swings with omega [rad/s]."""
    return build_system(np.zeros((1, 3)), np.ones(1), [Tether(1, omega * omega)])
