"""Cloth and rope: triangles and edges without thickness, with the edges named as springs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Gt

from supple.errors import MeshError
from supple.mesh import SHAPES
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.grid import grid_vertices
from supple.mesh.shapes.shape import Counts
from supple.mesh.shapes.sheet import (
    Pattern,
    Shear,
    check_rows,
    grid_springs,
    grid_triangles,
    pairs,
    row_positions,
    row_springs,
    row_triangles,
    rows_of_nodes,
)
from supple.types import Ints

Count = Annotated[int, Ge(1)]
Length = Annotated[float, Gt(0)]


def _joined(parts: dict[str, Ints]) -> tuple[Ints, dict[str, Ints]]:
    """All edges concatenated, and the indices of each named part."""
    ends = np.cumsum([0, *map(len, parts.values())])
    spans = {name: np.arange(ends[i], ends[i + 1], dtype=np.int32) for i, name in enumerate(parts)}
    return np.concatenate(list(parts.values())).astype(np.int32), spans


@SHAPES("cloth")
@dataclass(frozen=True)
class Cloth:
    """A rectangular sheet on a grid; node (i, j) has index i (nv + 1) + j, with i along x.

    Its edges are springs in three groups: `stretch` along the grid lines, `shear` across the diagonals of every
    cell, `bend` between nodes two apart along a grid line.

    The pattern `equilateral` keeps the width size[0] and the number of rows cells[1]. Rows run along x, every other one
    shifted by half a cell. They are sqrt(3)/2 size[0]/cells[0] apart, so size[1] is matched to within half a row. Half triangles
    close both sides. All edges of triangles are `stretch`; none is `shear`. Nodes are numbered row by row.
    """

    cells: tuple[Count, Count] = (10, 10)
    """Grid cells along x, and along y or z."""
    size: tuple[Length, Length] = (1.0, 1.0)
    """Lengths along x, and along y or z [m]."""
    plane: Literal["xy", "xz"] = "xz"
    """`xy` hangs and faces +z, `xz` lies flat and faces +y."""
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """The corner with the smallest coordinates [m]."""
    pattern: Pattern = "alternating"
    """Diagonals of the cells: alternating from cell to cell, all parallel, or rows of equilateral triangles."""
    shear: Shear = "both"
    """Springs across a cell: both diagonals, or the one between its triangles."""

    def __post_init__(self) -> None:
        if self.pattern == "equilateral":
            check_rows("cloth", "size[1]", self.size[1], self.size[0] / self.cells[0], self.cells)

    def counts(self) -> Counts:
        """The size of the mesh."""
        u, v = map(float, self.cells)
        return Counts((u + 1.5) * (v + 1.0), 8.0 * u * v)

    def mesh(self) -> Mesh:
        """The mesh, with the groups left, right, bottom, top, corner_00 to corner_11 (by x, then y or z), corners."""
        if self.pattern == "equilateral":
            rows = rows_of_nodes(self.cells)
            u, v = row_positions(rows, self.size[0] / self.cells[0]).T
            triangles, springs, sides = row_triangles(rows), row_springs(rows), _row_sides(rows)
        else:
            u, v = grid_vertices(self.cells, self.size, (0.0, 0.0)).T
            nodes = np.arange(len(u), dtype=np.int32).reshape(self.cells[0] + 1, self.cells[1] + 1)
            triangles, springs = grid_triangles(nodes, self.pattern), grid_springs(nodes, self.pattern, self.shear)
            sides = {"left": nodes[0], "right": nodes[-1], "bottom": nodes[:, 0], "top": nodes[:, -1]}
        x = np.stack([u, v, 0 * u] if self.plane == "xy" else [u, 0 * u, v], axis=1) + self.origin
        if self.plane == "xz":  # x cross z is -y: flip the triangles, so they face up
            triangles = triangles[:, [0, 2, 1]]
        edges, edge_groups = _joined(springs)
        return Mesh(x, edges=edges, triangles=triangles, groups=sides | _corners(sides), edge_groups=edge_groups)


def _row_sides(rows: list[Ints]) -> dict[str, Ints]:
    left, right = (np.array([row[end] for row in rows], dtype=np.int32) for end in (0, -1))
    return {"left": left, "right": right, "bottom": rows[0], "top": rows[-1]}


def _corners(sides: dict[str, Ints]) -> dict[str, Ints]:
    """The ends of the left and the right side."""
    corners = {f"corner_{a}{b}": sides[("left", "right")[a]][[-b]] for a in (0, 1) for b in (0, 1)}
    return corners | {"corners": np.concatenate(list(corners.values()))}


@SHAPES("rope")
@dataclass(frozen=True)
class Rope:
    """A straight chain of edges: `stretch` between neighbours, `bend` between nodes two apart."""

    segments: Count = 20
    """Edges from end to end."""
    length: Length = 1.0
    """Length [m]."""
    direction: tuple[float, float, float] = (1.0, 0.0, 0.0)
    """Direction of the rope; its length is ignored, but must not be zero."""
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Start point [m]."""

    def __post_init__(self) -> None:
        if not np.any(self.direction):
            raise MeshError(f"rope.direction: found {self.direction}; give a vector that is not zero, like (1, 0, 0)")

    def counts(self) -> Counts:
        """The size of the mesh."""
        return Counts(self.segments + 1.0, 2.0 * self.segments)

    def mesh(self) -> Mesh:
        """The mesh, with the groups start and end."""
        along = np.asarray(self.direction) / np.linalg.norm(self.direction)
        x = np.asarray(self.origin) + np.outer(np.linspace(0.0, self.length, self.segments + 1), along)
        nodes = np.arange(len(x), dtype=np.int32)
        edges, edge_groups = _joined({"stretch": pairs(nodes[:-1], nodes[1:]), "bend": pairs(nodes[:-2], nodes[2:])})
        return Mesh(x, edges=edges, groups={"start": nodes[:1], "end": nodes[-1:]}, edge_groups=edge_groups)
