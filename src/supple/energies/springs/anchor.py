"""Springs of rest length zero between vertices and points in space: V = sum_i k_i/2 |x_i - p_i|^2.

Gradient k_i (x_i - p_i), Hessian k_i I. Stiffness and points may be changed between steps; the resulting energy change
is external work, which the caller must book. A spring without stiffness costs next to nothing, and every vertex has its
diagonal block in the matrix anyway. So a system may have anchors at all vertices and tighten some of them later.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from supple.energies.compliant import Compliance
from supple.energies.roles.compliant import CompliantTerm
from supple.energies.samples import Samples
from supple.energies.springs.links import Links, straight_links
from supple.energies.term import EnergyTerm, Placement
from supple.errors import SuppleError
from supple.linalg.parts import Parts
from supple.types import Array


class Anchors(EnergyTerm, CompliantTerm):
    """Pulls vertex i towards point i."""

    degree = 2
    proportional_to: ClassVar[frozenset[str]] = frozenset({"stiffness"})

    def __init__(self, points: npt.ArrayLike, stiffness: float | npt.ArrayLike = 0.0) -> None:
        """points (n, 3), one for each vertex [m]; stiffness: a scalar or one value per vertex [N/m]."""
        self.points: Array = np.array(points, dtype=np.float64, order="C")
        self.stiffness: Array = np.array(np.broadcast_to(stiffness, (len(self.points),)), dtype=np.float64)
        if not (np.isfinite(self.stiffness) & (self.stiffness >= 0)).all():
            raise SuppleError("stiffness of anchors: must be finite and not negative")
        self.elements = np.arange(len(self.points), dtype=np.int32)[:, None]

    def constants(self) -> dict[str, Array]:
        """(n,) `stiffness` and (n, 3) `points`."""
        return {"stiffness": self.stiffness, "points": self.points}

    def element_values(self, x: Array) -> Array:
        d = x - self.points
        return 0.5 * self.stiffness * np.einsum("ij,ij->i", d, d)

    def element_gradients(self, x: Array) -> Array:
        return (self.stiffness[:, None] * (x - self.points))[:, None, :]

    def element_hessians(self, x: Array) -> Array:
        return self.stiffness[:, None, None] * np.eye(3)

    def links(self, x: Array) -> Links:
        """Three links along the axes per vertex."""
        d = x - self.points
        zero = np.zeros(len(d))
        return straight_links(self.elements, np.ones((len(d), 1)), d, zero, zero, self.stiffness)

    def lengths_after(self, x0: Array, x1: Array) -> Array:
        return (x1 - self.points).ravel()

    def compliant(self) -> tuple[Compliance, ...]:
        n = len(self.points)
        parameters = np.concatenate([np.ones((n, 1)), self.points, np.zeros((n, 1))], axis=1)
        return (Compliance("combination", self.elements, parameters, self.stiffness, live=True),)

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        return super().add_value_gradient(samples, parts, gradient) if self.stiffness.any() else 0.0

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        if self.stiffness.any():
            super().add_hessian(samples, place, values, project)
