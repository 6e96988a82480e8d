"""Ether drag: every particle is slowed down in proportion to its mass and velocity (mass-proportional Rayleigh damping).

D(v) = eta/2 sum_i m_i |v_i|^2, force -eta m v: alone it lets velocities decay as exp(-eta t). It damps all frequencies
alike, free flight and turning too, so it takes momentum from a free body.
"""

from __future__ import annotations

import numpy as np

from supple.energies.term import EnergyTerm
from supple.errors import SuppleError
from supple.types import Array


class Drag(EnergyTerm):
    """A term of velocities: to be given as dissipation, not as a potential."""

    degree = 2

    def __init__(self, mass: Array, eta: float) -> None:
        """mass (n,) [kg], eta: rate at which velocities decay [1/s]."""
        if not (np.isfinite(eta) and eta >= 0.0):
            raise SuppleError(f"drag: the rate must be finite and not negative, found {eta}")
        self.elements = np.arange(len(mass), dtype=np.int32)[:, None]
        self._weight = eta * np.asarray(mass, dtype=np.float64)

    def element_values(self, v: Array) -> Array:
        return 0.5 * self._weight * np.einsum("ij,ij->i", v, v)

    def element_gradients(self, v: Array) -> Array:
        return (self._weight[:, None] * v)[:, None, :]

    def element_hessians(self, v: Array) -> Array:
        return self._weight[:, None, None] * np.eye(3)
