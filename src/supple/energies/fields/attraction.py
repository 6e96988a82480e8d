"""A force towards a point, a line or a plane, or away from it: V = S sum_i w_i G(r_i), r^2 = |q|^2 + core^2, q = P (x - c).

P is the identity for a point, I - a a^T for a line along the unit vector a, a a^T for a plane with the normal a. Gradient
S w A q, Hessian S w (A P + B q q^T) with A = G'/r and B = A'/r (falloff.py). The core keeps both finite where q = 0.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from supple.energies.fields.falloff import Falloff
from supple.energies.term import EnergyTerm
from supple.types import Array


class Attraction(EnergyTerm):
    """Vertices in the field of one attractor."""

    proportional_to: ClassVar[frozenset[str]] = frozenset({"strength"})

    def __init__(
        self, weights: Array, strength: float, centre: Array, across: Array, falloff: Falloff, core: float
    ) -> None:
        """weights (n,) of all vertices, zero for unaffected ones; strength: force on a weight of 1 where the falloff is
        1, towards the centre if positive [N]; across (3, 3): P; core [m]."""
        self.elements = np.flatnonzero(weights).astype(np.int32)[:, None]
        self.weights: Array = np.ascontiguousarray(weights[self.elements[:, 0]], dtype=np.float64)
        self.strength = np.array([float(strength)])
        self._centre, self._across = np.asarray(centre, np.float64), np.asarray(across, np.float64)
        self._falloff, self._core = falloff, core
        self.degree = falloff.degree

    def constants(self) -> dict[str, Array]:
        """(1,) `strength`."""
        return {"strength": self.strength}

    def element_values(self, x: Array) -> Array:
        return self._pull * self._falloff.potential(self._distance(self._away(x)))

    def element_gradients(self, x: Array) -> Array:
        q = self._away(x)
        A, _ = self._falloff.slopes(self._distance(q))
        return ((self._pull * A)[:, None] * q)[:, None, :]

    def element_hessians(self, x: Array) -> Array:
        q = self._away(x)
        A, B = self._falloff.slopes(self._distance(q))
        A, B = self._pull * A, self._pull * B
        return A[:, None, None] * self._across + B[:, None, None] * (q[:, :, None] * q[:, None, :])

    @property
    def _pull(self) -> Array:
        """(m,) [N]"""
        return self.strength * self.weights

    def _away(self, x: Array) -> Array:
        """(m, 3) q [m]."""
        return np.asarray((x[self.elements[:, 0]] - self._centre) @ self._across)

    def _distance(self, q: Array) -> Array:
        """(m,) r [m]."""
        return np.asarray(np.sqrt(np.einsum("mi,mi->m", q, q) + self._core**2))
