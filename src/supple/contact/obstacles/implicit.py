"""Obstacles defined by a formula: all points where g(x, y, z, t) < 0, for a smooth expression g.

g need not be a distance. Contact uses the distance to the nearest point of g = 0 (level.py), so `distance`, `stiffness`
and `thickness` have the same meaning as for every shape.

An expression with the time t moves. Only laws without forces (projection, velocity, linearised) use the time.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from supple.contact.obstacles import OBSTACLES
from supple.contact.obstacles.level import Foot, foot
from supple.contact.obstacles.outlines import MARGIN, Outline
from supple.contact.obstacles.shapes import Shape
from supple.errors import SuppleError
from supple.formulas.implicit import Implicit
from supple.mesh.level_set import level_surface
from supple.types import Array

LATTICE = 64
"""Cells along the longest side of the box used to draw the surface."""
LANDED = 1e-6
"""Largest distance from the surface of a nearest point, relative to the coordinates."""
REMEMBERED = 8
"""Number of point sets whose nearest points are cached: gaps, normals and curvatures are evaluated at the same ones."""


@OBSTACLES("implicit")
@dataclass(frozen=True)
class ImplicitShape(Shape):
    """All points at which an expression is negative."""

    convex: ClassVar[bool] = False
    endless: ClassVar[bool] = True

    equation: str
    """A smooth expression in x, y, z [m] and the time t [s], negative inside, such as `"y - 0.1 * sin(6 * x)"`."""
    _time = 0.0  # [s]; not an option of a scene

    def __post_init__(self) -> None:
        try:
            surface = Implicit(self.equation, timed=True)
        except ValueError as error:
            raise SuppleError(f"implicit.equation: {error}") from None
        if not surface.somewhere:
            raise SuppleError(
                f'implicit.equation: found "{self.equation}", which is constant in space and has no surface; give an '
                'expression in x, y, z such as "x^2 + y^2 + z^2 - 0.04"'
            )

    @cached_property
    def surface(self) -> Implicit:
        return Implicit(self.equation, timed=True)

    @property
    def moves(self) -> bool:
        return self.surface.moves

    def at(self, t: float) -> Shape:
        if not self.moves:
            return self
        then = ImplicitShape(self.equation)
        object.__setattr__(then, "_time", float(t))
        return then

    def distance(self, y: Array) -> Array:
        return self._foot(y).distance

    def outward(self, y: Array) -> Array:
        return self._foot(y).normal

    def bend(self, y: Array) -> Array:
        return self._foot(y).bend

    def speed(self, y: Array) -> Array:
        if not self.moves:
            return np.zeros(len(y))
        c = self._foot(y).place
        slope = self.surface.gradients(c, self._time)
        steep = np.sqrt(np.einsum("mi,mi->m", slope, slope))
        return -self.surface.rates(c, self._time) / np.maximum(steep, 1e-300)

    @np.errstate(all="ignore")
    def lost(self, y: Array) -> NDArray[np.bool_]:
        """Whether the expression is not zero where the search from y ended: it is too steep there, or not defined."""
        found = self._foot(y)
        slope = self.surface.gradients(found.place, self._time)
        steep = np.sqrt(np.einsum("mi,mi->m", slope, slope))
        off = np.abs(self.surface.values(found.place, self._time)) / np.maximum(steep, 1e-300)
        return ~(off <= LANDED * np.abs(y).max(initial=1e-3))

    def nearest(self, y: Array) -> Array:
        """(m, 3) nearest points of the surface [m]."""
        return self._foot(y).place

    def outline(self, low: Array, high: Array) -> Outline:
        margin = MARGIN * max(float((high - low).max()), 1e-6)
        low, high = low - margin, high + margin
        cell = float((high - low).max()) / LATTICE
        counts = np.maximum(np.ceil((high - low) / cell).astype(int) + 1, 2)
        axes = [low[k] + cell * np.arange(counts[k]) for k in range(3)]
        points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
        g = np.nan_to_num(self.surface.values(points, self._time), nan=1.0)
        found, triangles = level_surface(-g.reshape(counts), 0.0)
        drawn = low + cell * found
        near = foot(self.surface, drawn, self._time).place
        apart = np.linalg.norm(near - drawn, axis=1, keepdims=True)
        return np.where(apart < cell, near, drawn), triangles  # of a linear interpolation, onto the surface itself

    def _foot(self, y: Array) -> Foot:
        points = np.ascontiguousarray(y, dtype=np.float64)
        return _remembered(self.equation, self._time, points.tobytes())


@lru_cache(maxsize=REMEMBERED)
def _remembered(equation: str, t: float, points: bytes) -> Foot:
    y = np.frombuffer(points, dtype=np.float64).reshape(-1, 3)
    return foot(_parsed(equation), y, t)


@lru_cache(maxsize=REMEMBERED)
def _parsed(equation: str) -> Implicit:
    return Implicit(equation, timed=True)


@dataclass(frozen=True)
class Follows:
    """Motion of the points of a moving surface, for drawing: to the nearest point of the surface at each time."""

    shape: ImplicitShape

    def position(self, X: Array, t: float) -> Array:
        then = self.shape.at(t)
        return then.nearest(X) if isinstance(then, ImplicitShape) else X

    def velocity(self, X: Array, t: float) -> Array:
        then = self.shape.at(t)
        return then.speed(X)[:, None] * then.outward(X)
