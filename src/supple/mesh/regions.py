"""Parts of a solid by the positions of its tet centres: layers, balls, tubes, boxes, half spaces, voxel images.

Each implements `parts(points)`: the part that contains each point, counted from 0, or OUTSIDE.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from supple.errors import MeshError
from supple.mesh.mesh import Mesh
from supple.types import Array, Ints

OUTSIDE = -1
SHOWN = 5


class Region(Protocol):
    """A region of space."""

    def parts(self, points: Array) -> Ints:
        """(m,) part in which each of the points (m, 3) lies, or OUTSIDE."""
        ...


def centres(mesh: Mesh) -> Array:
    """(m, 3) centres of the tets [m]."""
    return mesh.vertices[mesh.tets].mean(axis=1)


def inside(mask: npt.ArrayLike) -> Ints:
    """Part 0 where the mask holds."""
    return np.where(mask, 0, OUTSIDE).astype(np.int32)


@dataclass(frozen=True)
class Layers:
    """Layers across one axis, starting at `low`, with `kinds` alternating materials; part k is every layer of kind k."""

    axis: int
    low: float
    """Start of the first layer [m]."""
    thickness: Array
    """(l,) thickness of each [m]; nothing lies beyond the last."""
    kinds: int

    def parts(self, points: Array) -> Ints:
        ends = self.low + np.cumsum(self.thickness)
        x = points[:, self.axis]
        layer = np.searchsorted(ends, x, side="right")
        known = (x >= self.low) & (layer < len(ends))
        return np.where(known, layer % self.kinds, OUTSIDE).astype(np.int32)


@dataclass(frozen=True)
class Balls:
    """The union of balls."""

    centres: Array
    """(b, 3) [m]"""
    radii: Array
    """(b,) [m]"""

    def parts(self, points: Array) -> Ints:
        found = np.zeros(len(points), dtype=bool)
        for centre, radius in zip(self.centres, self.radii, strict=True):
            found |= np.linalg.norm(points - centre, axis=1) <= radius
        return inside(found)


@dataclass(frozen=True)
class TubeRegion:
    """All points closer to a polyline than a radius, which varies linearly along each segment."""

    points: Array
    """(p, 3) [m]"""
    radii: Array
    """(p,) [m]"""

    def parts(self, points: Array) -> Ints:
        found = np.zeros(len(points), dtype=bool)
        for k in range(len(self.points) - 1):
            a, along = self.points[k], self.points[k + 1] - self.points[k]
            square = float(along @ along)
            # s: parameter of the nearest point of the segment, 0 at its start and 1 at its end
            s = np.clip((points - a) @ along / square, 0.0, 1.0) if square > 0.0 else np.zeros(len(points))
            radius = self.radii[k] + s * (self.radii[k + 1] - self.radii[k])
            found |= np.linalg.norm(points - a - s[:, None] * along, axis=1) <= radius
        return inside(found)


@dataclass(frozen=True)
class Together:
    """The union of several regions, as one part."""

    members: Sequence[Region]

    def parts(self, points: Array) -> Ints:
        found = np.zeros(len(points), dtype=bool)
        for member in self.members:
            found |= member.parts(points) != OUTSIDE
        return inside(found)


@dataclass(frozen=True)
class BoxRegion:
    """Between two corners."""

    low: Array
    high: Array

    def parts(self, points: Array) -> Ints:
        return inside(((points >= self.low) & (points <= self.high)).all(axis=1))


@dataclass(frozen=True)
class HalfSpaceRegion:
    """(X - point) . normal >= 0"""

    point: Array
    normal: Array

    def parts(self, points: Array) -> Ints:
        return inside((points - self.point) @ self.normal >= 0.0)


@dataclass(frozen=True)
class Voxels:
    """A voxel image in a box: voxel (i, j, k) is the i-th along x, j-th along y, k-th along z. Part p is the value `known[p]`."""

    values: npt.NDArray[Any]
    """(nx, ny, nz) integers."""
    low: Array
    high: Array
    known: tuple[int, ...]
    """Values with a material; all values in the body must be among them."""

    def parts(self, points: Array) -> Ints:
        shape = np.array(self.values.shape)
        place = np.floor((points - self.low) / (self.high - self.low) * shape).astype(np.int64)
        within = ((points >= self.low) & (points <= self.high)).all(axis=1)
        i, j, k = np.clip(place, 0, shape - 1).T
        parts = np.full(len(points), OUTSIDE, dtype=np.int32)
        parts[within] = numbered(self.values[i, j, k][within].astype(np.int64), self.known, np.flatnonzero(within))
        return parts


def numbered(values: npt.NDArray[Any], known: Sequence[int], tets: npt.NDArray[Any] | None = None) -> Ints:
    """Index of each value among the known ones; others are rejected. `tets`: indices of the tets with these values."""
    parts = np.full(len(values), OUTSIDE, dtype=np.int32)
    for p, value in enumerate(known):
        parts[values == value] = p
    strange = np.flatnonzero(parts == OUTSIDE)
    if len(strange):
        first = ", ".join(map(str, strange[:SHOWN] if tets is None else tets[strange[:SHOWN]]))
        raise MeshError(
            f"no material for {', '.join(map(str, np.unique(values[strange])[:SHOWN]))}, which {len(strange)} tets have (first: "
            f"{first}); known: {', '.join(map(str, known))}"
        )
    return parts


def tagged(mesh: Mesh, array: str | None) -> tuple[str, Ints]:
    """Name and values of a tag array; if none is named, Gmsh's or Medit's, or the only one."""
    names = list(mesh.tags)
    if array is None:
        usual = [name for name in ("gmsh:physical", "medit:ref") if name in names]
        array = usual[0] if usual else names[0] if len(names) == 1 else None
    if array is None or array not in mesh.tags:
        found = f"no array '{array}'" if array else "no array named"
        raise MeshError(f"{found}; tags of this mesh: {', '.join(names) or 'none, its file has no cell data'}")
    return array, mesh.tags[array]
