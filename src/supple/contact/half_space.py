"""Contact with a half-space: the gap d = n . (x - point) - thickness changes linearly along a step.

So its mean over a step is known in closed form, the quotient Q of the law, and Q is the derivative of a convex Psi (see
laws.py): AVF minimises Psi and keeps the energy through impacts to rounding error, with penalties and with the barrier.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from supple.contact.laws import Law
from supple.contact.obstacle import ObstacleContact
from supple.contact.shapes import Point, Shape, point
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError
from supple.types import Array, Ints


@dataclass(frozen=True)
class HalfSpace(Shape):
    """All points behind a plane: d = normal . (y - point)."""

    point: Point = (0.0, 0.0, 0.0)
    """A point of the plane [m]."""
    normal: Point = (0.0, 1.0, 0.0)
    """Direction out of the half-space, of any length."""

    def __post_init__(self) -> None:
        point("half-space.point", self.point)
        point("half-space.normal", self.normal)
        if not np.linalg.norm(self.normal) > 0.0:
            raise SuppleError("half-space.normal: found a vector of no length; give the direction out of the ground")

    @property
    def unit(self) -> Array:
        """(3,) the normal."""
        n = np.array(self.normal, dtype=np.float64)
        return n / np.linalg.norm(n)

    def distance(self, y: Array) -> Array:
        return (y - np.array(self.point)) @ self.unit

    def outward(self, y: Array) -> Array:
        return np.broadcast_to(self.unit, y.shape)

    def bend(self, y: Array) -> Array:
        return np.zeros((len(y), 3, 3))


class HalfSpaceContact(ObstacleContact):
    """Vertices against a half-space."""

    averages: ClassVar[bool] = True

    def __init__(
        self,
        shape: HalfSpace,
        law: Law,
        vertices: npt.ArrayLike,
        weights: float | npt.ArrayLike = 1.0,
        thickness: float = 0.0,
    ) -> None:
        """As for any obstacle."""
        super().__init__(shape, law, vertices, weights, thickness)
        self.unit = shape.unit

    def averaged(self, x0: Array) -> EnergyTerm:
        return _OverStep(self, self.gaps(x0))

    def element_mean_gradients(self, x0: Array, x1: Array) -> Array:
        return self.averaged(x0).element_gradients(x1)

    def element_mean_jacobians(self, x0: Array, x1: Array) -> Array:
        return self.averaged(x0).element_hessians(x1)


class _OverStep(EnergyTerm):
    """w Psi(d1) of a step that begins with the gaps d0: gradient w Q n, Hessian w dQ/dd1 n n^T."""

    def __init__(self, contact: HalfSpaceContact, d0: Array) -> None:
        self.elements = contact.elements
        self._contact, self._d0 = contact, d0

    def element_values(self, x: Array) -> Array:
        near, d0, d1 = self._near(x)
        return self._spread(near, self._contact.law.potential_of_mean(d0, d1))

    def element_gradients(self, x: Array) -> Array:
        near, d0, d1 = self._near(x)
        return self._spread(near, self._contact.law.mean_slope(d0, d1))[:, None, None] * self._contact.unit

    def element_hessians(self, x: Array) -> Array:
        near, d0, d1 = self._near(x)
        n = self._contact.unit
        return self._spread(near, self._contact.law.mean_curvature(d0, d1))[:, None, None] * (n[:, None] * n)

    def _near(self, x: Array) -> tuple[Ints, Array, Array]:
        """Elements within reach at one end of the step, and their gaps at both."""
        d1 = self._contact.gaps(x)
        near = np.flatnonzero(np.minimum(self._d0, d1) < self._contact.law.reach).astype(np.int32)
        return near, self._d0[near], d1[near]

    def _spread(self, near: Ints, values: Array) -> Array:
        """Weighted values of those elements, the others zero."""
        out = np.zeros(len(self.elements))
        out[near] = self._contact.weights[near] * values
        return out
