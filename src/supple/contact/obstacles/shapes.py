"""Shapes of obstacles: signed distance, its gradient (the outward unit normal) and its Hessian, at points y (m, 3).

A shape is a union of convex `parts`. The distance to a convex part is a convex function outside of it, so a tangent
plane never overestimates the free distance. Its normal is continuous outside. Its Hessian jumps where the nearest
feature changes (from the face of a box to its edge) and is as large as 1/distance beside a sharp edge. A contact
thickness rounds the edges.

Limits: inside, the distance refers to the nearest face, so its normal jumps halfway through. Penalties thus only push
out vertices that entered by less than half the thickness of the shape. On the centre of a sphere or the axis of a
capsule, where no direction is outward, the normal is the z axis.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from supple.contact.laws import positive
from supple.contact.obstacles import OBSTACLES, outlines
from supple.contact.obstacles.outlines import Outline, Point
from supple.errors import SuppleError
from supple.types import Array


class Shape:
    """Base of the shapes; subclasses are frozen dataclasses in metres."""

    flat: ClassVar[bool] = False
    """Whether the outward normal is the same everywhere; such a shape is unbounded."""
    convex: ClassVar[bool] = True
    """Whether each part is convex, so a tangent plane never overestimates the free distance."""
    endless: ClassVar[bool] = False
    """Whether its drawn surface depends on the bodies on it."""

    @property
    def moves(self) -> bool:
        """Whether it changes with time."""
        return False

    def at(self, t: float) -> Shape:
        """The shape at a time [s]."""
        return self

    def speed(self, y: Array) -> Array:
        """(m,) speed of its surface along the normal, at the points nearest to y (m, 3) [m/s]."""
        return np.zeros(len(y))

    @property
    def parts(self) -> tuple[Shape, ...]:
        """The convex shapes whose union this is."""
        return (self,)

    def distance(self, y: Array) -> Array:
        """(m,) signed distances, negative inside [m]."""
        raise TypeError(f"{type(self).__name__} does not define distance")

    def outward(self, y: Array) -> Array:
        """(m, 3) gradients of the distance."""
        raise TypeError(f"{type(self).__name__} does not define normal")

    def bend(self, y: Array) -> Array:
        """(m, 3, 3) Hessians of the distance [1/m]."""
        raise TypeError(f"{type(self).__name__} does not define bend")

    def lost(self, y: Array) -> NDArray[np.bool_]:
        """(m,) whether the distance of a point is not a distance, since no point of the surface was found from it."""
        return np.zeros(len(y), dtype=bool)

    def middles(self) -> list[Array]:
        """A point (3,) inside each convex part; none for an unbounded shape, which is inside no body."""
        return [point for part in self.parts if part is not self for point in part.middles()]

    def outline(self, low: Array, high: Array) -> Outline:
        """The surface to draw: points (k, 3) [m] and triangles (f, 3), counterclockwise seen from outside.

        The box from `low` to `high` contains the bodies; it only matters to unbounded shapes.
        """
        raise SuppleError(f"{type(self).__name__}: has no surface to draw; define the method `outline`")


@OBSTACLES("sphere")
@dataclass(frozen=True)
class SphereShape(Shape):
    """A ball: d = |y - centre| - radius."""

    centre: Point
    """Centre [m]."""
    radius: float
    """Radius [m], above 0."""

    def __post_init__(self) -> None:
        point("sphere.centre", self.centre)
        positive("sphere.radius", self.radius)

    def distance(self, y: Array) -> Array:
        return _length(y - np.array(self.centre)) - self.radius

    def outward(self, y: Array) -> Array:
        return _direction(y - np.array(self.centre))

    def bend(self, y: Array) -> Array:
        e = y - np.array(self.centre)
        return _across(e, np.eye(3) - _square(_direction(e)))

    def middles(self) -> list[Array]:
        return [np.array(self.centre)]

    def outline(self, low: Array, high: Array) -> Outline:
        return outlines.globe(self.centre, self.radius)


@OBSTACLES("capsule")
@dataclass(frozen=True)
class Capsule(Shape):
    """All points within `radius` of the segment from `start` to `end`: d = |y - c(y)| - radius, c the nearest of them."""

    start: Point
    """One end of the segment [m]."""
    end: Point
    """The other end [m], different from `start`."""
    radius: float
    """Radius [m], above 0."""

    def __post_init__(self) -> None:
        point("capsule.start", self.start)
        point("capsule.end", self.end)
        positive("capsule.radius", self.radius)
        if self.start == self.end:
            raise SuppleError(f"capsule.end: found {self.end}, which is its start; use a sphere")

    def distance(self, y: Array) -> Array:
        return _length(self._from_axis(y)[0]) - self.radius

    def outward(self, y: Array) -> Array:
        return _direction(self._from_axis(y)[0])

    def bend(self, y: Array) -> Array:
        e, along = self._from_axis(y)
        return _across(e, np.eye(3) - _square(_direction(e)) - _square(along))

    def middles(self) -> list[Array]:
        return [np.array(self.start)]

    def outline(self, low: Array, high: Array) -> Outline:
        return outlines.capsule(self.start, self.end, self.radius)

    def _from_axis(self, y: Array) -> tuple[Array, Array]:
        """y - c(y), and the axis u alongside the segment, where c follows y, or 0 beyond its ends."""
        a, b = np.array(self.start), np.array(self.end)
        s = (y - a) @ (b - a) / ((b - a) @ (b - a))
        follows = (s > 0.0) & (s < 1.0)
        u = (b - a) / np.linalg.norm(b - a)
        return y - a - np.clip(s, 0.0, 1.0)[:, None] * (b - a), np.where(follows[:, None], u, 0.0)


@OBSTACLES("box")
@dataclass(frozen=True)
class BoxShape(Shape):
    """A box about its centre.

    With z the point in the box's own axes and q = |z| - size/2, d = |max(q, 0)| outside and max(q) inside.
    """

    centre: Point
    """Centre [m]."""
    size: Point
    """Lengths of its edges [m], above 0."""
    turn: Point = (0.0, 0.0, 0.0)
    """Rotation vector: axis times angle [rad]."""

    def __post_init__(self) -> None:
        point("box.centre", self.centre)
        point("box.turn", self.turn)
        point("box.size", self.size)
        for axis, length in zip("xyz", self.size, strict=True):
            positive(f"box.size.{axis}", length)

    def distance(self, y: Array) -> Array:
        _, q = self._own(y)
        return _length(np.maximum(q, 0.0)) + np.minimum(q.max(axis=1), 0.0)

    def outward(self, y: Array) -> Array:
        sign, q = self._own(y)
        e = np.maximum(q, 0.0)
        inside = np.max(q, axis=1, keepdims=True) <= 0.0
        nearest = np.eye(3)[q.argmax(axis=1)]
        return (sign * np.where(inside, nearest, _direction(e))) @ self.axes

    def bend(self, y: Array) -> Array:
        sign, q = self._own(y)
        e = np.maximum(q, 0.0)
        n = _direction(e)
        counts = (q > 0.0)[:, None, :] * np.eye(3)  # coordinates in which the point is beyond the box
        own = _across(e, sign[:, :, None] * (counts - _square(n)) * sign[:, None, :])
        return np.einsum("ki,mkl,lj->mij", self.axes, own, self.axes)

    def middles(self) -> list[Array]:
        return [np.array(self.centre)]

    def outline(self, low: Array, high: Array) -> Outline:
        return outlines.box(self.centre, self.size, self.turn)

    def _own(self, y: Array) -> tuple[Array, Array]:
        """Signs of the point's coordinates in the box's axes, and q."""
        z = (y - np.array(self.centre)) @ self.axes.T
        return np.where(z < 0.0, -1.0, 1.0), np.abs(z) - 0.5 * np.array(self.size)

    @property
    def axes(self) -> Array:
        """(3, 3) rows: the box's axes, by the formula of Rodrigues."""
        angle = float(np.linalg.norm(self.turn))
        x, y, z = np.array(self.turn) / angle if angle > 0.0 else np.zeros(3)
        K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        return (np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K).T


def point(where: str, value: Point) -> None:
    """Reject anything but a point or vector."""
    if len(value) != 3 or not np.isfinite(np.asarray(value, dtype=np.float64)).all():
        raise SuppleError(f"{where}: found {value!r}; give three finite numbers")


def _length(e: Array) -> Array:
    return np.sqrt(np.einsum("mi,mi->m", e, e))


def _direction(e: Array) -> Array:
    """e/|e|, or the z axis where e vanishes."""
    r = _length(e)[:, None]
    return np.where(r > 0.0, e, [0.0, 0.0, 1.0]) / np.where(r > 0.0, r, 1.0)


def _square(n: Array) -> Array:
    return n[:, :, None] * n[:, None, :]


def _across(e: Array, matrices: Array) -> Array:
    """Matrices divided by |e|, or 0 where e vanishes."""
    r = _length(e)
    return np.where(r > 0.0, 1.0, 0.0)[:, None, None] * matrices / np.where(r > 0.0, r, 1.0)[:, None, None]
