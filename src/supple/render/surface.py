"""Drawable geometry of a mesh: triangles with smooth normals, split at sharp edges, and tubes for lines.

Both kinds have `faces`, and `source`: the vertex of the part that gives each point its colour. `closed` is true if back
faces are never visible. `place(x)` returns the points and normals when the vertices of the part are at x.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from supple.mesh.shapes.round import icosahedron
from supple.mesh.topology import boundary_edges
from supple.recording.parts import Part
from supple.types import Array, Ints

SHARP, SOFT = 40.0, 65.0
"""Dihedral angle above which edges stay sharp [degrees]; SOFT in shaded looks."""
SIDES = 8
"""Sides of a tube."""
_THIN, _THICK = 0.0025, 0.007  # radii of tubes over the size of the film


@dataclass(frozen=True)
class Form:
    """Triangles to be drawn at one time: points and unit normals (k, 3), faces (f, 3), and for each point one vertex of the
    part, or several (k, q), whose mean gives its colour."""

    points: Array
    normals: Array
    faces: Ints
    source: Ints

    def values(self, values: Array) -> Array:
        """(k,) values from those at the vertices of the part."""
        taken = values[self.source]
        return taken if taken.ndim == 1 else taken.mean(axis=1)


class DrawnSurface(Protocol):
    """Triangles that follow the vertices of a part."""

    @property
    def faces(self) -> Ints: ...
    @property
    def source(self) -> Ints: ...
    @property
    def closed(self) -> bool: ...

    def place(self, x: Array) -> tuple[Array, Array]:
        """Points and unit normals (k, 3) with the vertices at x."""
        ...


def surfaces(part: Part, x: Array, size: float, sharp: float = SHARP) -> list[DrawnSurface]:
    """All visible geometry of a part; `x`, its initial vertices, determines sharp edges."""
    found: list[DrawnSurface] = []
    if len(part.faces):
        found.append(make_skin(part.faces, x, sharp))
    edges = part.edges[~np.isin(part.edges, part.faces).all(axis=1)]  # springs across a sheet would hide it
    if len(edges):
        length = float(np.median(np.linalg.norm(x[edges[:, 1]] - x[edges[:, 0]], axis=1)))
        found.append(make_tubes(edges, min(max(0.06 * length, _THIN * size), _THICK * size)))
    return found


def unit(vectors: Array) -> Array:
    """Each row divided by its length; zero rows stay zero."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0)


def face_normals(points: Array, faces: Ints) -> Array:
    """(f, 3) normals, with twice the area as length."""
    a, b, c = (points[faces[:, j]] for j in range(3))
    return np.cross(b - a, c - a)


@dataclass(frozen=True)
class Skin:
    """A triangulated surface; vertices on sharp edges are duplicated for each side."""

    faces: Ints
    source: Ints
    closed: bool

    def place(self, x: Array) -> tuple[Array, Array]:
        """Points and normals; normals are area-weighted means over adjacent faces."""
        points = x[self.source]
        normals = np.zeros_like(points)
        flat = face_normals(points, self.faces)
        for j in range(3):
            for axis in range(3):
                normals[:, axis] += np.bincount(self.faces[:, j], flat[:, axis], minlength=len(points))
        return points, unit(normals)


def make_skin(faces: Ints, x: Array, sharp: float = SHARP) -> Skin:
    """Corners that meet at a vertex become one point unless a sharp edge separates them."""
    flat = unit(face_normals(x, faces))
    # half-edge k of face f goes from its corner k to the next one; its partner runs the other way
    f, k = np.divmod(np.arange(faces.size), 3)
    begin, end = faces.ravel(), np.roll(faces, -1, axis=1).ravel()
    key = np.minimum(begin, end).astype(np.int64) * len(x) + np.maximum(begin, end)
    order = np.argsort(key, kind="stable")
    twins = key[order][1:] == key[order][:-1]
    a, b = order[:-1][twins], order[1:][twins]
    smooth = np.einsum("ij,ij->i", flat[f[a]], flat[f[b]]) > np.cos(np.radians(sharp))
    a, b = a[smooth], b[smooth]
    corner, following = 3 * f + k, 3 * f + (k + 1) % 3
    crossed = begin[a] != begin[b]  # partners run opposite ways, unless the surface is badly oriented
    ends = np.where(crossed, following[b], corner[b]), np.where(crossed, corner[b], following[b])
    links = np.concatenate([corner[a], following[a]]), np.concatenate(ends)
    graph = coo_array((np.ones(len(links[0])), links), shape=(faces.size, faces.size))
    count, point = connected_components(graph, directed=False)
    source = np.zeros(count, dtype=np.int32)
    source[point] = begin
    return Skin(point.reshape(-1, 3).astype(np.int32), source, not len(boundary_edges(faces)))


@dataclass(frozen=True)
class Tubes:
    """A tube for each line, in `rings` - 1 segments, and a ball at the ends as a joint."""

    edges: Ints
    ends: Ints
    """(b,) vertices with a ball."""
    radius: float
    rings: int
    faces: Ints
    source: Ints
    closed: bool = True

    def place(self, x: Array) -> tuple[Array, Array]:
        """Rings along each line, then the balls."""
        a, b = x[self.edges[:, 0]], x[self.edges[:, 1]]
        along = unit(b - a)
        # any transverse direction works but must not jump between frames: drop the smallest component
        other = np.eye(3)[np.argmin(np.abs(along), axis=1)]
        u = unit(np.cross(along, other))
        w = np.cross(along, u)
        angle = 2 * np.pi * np.arange(SIDES) / SIDES
        ring = np.cos(angle)[:, None] * u[:, None, :] + np.sin(angle)[:, None] * w[:, None, :]
        s = np.linspace(0, 1, self.rings)[:, None]
        middles = (1 - s) * a[:, None] + s * b[:, None]
        tube = middles[:, :, None] + self.radius * ring[:, None]
        out, _ = _ball()
        balls = x[self.ends][:, None] + self.radius * out
        points = np.concatenate([tube.reshape(-1, 3), balls.reshape(-1, 3)])
        across = np.repeat(ring[:, None], self.rings, axis=1).reshape(-1, 3)
        return points, np.concatenate([across, np.tile(out, (len(self.ends), 1))])


def make_tubes(edges: Ints, radius: float, pieces: int = 1) -> Tubes:
    """Tubes of this radius [m] along the lines."""
    rings = pieces + 1
    ends = np.unique(edges).astype(np.int32)
    k = np.arange(SIDES)
    after = (k + 1) % SIDES
    wall = np.concatenate([
        np.stack([k, after, after + SIDES], axis=1), np.stack([k, after + SIDES, k + SIDES], axis=1),
    ])  # fmt: skip
    out, ball = _ball()
    # each wall segment joins a ring to the next one of the same line
    begins = (np.arange(len(edges))[:, None] * rings + np.arange(pieces)).ravel()
    tubes = wall + SIDES * begins[:, None, None]
    balls = ball + len(out) * np.arange(len(ends))[:, None, None] + SIDES * rings * len(edges)
    faces = np.concatenate([tubes.reshape(-1, 3), balls.reshape(-1, 3)]).astype(np.int32)
    nearer = (np.linspace(0, 1, rings) > 0.5).astype(int)
    source = np.concatenate([np.repeat(edges[:, nearer].ravel(), SIDES), np.repeat(ends, len(out))]).astype(np.int32)
    return Tubes(edges, ends, radius, rings, faces, source)


def _ball() -> tuple[Array, Ints]:
    """A coarse unit ball: its corners, and its faces, counterclockwise seen from outside."""
    corners, faces = icosahedron()
    inward = np.einsum("ij,ij->i", face_normals(corners, faces), corners[faces[:, 0]]) < 0
    return corners, np.where(inward[:, None], faces[:, ::-1], faces)
