"""Balls, cylinders and tori of tets, layered so that no tet is flattened against the curved surface."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt

from supple.errors import MeshError
from supple.mesh import SHAPES
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.grid import grid_tets, solid
from supple.mesh.shapes.shape import Counts
from supple.mesh.topology import Longs, distinct
from supple.types import Array, Ints

Count = Annotated[int, Ge(1)]
Length = Annotated[float, Gt(0)]


@SHAPES("ball")
@dataclass(frozen=True)
class Ball:
    """A ball of 20 r^3 tets: the 20 tets between the centre and the faces of an icosahedron, each split into r^3.

    Layer s of r lies on the sphere of radius s/r, which keeps all tets close to regular at any resolution. All its
    vertices lie inside or on the sphere, so its volume is slightly below the volume of the sphere.
    """

    radius: Length = 0.5
    """Radius [m]."""
    centre: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Centre [m]."""
    resolution: Count = 4
    """Layers between the centre and the surface."""

    def counts(self) -> Counts:
        """The size of the mesh."""
        r = float(self.resolution)
        return Counts(1.0 + 5.0 * r * (r + 1.0) * (2.0 * r + 1.0) / 3.0 + 2.0 * r, 20.0 * r**3)

    def mesh(self) -> Mesh:
        """The mesh, with the groups left, right, bottom, top, back and front (vertices at the ends of its bounding box)."""
        tips, faces = icosahedron()
        weights, tets = _cut_tet(self.resolution)
        # A vertex is identified by its integer weights on the 12 tips, which neighbouring sectors share exactly.
        w: Ints = np.zeros((len(faces), len(weights), 12), dtype=np.int32)
        np.put_along_axis(w, np.broadcast_to(faces[:, None, :], (len(faces), len(weights), 3)), weights[None], axis=2)
        first, inverse, _ = distinct(w.reshape(-1, 12))
        w = w.reshape(-1, 12)[first]
        sectors = (tets[None] + len(weights) * np.arange(len(faces))[:, None, None]).reshape(-1, 4)
        direction = w @ tips
        length = np.linalg.norm(direction, axis=1)
        scale = np.divide(w.sum(axis=1), length, out=np.zeros(len(w)), where=length > 0)
        x = direction * scale[:, None] * (self.radius / self.resolution) + self.centre
        return solid(x, inverse[sectors].astype(np.int32))


def icosahedron() -> tuple[Array, Ints]:
    """Unit vectors to the 12 tips of an icosahedron that stands on a tip, and the corners of its 20 faces."""
    fifth = 2.0 * np.pi / 5.0 * np.arange(5)
    height, width = 1.0 / np.sqrt(5.0), 2.0 / np.sqrt(5.0)
    upper = np.stack([width * np.cos(fifth), np.full(5, height), width * np.sin(fifth)], axis=1)
    tips = np.vstack([[0.0, 1.0, 0.0], upper, -upper, [0.0, -1.0, 0.0]])
    i = np.arange(5)
    up, up_next = 1 + i, 1 + (i + 1) % 5
    # Lower tip 6 + i is opposite upper tip 1 + i; between upper tips i and i + 1 hangs the opposite of tip i + 3.
    low, low_next = 6 + (i + 3) % 5, 6 + (i + 4) % 5
    top, bottom = np.zeros(5, dtype=np.int64), np.full(5, 11)
    faces = [(top, up, up_next), (up, up_next, low), (up_next, low, low_next), (bottom, low, low_next)]
    return tips, np.concatenate([np.stack(f, axis=1) for f in faces]).astype(np.int32)


def _cut_tet(r: int) -> tuple[Ints, Ints]:
    """A tet split into r^3: integer weights (p, 3) of the points on corners 1 to 3, and the corners of the parts.

    In the coordinates (a, b, c) with r >= a >= b >= c >= 0 a tet is a union of tets of Kuhn's grid. The weights of
    the corners are a - b, b - c and c, so a counts the layers from corner 0.
    """
    a, b, c = np.indices((r + 1,) * 3).reshape(3, -1)
    inside = (a >= b) & (b >= c)
    number = np.cumsum(inside, dtype=np.int32) - 1
    tets = grid_tets((r, r, r), 6)
    weights = np.stack([a - b, b - c, c], axis=1)[inside].astype(np.int32)
    return weights, number[tets[inside[tets].all(axis=1)]]


@SHAPES("cylinder")
@dataclass(frozen=True)
class Cylinder:
    """A disc of 18 r^2 l tets, r rings and l layers, with the axis y. Its volume is slightly below pi radius^2 height."""

    radius: Length = 0.5
    """Radius [m]."""
    height: Length = 0.3
    """Length along y [m]."""
    rings: Count = 4
    """Rings between the axis and the surface."""
    layers: Annotated[int, Ge(0)] = 0
    """Layers along y; 0: layer height approximately the ring width."""
    centre: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Centre [m]."""

    @property
    def _layers(self) -> float:
        high = self.height * self.rings / self.radius
        return self.layers or max(1.0, float(round(high)) if math.isfinite(high) else high)

    def counts(self) -> Counts:
        """The size of the mesh."""
        points, triangles = _disc_counts(self.rings)
        return Counts((self._layers + 1.0) * points, 3.0 * triangles * self._layers)

    def mesh(self) -> Mesh:
        """The mesh, with the groups left, right, bottom, top, back and front (vertices at the ends of its bounding box)."""
        disc, triangles = _disc(self.rings)
        layers = int(self._layers)
        y = np.linspace(-0.5, 0.5, layers + 1)
        flat = np.tile(self.radius * disc, (layers + 1, 1))
        x = np.stack([flat[:, 0], np.repeat(self.height * y, len(disc)), flat[:, 1]], axis=1)
        here = (triangles[None] + len(disc) * np.arange(layers)[:, None, None]).reshape(-1, 3)
        return solid(x + self.centre, _cut_prisms(here, here + len(disc)))


@SHAPES("torus")
@dataclass(frozen=True)
class Torus:
    """A ring of tets that lies flat: its axis is y. Its volume is slightly below 2 pi^2 major minor^2."""

    major: Length = 0.5
    """Radius of the centre line [m]; above the minor radius."""
    minor: Length = 0.2
    """Radius of the tube [m]."""
    around: Annotated[int, Ge(3)] = 24
    """Segments along the ring."""
    across: Count = 2
    """Layers between the centre line and the surface."""
    centre: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Centre [m]."""

    def __post_init__(self) -> None:
        if self.minor >= self.major:
            raise MeshError(f"torus.minor: found {self.minor}; must be below torus.major, which is {self.major}")

    def counts(self) -> Counts:
        """The size of the mesh."""
        points, triangles = _disc_counts(self.across)
        return Counts(self.around * points, 3.0 * self.around * triangles)

    def mesh(self) -> Mesh:
        """The mesh, with the groups left, right, bottom, top, back and front (vertices at the ends of its bounding box)."""
        disc, triangles = _disc(self.across)
        turn = 2.0 * np.pi * np.arange(self.around) / self.around
        out = self.major + self.minor * disc[:, 0]
        y = np.broadcast_to(self.minor * disc[:, 1], (self.around, len(disc)))
        x = np.stack([np.outer(np.cos(turn), out), y, np.outer(np.sin(turn), out)], axis=-1).reshape(-1, 3)
        here = (triangles[None] + len(disc) * np.arange(self.around)[:, None, None]).reshape(-1, 3)
        return solid(x + self.centre, _cut_prisms(here, (here + len(disc)) % len(x)))


def _cut_prisms(here: Longs, there: Longs) -> Ints:
    """Prisms between triangles, each split into three tets; ascending corners make neighbours agree on the diagonals."""
    prism = np.concatenate([here, there], axis=1)
    return prism[:, [[0, 1, 2, 5], [0, 1, 4, 5], [0, 3, 4, 5]]].reshape(-1, 4).astype(np.int32)


def _disc_counts(r: float) -> tuple[float, float]:
    """Points and triangles of a disc."""
    return 1.0 + 3.0 * r * (r + 1.0), 6.0 * r * r


def _disc(r: int) -> tuple[Array, Ints]:
    """A unit disc of 6 r^2 triangles in r rings, ring s with 6 s points; corners of a triangle ascend."""
    ring = np.repeat(np.arange(r + 1), np.maximum(6 * np.arange(r + 1), 1))
    start = np.append(0, 1 + 3 * np.arange(r) * np.arange(1, r + 1))  # first point of ring s: 1 + 3 s (s - 1)
    place = np.arange(len(ring)) - start[ring]
    angle = np.pi / 3.0 * place / np.maximum(ring, 1)
    points = (ring / r)[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)

    def point(s: Longs, sector: Longs, t: Longs) -> Longs:
        return start[s] + np.where(s > 0, (sector * s + t) % np.maximum(6 * s, 1), 0)

    sector, s, t = (g.ravel() for g in np.meshgrid(np.arange(6), np.arange(1, r + 1), np.arange(r), indexing="ij"))
    outward, inward = t < s, t < s - 1
    big = [point(s - 1, sector, t), point(s, sector, t), point(s, sector, t + 1)]
    small = [point(s - 1, sector, t), point(s - 1, sector, t + 1), point(s, sector, t + 1)]
    triangles = np.concatenate([np.stack(big, axis=1)[outward], np.stack(small, axis=1)[inward]])
    return points, np.sort(triangles, axis=1).astype(np.int32)
