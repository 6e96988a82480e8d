"""Surfaces of triangles, without thickness: spheres, tubes and boxes. Their triangles face outwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt, Le

from supple.mesh import SHAPES
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.grid import grid_tets, grid_vertices, oriented, side_groups
from supple.mesh.shapes.round import icosahedron
from supple.mesh.shapes.shape import Counts
from supple.mesh.shapes.sheet import Pattern, check_rows, grid_triangles, row_height
from supple.mesh.topology import boundary_triangles, distinct, half_edges, unique_edges
from supple.types import Array, Ints

Length = Annotated[float, Gt(0)]
Count = Annotated[int, Ge(1)]


@SHAPES("sphere")
@dataclass(frozen=True)
class Sphere:
    """The surface of a ball, of 20 4^s triangles: an icosahedron whose edges are halved s times.

    All vertices lie on the sphere, so its area and volume are slightly below those of the sphere. Its edges are the
    springs `stretch`.
    """

    radius: Length = 0.5
    """Radius [m]."""
    centre: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Centre [m]."""
    subdivisions: Annotated[int, Ge(0), Le(8)] = 3
    """Number of times every triangle is split into four."""

    def counts(self) -> Counts:
        """The size of the mesh."""
        parts = 4.0**self.subdivisions
        return Counts(10.0 * parts + 2.0, 50.0 * parts)

    def mesh(self) -> Mesh:
        """The mesh, with the groups left, right, bottom, top, back and front (vertices at the ends of its bounding box)."""
        x, triangles = icosahedron()
        for _ in range(self.subdivisions):
            x, triangles = _halved(x, triangles)
        a, b, c = (x[triangles[:, j]] for j in range(3))
        inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), a) < 0.0
        triangles = np.where(inward[:, None], triangles[:, [0, 2, 1]], triangles)
        x = self.radius * x + self.centre
        return _surface(x, triangles, side_groups(x))


def _halved(x: Array, triangles: Ints) -> tuple[Array, Ints]:
    """Each triangle of a unit sphere split into four, with the edge midpoints moved out to the sphere."""
    sides = np.sort(half_edges(triangles), axis=1)
    first, inverse, _ = distinct(sides)
    middle = x[sides[first]].sum(axis=1)
    middle /= np.linalg.norm(middle, axis=1, keepdims=True)
    corners = np.concatenate([triangles, len(x) + inverse.reshape(-1, 3)], axis=1)  # middles of sides 01, 12, 20
    parts = corners[:, [[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]]].reshape(-1, 3)
    return np.concatenate([x, middle]), parts.astype(np.int32)


@SHAPES("tube")
@dataclass(frozen=True)
class Tube:
    """The curved surface of a cylinder with the axis y, open at both ends; node (i, j) has index i (na + 1) + j.

    The pattern `equilateral` keeps the radius and the number of rows cells[1]. Every other row is rotated by half a
    cell. Rows are sqrt(3)/2 of an arc 2 pi radius/cells[0] apart, so the length is matched to within half a row.
    Its edges are the springs `stretch`.
    """

    radius: Length = 0.25
    """Radius [m]."""
    length: Length = 1.0
    """Length along y [m]."""
    cells: tuple[Annotated[int, Ge(3)], Annotated[int, Ge(1)]] = (24, 15)
    """Cells around, and along y."""
    centre: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Centre [m]."""
    pattern: Pattern = "alternating"
    """Diagonals of the cells: alternating from cell to cell, all parallel, or rows of equilateral triangles."""

    def __post_init__(self) -> None:
        if self.pattern == "equilateral":
            check_rows("tube", "length", self.length, self._arc, self.cells)

    @property
    def _arc(self) -> float:
        return 2.0 * np.pi * self.radius / self.cells[0]

    def counts(self) -> Counts:
        """The size of the mesh."""
        around, along = map(float, self.cells)
        return Counts(around * (along + 1.0), 5.0 * around * along + around)

    def mesh(self) -> Mesh:
        """The mesh, with the groups bottom and top (the open ends)."""
        around, along = self.cells
        equilateral = self.pattern == "equilateral"
        i, j = np.indices((around, along + 1))
        turn = 2.0 * np.pi / around * (i + (0.5 * (j % 2) if equilateral else 0.0))
        length = along * row_height(self._arc) if equilateral else self.length
        # with z first, x second, counterclockwise in (angle, y) is outward
        x = np.stack([self.radius * np.sin(turn), length * (j / along - 0.5), self.radius * np.cos(turn)], axis=-1)
        nodes = np.arange(around * (along + 1), dtype=np.int32).reshape(around, along + 1)
        triangles = grid_triangles(np.concatenate([nodes, nodes[:1]]), self.pattern)
        return _surface(x.reshape(-1, 3) + self.centre, triangles, {"bottom": nodes[:, 0], "top": nodes[:, -1]})


@SHAPES("box")
@dataclass(frozen=True)
class Box:
    """The surface of a box: six sides of triangles, whose diagonals alternate. It is the boundary of a `bar` with the same cells.
    Its edges are the springs `stretch`.
    """

    cells: tuple[Count, Count, Count] = (4, 4, 4)
    """Grid cells along x, y and z."""
    size: tuple[Length, Length, Length] = (1.0, 1.0, 1.0)
    """Lengths along x, y and z [m]."""
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """The corner with the smallest x, y and z [m]."""

    def counts(self) -> Counts:
        """The size of the mesh."""
        a, b, c = map(float, self.cells)
        sides = a * b + b * c + c * a
        return Counts(2.0 * sides + 2.0, 10.0 * sides, a * b * c)

    def mesh(self) -> Mesh:
        """The mesh, with the groups left, right, bottom, top, back and front."""
        x = grid_vertices(self.cells, self.size, self.origin)
        corners, at = np.unique(boundary_triangles(oriented(x, grid_tets(self.cells, 5))), return_inverse=True)
        return _surface(x[corners], at.reshape(-1, 3).astype(np.int32), side_groups(x[corners]))


def _surface(x: Array, triangles: Ints, groups: dict[str, Ints]) -> Mesh:
    edges = unique_edges(triangles)
    stretch = np.arange(len(edges), dtype=np.int32)
    return Mesh(x, edges=edges, triangles=triangles, groups=groups, edge_groups={"stretch": stretch})
