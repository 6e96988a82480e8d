"""Springs that hold vertices in a plane: V = sum_i k_i/2 (n . (x_i - p_i))^2, with a unit normal n.

Gradient k_i (n . (x_i - p_i)) n, Hessian k_i n n^T. A flat body under in-plane forces stays in its plane by itself, so
these springs carry no load; they prevent out-of-plane buckling.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from supple.energies.term import EnergyTerm
from supple.types import Array, Ints


class KeptInPlane(EnergyTerm):
    """Pulls each vertex back to the plane through its own point."""

    group = "elastic"
    degree = 2
    proportional_to: ClassVar[frozenset[str]] = frozenset({"stiffness"})

    def __init__(self, vertices: Ints, points: Array, normal: Array, stiffness: Array) -> None:
        """vertices (k,), points (k, 3) [m], normal (3,) of unit length, stiffness (k,) [N/m]."""
        self.elements = np.ascontiguousarray(vertices, dtype=np.int32)[:, None]
        self._points, self._normal, self.stiffness = points, normal, stiffness

    def constants(self) -> dict[str, Array]:
        return {"stiffness": self.stiffness}

    def element_values(self, x: Array) -> Array:
        return 0.5 * self.stiffness * self._heights(x) ** 2

    def element_gradients(self, x: Array) -> Array:
        return ((self.stiffness * self._heights(x))[:, None] * self._normal)[:, None, :]

    def element_hessians(self, x: Array) -> Array:
        return self.stiffness[:, None, None] * np.outer(self._normal, self._normal)

    def _heights(self, x: Array) -> Array:
        return (x[self.elements[:, 0]] - self._points) @ self._normal
