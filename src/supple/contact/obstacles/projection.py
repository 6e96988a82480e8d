"""Kinematic collisions (as in Su, Sheth and Fedkiw 2013): after a step, vertices inside an obstacle are put on its surface.

    position   on the surface where it was entered, as far along it as the vertex went: moved along the normal n there
    velocity   v_n' = -e v_n for v_n = v . n < 0, e the restitution;  |v_t'| = max(0, |v_t| - mu (v_n' - v_n)) (Coulomb)
This needs no forces, so that explicit methods bounce at steps that would never resolve a stiff contact. A vertex whose way
leads through a thin obstacle is stopped too.

Limits: each vertex is moved by itself and its neighbours notice only in the next step, so elements may be squeezed: the
energy jumps by what that makes or takes, and methods start anew, since what they remember belongs to another motion. What
lies between vertices may cut through an edge of the obstacle.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from supple.contact.obstacles.entry import entry
from supple.contact.obstacles.shapes import Shape
from supple.errors import SuppleError
from supple.types import Array, Ints

BACK = 1e-9
"""Part of a move by which a point is held away from the surface where the normal is asked for: on the very edge of a box it
would be that of either face."""


@dataclass(frozen=True)
class Projected:
    """Where vertices are after a collision, and how fast."""

    x: Array
    """(n, 3) positions [m]."""
    v: Array
    """(n, 3) velocities [m/s]."""
    rubbed: Array
    """(n,) by how much friction made v . v smaller [m^2/s^2]."""
    touched: Ints
    """Vertices that collided, ascending."""


class Projection:
    """Puts vertices out of one shape."""

    def __init__(
        self,
        shape: Shape,
        vertices: npt.ArrayLike,
        restitution: float = 0.0,
        friction: float = 0.0,
        thickness: float = 0.0,
    ) -> None:
        """vertices (m,) that can collide; restitution: part of the normal velocity that is reflected, 0 to 1; friction: the
        coefficient; thickness: distance from the shape at which a vertex is on the surface [m]."""
        if not 0.0 <= restitution <= 1.0:
            raise SuppleError(f"restitution of a collision: found {restitution!r}; allowed are numbers from 0 to 1")
        for name, value in (("friction", friction), ("thickness", thickness)):
            if not (math.isfinite(value) and value >= 0.0):
                raise SuppleError(f"{name} of a collision: found {value!r}; must be a finite number, 0 or more")
        self.shape, self.restitution, self.friction, self.thickness = shape, restitution, friction, thickness
        self.vertices: Ints = np.unique(np.asarray(vertices, dtype=np.int32))
        self._parts = shape.parts

    def project(self, x0: Array, x1: Array, v: Array) -> Projected:
        """After a step from x0 to x1 that ends with velocities v; for all vertices, also those that are held."""
        x, v, rubbed = x1.copy(), v.copy(), np.zeros(len(x1))
        touched = np.zeros(len(x), dtype=bool)
        for part in self._parts:
            hit, landed, n = self._landed(part, x0[self.vertices], x[self.vertices])
            at = self.vertices[hit]
            x[at], touched[at] = landed, True
            v[at], lost = self._bounced(v[at], n)
            rubbed[at] += lost
        return Projected(x, v, rubbed, np.flatnonzero(touched).astype(np.int32))

    def _landed(self, part: Shape, y0: Array, y1: Array) -> tuple[npt.NDArray[np.bool_], Array, Array]:
        """Which points collide with a part on their way from y0 to y1, where they end up, and the normals there."""
        t = entry(lambda y, _: self._gap(part, y), lambda y, _: part.outward(y), y0, y1 - y0)
        outside, inside = self._gap(part, y0) > 0.0, self._gap(part, y1) < 0.0
        hit = inside | (outside & (t < 1.0))
        t = np.where(outside, np.minimum(t, 1.0), 0.0)[hit]
        y0, y1, inside = y0[hit], y1[hit], inside[hit]
        move = y1 - y0
        before = y0 + (t - BACK)[:, None] * move
        n = part.outward(before)
        depth = np.einsum("mi,mi->m", y1 - before, n) + self._gap(part, before)
        landed = y1 - np.minimum(depth, 0.0)[:, None] * n
        # the plane in which a curved surface was entered lies outside of it
        curved = landed - self._gap(part, landed)[:, None] * part.outward(landed)
        landed = np.where(inside[:, None], curved, landed)
        reach = BACK * np.sqrt(np.einsum("mi,mi->m", move, move))
        return hit, landed, part.outward(landed + reach[:, None] * n)

    def _gap(self, part: Shape, y: Array) -> Array:
        return part.distance(y) - self.thickness

    def _bounced(self, v: Array, n: Array) -> tuple[Array, Array]:
        """Velocities after bounce and friction, and by how much friction made v . v smaller."""
        normal = np.einsum("mi,mi->m", v, n)
        sliding = v - normal[:, None] * n
        speed = np.sqrt(np.einsum("mi,mi->m", sliding, sliding))
        given = -(1.0 + self.restitution) * np.minimum(normal, 0.0)
        slower = np.maximum(speed - self.friction * given, 0.0)
        kept = slower / np.where(speed > 0.0, speed, 1.0)
        return kept[:, None] * sliding + (normal + given)[:, None] * n, speed**2 - slower**2
