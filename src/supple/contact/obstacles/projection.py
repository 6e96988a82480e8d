"""Kinematic collisions (as in Su, Sheth and Fedkiw 2013): after a step, vertices inside an obstacle are moved to its surface.

    position   on the surface at the entry point, with the tangential displacement kept: moved along the normal n there
    velocity   v_n' = -e v_n for v_n = v . n < 0, e the restitution;  |v_t'| = max(0, |v_t| - mu (v_n' - v_n)) (Coulomb)
This needs no forces, so explicit methods bounce at steps that would never resolve a stiff contact. A vertex whose path
passes through a thin obstacle is stopped too. For a shape that moves as a rigid body all this happens in its own
coordinates, with relative velocities; its impulse m (v' - v) does the external work m (v' - v) . v_o. Obstacles defined
by a formula move vertices that end inside to the nearest point of their surface and, if they move, give them their
normal velocity.

Limits: each vertex is moved independently and affects its neighbours only in the next step, so elements may be
compressed. The energy jumps accordingly, and methods restart, since their memory belongs to another motion. Edges and
faces between vertices may cut through an edge of the obstacle.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from supple.contact.obstacles.entry import entry
from supple.contact.obstacles.shapes import Shape
from supple.errors import SuppleError
from supple.types import Array, Ints

BACK = 1e-9
"""Fraction of a displacement by which a point is kept off the surface to evaluate the normal. Exactly on the edge of a
box it would be the normal of either face."""
SURFACE = 1e-9
"""Distance at which a vertex counts as being on a surface, relative to its coordinates."""


class Script(Protocol):
    """A rigid motion: positions and velocities of points X (m, 3) of a shape at a time."""

    def position(self, X: Array, t: float) -> Array: ...

    def velocity(self, X: Array, t: float) -> Array: ...


@dataclass(frozen=True)
class Frame:
    """The coordinates of a shape that moves as a rigid body, at one time."""

    script: Script | None
    t: float
    origin: Array
    turn: Array
    """(3, 3) rotation to world coordinates."""

    @classmethod
    def of(cls, script: Script | None, t: float) -> Frame:
        if script is None:
            return cls(None, t, np.zeros(3), np.eye(3))
        at = script.position(np.concatenate([np.zeros((1, 3)), np.eye(3)]), t)
        return cls(script, t, at[0], (at[1:] - at[0]).T)

    def own(self, x: Array) -> Array:
        return x.copy() if self.script is None else (x - self.origin) @ self.turn

    def out(self, y: Array) -> Array:
        return y if self.script is None else y @ self.turn.T + self.origin

    def turned(self, n: Array) -> Array:
        """Directions in the coordinates of the world."""
        return n if self.script is None else n @ self.turn.T

    def velocity(self, y: Array) -> Array:
        """(m, 3) velocities of points of the shape [m/s]."""
        return np.zeros_like(y) if self.script is None else self.script.velocity(y, self.t)


@dataclass(frozen=True)
class Projected:
    """Positions and velocities of vertices after a collision."""

    x: Array
    """(n, 3) positions [m]."""
    v: Array
    """(n, 3) velocities [m/s]."""
    rubbed: Array
    """(n,) reduction of v . v by friction; for conditions on velocities, the whole reduction [m^2/s^2]."""
    touched: Ints
    """Vertices that collided, ascending."""
    driven: Array
    """(n,) work of a moving shape per vertex mass [m^2/s^2]."""


class Projection:
    """Moves vertices out of one shape."""

    def __init__(
        self,
        shape: Shape,
        vertices: npt.ArrayLike,
        restitution: float = 0.0,
        friction: float = 0.0,
        thickness: float = 0.0,
        script: Script | None = None,
    ) -> None:
        """vertices (m,) that can collide; restitution: fraction of the normal velocity that is reflected, 0 to 1;
        friction: the coefficient.

        thickness: distance from the shape at which a vertex is on the surface [m]; script: motion of the points of
        the shape; stationary if not given.
        """
        if not 0.0 <= restitution <= 1.0:
            raise SuppleError(f"restitution of a collision: found {restitution!r}; allowed are numbers from 0 to 1")
        for name, value in (("friction", friction), ("thickness", thickness)):
            if not (math.isfinite(value) and value >= 0.0):
                raise SuppleError(f"{name} of a collision: found {value!r}; must be a finite number, 0 or more")
        self.shape, self.restitution, self.friction, self.thickness = shape, restitution, friction, thickness
        self.vertices: Ints = np.unique(np.asarray(vertices, dtype=np.int32))
        self.script = script
        self._parts = shape.parts

    def project(self, x0: Array, x1: Array, v: Array, t0: float = 0.0, t1: float = 0.0) -> Projected:
        """After a step from x0 at t0 to x1 at t1 [s] that ends with velocities v; for all vertices."""
        before, now = Frame.of(self.script, t0), Frame.of(self.script, t1)
        y0, y1 = before.own(x0[self.vertices]), now.own(x1[self.vertices])
        w = v[self.vertices]
        x, v, rubbed, driven = x1.copy(), v.copy(), np.zeros(len(x1)), np.zeros(len(x1))
        touched = np.zeros(len(x), dtype=bool)
        for part in self._parts:
            find = self._landed if part.convex else self._put_out
            hit, landed, n = find(part.at(t1), y0, y1)
            at, n = self.vertices[hit], now.turned(n)
            carried = now.velocity(landed) + part.at(t1).speed(landed)[:, None] * n
            y1[hit], touched[at] = landed, True
            relative, lost = self._bounced(w[hit] - carried, n)
            driven[at] += np.einsum("mi,mi->m", relative + carried - w[hit], carried)
            v[at] = w[hit] = relative + carried
            x[at] = now.out(landed)
            rubbed[at] += lost
        return Projected(x, v, rubbed, np.flatnonzero(touched).astype(np.int32), driven)

    def parted(self, x: Array, v: Array, touching: Ints, t: float) -> tuple[Array, Array]:
        """(n, 3) velocities without the inward part of `touching` vertices; vertices off the surface keep theirs. And
        (n,) the work of a moving shape per vertex mass [m^2/s^2]."""
        now, at = Frame.of(self.script, t), np.intersect1d(self.vertices, touching)
        v, y, driven = v.copy(), now.own(x[at]), np.zeros(len(v))
        for part in (part.at(t) for part in self._parts):
            on = self._gap(part, y) <= SURFACE * (1.0 + np.abs(y).max(axis=1, initial=0.0))
            n = now.turned(part.outward(y[on]))
            carried = now.velocity(y[on]) + part.speed(y[on])[:, None] * n
            inwards = np.minimum(np.einsum("mi,mi->m", v[at[on]] - carried, n), 0.0)
            v[at[on]] -= inwards[:, None] * n
            driven[at[on]] -= inwards * np.einsum("mi,mi->m", carried, n)
        return v, driven

    def _landed(self, part: Shape, y0: Array, y1: Array) -> tuple[npt.NDArray[np.bool_], Array, Array]:
        """The points that collide with a part on their path from y0 to y1, their end positions, and the normals there."""
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
        # the tangent plane at the entry point of a curved surface lies outside of it
        curved = landed - self._gap(part, landed)[:, None] * part.outward(landed)
        landed = np.where(inside[:, None], curved, landed)
        reach = BACK * np.sqrt(np.einsum("mi,mi->m", move, move))
        return hit, landed, part.outward(landed + reach[:, None] * n)

    def _put_out(self, part: Shape, y0: Array, y1: Array) -> tuple[npt.NDArray[np.bool_], Array, Array]:
        """The same for surfaces that are not convex, or move: points that end inside are moved to the nearest surface point."""
        hit = self._gap(part, y1) < 0.0
        n = part.outward(y1[hit])
        return hit, y1[hit] - self._gap(part, y1[hit])[:, None] * n, n

    def _gap(self, part: Shape, y: Array) -> Array:
        return part.distance(y) - self.thickness

    def _bounced(self, v: Array, n: Array) -> tuple[Array, Array]:
        """Velocities after restitution and friction, and the reduction of v . v by friction."""
        normal = np.einsum("mi,mi->m", v, n)
        sliding = v - normal[:, None] * n
        speed = np.sqrt(np.einsum("mi,mi->m", sliding, sliding))
        given = -(1.0 + self.restitution) * np.minimum(normal, 0.0)
        slower = np.maximum(speed - self.friction * given, 0.0)
        kept = slower / np.where(speed > 0.0, speed, 1.0)
        return kept[:, None] * sliding + (normal + given)[:, None] * n, speed**2 - slower**2
