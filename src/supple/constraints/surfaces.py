"""Vertices that stay on a surface, or on a curve where two surfaces meet.

    plane    g = n . (x - p),  |n| = 1
    sphere   g = (|x - c|^2 - r^2)/(2 r)
    others   g(x) = 0 with a twice differentiable function
Multipliers of planes and spheres are forces along the normal [N].
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from supple.constraints.holonomic import Holonomic, checked_vertices
from supple.errors import SuppleError
from supple.types import Array


class ImplicitSurface(Protocol):
    """An implicit function over points (m, 3)."""

    def values(self, points: Array) -> Array:
        """(m,)"""

    def gradients(self, points: Array) -> Array:
        """(m, 3)"""

    def hessians(self, points: Array) -> Array:
        """(m, 3, 3)"""


class OnPlane(Holonomic):
    """Vertices on the plane through a point [m] with a normal, or each on the parallel plane through its own point (m, 3)."""

    degree = 1

    def __init__(
        self, vertices: npt.ArrayLike, point: npt.ArrayLike, normal: npt.ArrayLike, name: str = "plane"
    ) -> None:
        self.name = name
        self.vertices = checked_vertices(vertices, name, 1)
        n = np.asarray(normal, dtype=np.float64)
        size = float(np.linalg.norm(n))
        if not (np.isfinite(size) and size > 0.0):
            raise SuppleError(f"{name}.normal: found {n.tolist()}; it must be finite and not zero")
        self._normal = n / size
        self._height = np.broadcast_to(np.asarray(point, dtype=np.float64) @ self._normal, len(self.vertices)).copy()

    def values(self, x: Array) -> Array:
        return x[self.vertices[:, 0]] @ self._normal - self._height

    def gradients(self, x: Array) -> Array:
        return np.broadcast_to(self._normal, (len(self.vertices), 1, 3)).copy()

    def hessians(self, x: Array) -> Array:
        return np.zeros((len(self.vertices), 3, 3))


class OnSphere(Holonomic):
    """Vertices at a distance [m] from a centre [m]."""

    degree = 2

    def __init__(self, vertices: npt.ArrayLike, centre: npt.ArrayLike, radius: float, name: str = "sphere") -> None:
        self.name = name
        self.vertices = checked_vertices(vertices, name, 1)
        self._centre = np.asarray(centre, dtype=np.float64)
        if not (np.isfinite(radius) and radius > 0.0):
            raise SuppleError(f"{name}.radius: found {radius}; it must be positive")
        self._radius = float(radius)

    def values(self, x: Array) -> Array:
        d = x[self.vertices[:, 0]] - self._centre
        return ((d * d).sum(axis=1) - self._radius**2) / (2.0 * self._radius)

    def gradients(self, x: Array) -> Array:
        gradients: Array = (x[self.vertices] - self._centre) / self._radius
        return gradients

    def hessians(self, x: Array) -> Array:
        return np.broadcast_to(np.eye(3) / self._radius, (len(self.vertices), 3, 3)).copy()


class OnSurface(Holonomic):
    """Vertices on g = 0 of an implicit function. Two surfaces with the same vertices confine these to a curve."""

    def __init__(
        self, vertices: npt.ArrayLike, surface: ImplicitSurface, name: str = "surface", degree: int | None = None
    ) -> None:
        self.name = name
        self.vertices = checked_vertices(vertices, name, 1)
        self.degree = degree
        self._surface = surface

    def values(self, x: Array) -> Array:
        return self._surface.values(x[self.vertices[:, 0]])

    def gradients(self, x: Array) -> Array:
        return self._surface.gradients(x[self.vertices[:, 0]])[:, None, :]

    def hessians(self, x: Array) -> Array:
        return self._surface.hessians(x[self.vertices[:, 0]])


def on_curve(
    vertices: npt.ArrayLike, first: ImplicitSurface, second: ImplicitSurface, name: str = "curve"
) -> tuple[OnSurface, OnSurface]:
    """Vertices on the curve where two surfaces meet: a wire."""
    return OnSurface(vertices, first, f"{name}.first"), OnSurface(vertices, second, f"{name}.second")
