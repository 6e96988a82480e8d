"""Ordered chains of vertices along an edge, and points at fractions of the length of a chain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.errors import SuppleError
from supple.mesh.mesh import Mesh
from supple.mesh.topology import boundary_edges, surface, unique_edges
from supple.types import Array, Ints


@dataclass(frozen=True, eq=False)
class Chain:
    """An ordered chain of vertices of a mesh."""

    vertices: Ints
    closed: bool
    """Whether the last vertex is a neighbour of the first."""

    def turned(self) -> Chain:
        """The chain in reverse order."""
        return Chain(self.vertices[::-1], self.closed)

    def begun_at(self, k: int) -> Chain:
        """A closed chain that starts at another of its vertices."""
        return Chain(np.roll(self.vertices, -k), True)

    def places(self, x: Array) -> Array:
        """(k,) length from the first vertex to each, relative to the whole chain [-]."""
        return self._lengths(x)[: len(self.vertices)]

    def points(self, x: Array, places: Array) -> tuple[Ints, Array]:
        """The two vertices (p, 2) around positions along the chain, and the weight (p,) of the second."""
        ends = np.append(self.vertices, self.vertices[0]) if self.closed else self.vertices
        lengths = self._lengths(x)
        k = np.clip(np.searchsorted(lengths, places, side="right") - 1, 0, len(ends) - 2)
        share = (places - lengths[k]) / (lengths[k + 1] - lengths[k])
        return np.stack([ends[k], ends[k + 1]], axis=1).astype(np.int32), np.clip(share, 0.0, 1.0)

    def _lengths(self, x: Array) -> Array:
        ends = np.append(self.vertices, self.vertices[0]) if self.closed else self.vertices
        steps = np.linalg.norm(np.diff(x[ends], axis=0), axis=1)
        if not (steps > 0.0).all():
            raise SuppleError("two neighbours along it have the same position")
        return np.append(0.0, np.cumsum(steps)) / steps.sum()


def chain_of(mesh: Mesh, vertices: Ints) -> Chain:
    """Some vertices of a mesh in order: along its open edge, or along any edges between them."""
    if len(vertices) < 2:
        raise SuppleError(f"has {len(vertices)} vertices, too few for a chain; give at least two")
    triangles = surface(mesh)
    edges = boundary_edges(triangles) if len(triangles) else mesh.edges
    every = [unique_edges(cells) for cells in (mesh.tets, mesh.triangles, mesh.edges) if len(cells)]
    for some in (edges, np.concatenate([np.empty((0, 2), np.int32), *every])):
        within = np.unique(np.sort(some[np.isin(some, vertices).all(axis=1)], axis=1), axis=0)
        found = _walked(within, vertices)
        if found is not None:
            return found
    raise SuppleError(
        'its vertices do not form one line of edges; take pairing = "nearest", or a group that is one edge of the body'
    )


def _walked(edges: Ints, vertices: Ints) -> Chain | None:
    """The vertices along edges, if these are one line or one loop through all of them."""
    near: dict[int, list[int]] = {int(v): [] for v in vertices}
    for a, b in edges.tolist():
        near[a].append(b)
        near[b].append(a)
    ends = [v for v, others in near.items() if len(others) == 1]
    if any(len(others) not in (1, 2) for others in near.values()) or len(ends) not in (0, 2):
        return None
    order = [min(ends) if ends else min(near)]
    before = -1
    while len(order) <= len(near):
        ahead = [v for v in near[order[-1]] if v != before]
        if not ahead or ahead[0] == order[0]:
            break
        before = order[-1]
        order.append(ahead[0])
    return Chain(np.array(order, dtype=np.int32), not ends) if len(order) == len(near) else None
