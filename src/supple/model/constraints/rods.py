"""Rods between vertices, with their initial lengths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from supple.constraints.holonomic import Holonomic
from supple.constraints.links import FixedLengths
from supple.errors import SceneError
from supple.mesh.mesh import Mesh
from supple.mesh.topology import unique_edges
from supple.model.constraints.constraint import CONSTRAINTS, Constraint
from supple.model.placed import Placed
from supple.model.places import nearest_vertices, place
from supple.types import Array, Ints


@CONSTRAINTS("rods")
@dataclass(frozen=True)
class Rods(Constraint):
    """Fixed distances: rods between vertices, with their initial lengths."""

    vertices: str
    """`body`, or `body.group`."""
    to: str | None = None
    """`body` or `body.group`: a rod from each vertex to the nearest of these; if absent, rods along the mesh edges
    between the vertices."""

    def holonomic(self, placed: Sequence[Placed], x: Array, path: str) -> Sequence[Holonomic]:
        vertices, part = place(self.vertices, placed, f"{path}.vertices")
        if self.to is None:
            return [FixedLengths(x, _edges(part, vertices, path), name=path)]
        other, _ = place(self.to, placed, f"{path}.to")
        ends = np.stack([vertices, other[nearest_vertices(x[vertices], x[other])]], axis=1)
        return [FixedLengths(x, ends, name=path)]


def _edges(part: Placed, vertices: Ints, path: str) -> Ints:
    """Edges of the body between these vertices: the named edges of the mesh, or else the sides of its triangles and tets."""
    edges = part.own(_all_edges(part.mesh))
    inside = edges[np.isin(edges, vertices).all(axis=1)]
    if not len(inside):
        raise SceneError(f"{path}: no edges between these vertices of '{part.name}'; give `to`, where rods end")
    return inside


def _all_edges(mesh: Mesh) -> Ints:
    if "stretch" in mesh.edge_groups:  # not the diagonal springs, nor the bending springs
        return mesh.edges[mesh.edge_groups["stretch"]]
    if len(mesh.edges):
        return mesh.edges
    return unique_edges(mesh.tets if mesh.is_solid else mesh.triangles)
