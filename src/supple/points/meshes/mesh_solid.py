"""The region enclosed by a closed mesh, as the shape of an obstacle at grid nodes."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from supple.contact.obstacles.outlines import Outline
from supple.contact.obstacles.shapes import Shape
from supple.errors import SuppleError
from supple.points.meshes.band import INSIDE, Band, lay_band
from supple.points.meshes.closed_surface import ClosedSurface
from supple.types import Array, Ints

FINER = 0.5
"""Lattice spacing relative to the grid cell size: walls one cell thick keep their inside."""
FINEST = 1e-12
"""Least size of a cell relative to coordinates: distances keep three digits of it."""


@dataclass(frozen=True, eq=False)
class MeshSolid(Shape):
    """Distances are interpolated from a lattice near the surface; deeper inside they are computed individually, and
    farther outside they are infinite."""

    vertices: Array
    """(n, 3) [m]"""
    triangles: Ints
    """(f, 3) of a closed surface."""
    cell: float
    """Size of the grid's cells [m]."""
    surface: ClosedSurface = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "surface", ClosedSurface(self.vertices, self.triangles))

    def distance(self, y: Array) -> Array:
        return self._look(y)[0]

    def outward(self, y: Array) -> Array:
        return self._look(y)[1]

    def outline(self, low: Array, high: Array) -> Outline:
        return self.vertices, self.surface.triangles

    def lay(self) -> None:
        """Build the lattice now, so a self-intersecting surface is rejected before a run."""
        _ = self.band

    @cached_property
    def band(self) -> Band:
        """The lattice, built on first use."""
        far = float(np.abs(self.vertices).max())
        if self.cell < FINEST * far:
            raise SuppleError(
                f"it lies {far:.3g} m from the origin, where double precision does not resolve cells of "
                f"{self.cell:.3g} m; place it closer to the origin"
            )
        return lay_band(self.surface, FINER * self.cell)

    @property
    def thin(self) -> bool:
        """Whether it is thinner than a cell everywhere. The depth is half the thickness, and the deepest lattice point
        may miss half a step of it."""
        deepest = -float(self.band.values[..., 0].min(initial=0.0))
        return not (self.band.index == INSIDE).any() and deepest < 0.5 * (1.0 - FINER) * self.cell

    def _look(self, y: Array) -> tuple[Array, Array]:
        distance, normal = self.band.look(np.ascontiguousarray(y))
        deep = np.flatnonzero(distance == -np.inf)
        if len(deep):
            distance[deep], normal[deep] = self.surface.signed(y[deep])
        return distance, normal
