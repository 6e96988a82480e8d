"""Temporary repulsion springs (Rojas, Liu and Kavan 2018): vertices inside an obstacle are pulled out by springs.

A vertex with d < 0 at the start of a step has a spring in that step to the tangent plane of the surface at its nearest
point p:
    V = w k ((x - p) . n)^2,  n = d'(x0)
It pulls from both sides, and sliding is free. The spring stays until a step begins with the vertex outside and moving away.
Each step conserves the energy of its springs. But a vertex that enters within a step has no spring until the next one,
and one that has left is pulled back until the end of the step. Each time a spring is added or removed the energy jumps
by its k d^2: it drifts by tens of percent within seconds. Other contact laws do not drift.

Between two steps the energy is w k min(d, 0)^2, and w k d^2 of springs that still pull outside. Explicit methods, which
freeze nothing, use the first part only.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from supple.contact.laws import Quadratic
from supple.contact.obstacles.obstacle import ObstacleContact
from supple.contact.obstacles.shapes import Shape
from supple.energies.instant import Instant
from supple.energies.roles.frozen import FrozenInSteps
from supple.energies.samples import Samples
from supple.energies.term import EnergyTerm, Placement
from supple.linalg.parts import Parts
from supple.types import Array, Ints


class Repulsion(ObstacleContact, FrozenInSteps):
    """Springs against one shape; an element is a vertex paired with one of the shape's convex parts."""

    instead: ClassVar[str] = "use a barrier or a penalty as the law of the obstacle"

    def __init__(
        self,
        shape: Shape,
        k: float,
        vertices: npt.ArrayLike,
        weights: float | npt.ArrayLike = 1.0,
        thickness: float = 0.0,
    ) -> None:
        """k: half the stiffness of a vertex of weight 1 [N/m]; other arguments as for any obstacle."""
        super().__init__(shape, Quadratic(k), vertices, weights, thickness)
        self.k = k

    def freeze(self, instant: Instant) -> EnergyTerm:
        d, y = self.gaps(instant.x0), self._points(instant.x0)
        n = self._normals(y, self._all)
        there = d < 0.0 if instant.springs is None else instant.springs[id(self)] > 0.0
        k = np.where(there, self.k * self.weights, 0.0)
        return _Springs(self.elements, n, np.einsum("mi,mi->m", n, y) - d, k)

    def held(self, x: Array, v: Array, before: npt.NDArray[np.bool_] | None) -> npt.NDArray[np.bool_]:
        """(m,) whether each element has a spring: vertices inside, and earlier springs whose vertices do not move away."""
        inside = self.gaps(x) < 0.0
        if before is None or not (before & ~inside).any():
            return inside
        leaving = np.einsum("mi,mi->m", self._points(v), self._normals(self._points(x), self._all)) >= 0.0
        return inside | (before & ~leaving)

    def pulling(self, x: Array, springs: Array) -> float:
        """Energy of the springs (m,) whose vertices are outside [J]."""
        d = np.where(springs > 0.0, np.maximum(self.gaps(x), 0.0), 0.0)
        return self.k * float(self.weights @ (d * d))


class _Springs(EnergyTerm):
    """V = sum_i k_i (n_i . x_i - c_i)^2 of one step."""

    degree = 2

    def __init__(self, elements: Ints, normals: Array, offsets: Array, k: Array) -> None:
        self.elements = elements
        self._n, self._c, self._k = normals, offsets, k

    def element_values(self, x: Array) -> Array:
        return self._k * self._gaps(x) ** 2

    def element_gradients(self, x: Array) -> Array:
        return ((2.0 * self._k * self._gaps(x))[:, None] * self._n)[:, None, :]

    def element_hessians(self, x: Array) -> Array:
        return (2.0 * self._k)[:, None, None] * self._n[:, :, None] * self._n[:, None, :]

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        return super().add_value_gradient(samples, parts, gradient) if self._k.any() else 0.0

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        if self._k.any():
            super().add_hessian(samples, place, values, project)

    def _gaps(self, x: Array) -> Array:
        return np.einsum("mi,mi->m", self._n, x[self.elements[:, 0]]) - self._c
