"""Springs along directions u taken at one configuration: psi = k/2 |d - r u|^2, d = x_j - x_i, rest length r.

Hooke springs are corotational elasticity in one dimension, and these are their fixed-frame counterparts. At the
configuration of u, energy and gradient k (d - r u) equal those of the Hooke spring; the Hessian k I is constant.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from supple.energies.springs.springs import HookeSprings
from supple.energies.term import EnergyTerm
from supple.types import Array


class AlignedSprings(EnergyTerm):
    """Hooke springs whose directions are those at x."""

    group: ClassVar[str] = "elastic"
    degree = 2

    def __init__(self, springs: HookeSprings, x: Array) -> None:
        self.elements, self._k = springs.elements, springs.stiffness
        d = self._ends(x)
        length = np.linalg.norm(d, axis=1)
        # a spring of zero length has no direction
        self._rest = np.where(length > 0.0, springs.rest_length / np.where(length > 0.0, length, 1.0), 0.0)[:, None] * d

    def _ends(self, x: Array) -> Array:
        return x[self.elements[:, 1]] - x[self.elements[:, 0]]

    def element_values(self, x: Array) -> Array:
        d = self._ends(x) - self._rest
        return 0.5 * self._k * np.einsum("mi,mi->m", d, d)

    def element_gradients(self, x: Array) -> Array:
        pull = self._k[:, None] * (self._ends(x) - self._rest)
        return np.stack([-pull, pull], axis=1)

    def element_hessians(self, x: Array) -> Array:
        block = np.kron(np.array([[1.0, -1.0], [-1.0, 1.0]]), np.eye(3))
        return self._k[:, None, None] * block
