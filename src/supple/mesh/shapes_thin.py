"""Cloth and rope: triangles and edges without thickness, with the edges named as springs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Gt

from supple.errors import MeshError
from supple.mesh import SHAPES
from supple.mesh.grid import grid_vertices
from supple.mesh.mesh import Mesh
from supple.mesh.parameters import check_parameters
from supple.types import Ints

Count = Annotated[int, Ge(1)]
Length = Annotated[float, Gt(0)]


def _joined(parts: dict[str, list[Ints]]) -> tuple[Ints, dict[str, Ints]]:
    """All edges one after the other, and where each named part went."""
    edges = {name: np.concatenate(pairs).astype(np.int32) for name, pairs in parts.items()}
    ends = np.cumsum([0, *map(len, edges.values())])
    spans = {name: np.arange(ends[i], ends[i + 1], dtype=np.int32) for i, name in enumerate(edges)}
    return np.concatenate(list(edges.values())), spans


def _pairs(a: Ints, b: Ints) -> Ints:
    return np.stack([a.ravel(), b.ravel()], axis=1)


@SHAPES("cloth")
@dataclass(frozen=True)
class Cloth:
    """A rectangular sheet on a grid; node (i, j) has index i (nv + 1) + j, with i along x.

    Its edges are springs in three groups: `stretch` along the grid lines, `shear` across both diagonals of every
    cell, `bend` between nodes two apart along a grid line. Triangle diagonals alternate from cell to cell.
    """

    cells: tuple[Count, Count] = (10, 10)
    """Grid cells along x, and along y or z."""
    size: tuple[Length, Length] = (1.0, 1.0)
    """Lengths along x, and along y or z [m]."""
    plane: Literal["xy", "xz"] = "xz"
    """`xy` hangs and faces +z, `xz` lies flat and faces +y."""
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """The corner with the smallest coordinates [m]."""

    def __post_init__(self) -> None:
        check_parameters(self)

    def mesh(self) -> Mesh:
        """The mesh, with the groups left, right, bottom, top, corner_00 to corner_11 (by x, then y or z), corners."""
        u, v = grid_vertices(self.cells, self.size, (0.0, 0.0)).T
        x = np.stack([u, v, 0 * u] if self.plane == "xy" else [u, 0 * u, v], axis=1) + self.origin
        nodes = np.arange(len(x), dtype=np.int32).reshape(self.cells[0] + 1, self.cells[1] + 1)
        edges, edge_groups = _joined(_springs(nodes))
        triangles = _triangles(nodes)
        if self.plane == "xz":  # x cross z is -y: turn the triangles over, so that they face up
            triangles = triangles[:, [0, 2, 1]]
        return Mesh(x, edges=edges, triangles=triangles, groups=_borders(nodes), edge_groups=edge_groups)


def _springs(nodes: Ints) -> dict[str, list[Ints]]:
    return {
        "stretch": [_pairs(nodes[:-1], nodes[1:]), _pairs(nodes[:, :-1], nodes[:, 1:])],
        "shear": [_pairs(nodes[:-1, :-1], nodes[1:, 1:]), _pairs(nodes[1:, :-1], nodes[:-1, 1:])],
        "bend": [_pairs(nodes[:-2], nodes[2:]), _pairs(nodes[:, :-2], nodes[:, 2:])],
    }


def _triangles(nodes: Ints) -> Ints:
    corners = np.stack([c.ravel() for c in (nodes[:-1, :-1], nodes[1:, :-1], nodes[1:, 1:], nodes[:-1, 1:])], axis=1)
    is_odd = np.indices((nodes.shape[0] - 1, nodes.shape[1] - 1)).sum(axis=0).ravel() % 2 == 1
    even, odd = [[0, 1, 2], [0, 2, 3]], [[0, 1, 3], [1, 2, 3]]
    return np.where(is_odd[:, None, None], corners[:, odd], corners[:, even]).reshape(-1, 3)


def _borders(nodes: Ints) -> dict[str, Ints]:
    corners = {f"corner_{a}{b}": nodes[[-a], [-b]] for a in (0, 1) for b in (0, 1)}
    return {
        "left": nodes[0],
        "right": nodes[-1],
        "bottom": nodes[:, 0],
        "top": nodes[:, -1],
        **corners,
        "corners": np.concatenate(list(corners.values())),
    }


@SHAPES("rope")
@dataclass(frozen=True)
class Rope:
    """A straight chain of edges: `stretch` between neighbours, `bend` between nodes two apart."""

    segments: Count = 20
    """Edges from end to end."""
    length: Length = 1.0
    """Length [m]."""
    direction: tuple[float, float, float] = (1.0, 0.0, 0.0)
    """Where it runs to; its length does not count, but it must not be zero."""
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Where it starts [m]."""

    def __post_init__(self) -> None:
        check_parameters(self)
        if not np.any(self.direction):
            raise MeshError(f"rope.direction: found {self.direction}; give a vector that is not zero, like (1, 0, 0)")

    def mesh(self) -> Mesh:
        """The mesh, with the groups start and end."""
        along = np.asarray(self.direction) / np.linalg.norm(self.direction)
        x = np.asarray(self.origin) + np.outer(np.linspace(0.0, self.length, self.segments + 1), along)
        nodes = np.arange(len(x), dtype=np.int32)
        edges, edge_groups = _joined(
            {"stretch": [_pairs(nodes[:-1], nodes[1:])], "bend": [_pairs(nodes[:-2], nodes[2:])]}
        )
        return Mesh(x, edges=edges, groups={"start": nodes[:1], "end": nodes[-1:]}, edge_groups=edge_groups)
