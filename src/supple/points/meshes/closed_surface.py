"""A closed surface of triangles: exact signed distances to it, and their gradients."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from supple.errors import MeshError
from supple.linalg.pool import in_parts
from supple.mesh.doctor import closed_surface_problems
from supple.mesh.topology import half_edges
from supple.points.meshes.nearest_kernels import signed_distances
from supple.types import Array, Ints

LEAF = 4
"""Largest number of triangles in a leaf of the tree."""
TINY = 1e-12
"""Distance, relative to the size of the surface, below which a point counts as on it."""
PARTS = 4
"""Number of chunks of a search shared among threads."""


@dataclass(frozen=True, eq=False)
class ClosedSurface:
    """The region enclosed by a surface, regardless of its overall orientation; it must not intersect itself."""

    vertices: Array
    """(n, 3) [m]"""
    triangles: Ints
    """(f, 3) counterclockwise seen from outside."""

    def __post_init__(self) -> None:
        problems = closed_surface_problems(self.triangles)
        if problems:
            said = "; ".join(str(problem) for problem in problems)
            raise MeshError(f"the surface is not closed and encloses no volume: {said}")
        a, b, c = np.moveaxis(self.vertices[self.triangles], 1, 0)
        if float(np.einsum("fi,fi->", a, np.cross(b, c))) < 0.0:
            object.__setattr__(self, "triangles", np.ascontiguousarray(self.triangles[:, ::-1]))

    def signed(self, points: Array) -> tuple[Array, Array]:
        """(m,) distances of points (m, 3), negative inside [m], and their gradients (m, 3)."""
        order, boxes, children = self._tree
        points = np.ascontiguousarray(points)
        distance, gradient = np.empty(len(points)), np.empty((len(points), 3))
        tiny = TINY * float(np.ptp(self.vertices, axis=0).max())
        corners, normals = self.vertices[self.triangles[order]], self._normals[order]
        cuts = np.linspace(0, len(points), PARTS + 1).astype(int)

        def search(k: int) -> None:
            own = slice(cuts[k], cuts[k + 1])
            signed_distances(points[own], corners, normals, boxes, children, tiny, distance[own], gradient[own])

        in_parts(search, PARTS)
        return distance, gradient

    @cached_property
    def _normals(self) -> Array:
        """(f, 7, 3) unit pseudo-normals of face, edges and corners of each triangle."""
        x = self.vertices[self.triangles]
        face = _unit(np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0]))
        ends = np.sort(half_edges(self.triangles), axis=1)
        _, edge = np.unique(ends[:, 0].astype(np.int64) * len(self.vertices) + ends[:, 1], return_inverse=True)
        edges = _sums(edge.ravel(), np.repeat(face, 3, axis=0), int(edge.max()) + 1)
        to_next, to_last = (_unit(np.roll(x, way, axis=1) - x) for way in (-1, 1))
        angles = np.arccos(np.clip(np.einsum("fki,fki->fk", to_next, to_last), -1.0, 1.0))
        weighted = (angles[:, :, None] * face[:, None]).reshape(-1, 3)
        corners = _sums(self.triangles.ravel(), weighted, len(self.vertices))
        parts = [face[:, None], _unit(edges)[edge.reshape(-1, 3)], _unit(corners)[self.triangles]]
        return np.concatenate(parts, axis=1)

    @cached_property
    def _tree(self) -> tuple[Ints, Array, np.ndarray]:
        """Order of the triangles, boxes (b, 6) and children (b, 2): see `signed_distances`. Halves by the longest side."""
        x = self.vertices[self.triangles]
        low, high, centres = x.min(axis=1), x.max(axis=1), x.mean(axis=1)
        order = np.arange(len(x))
        boxes: list[Array] = []
        children: list[tuple[int, int]] = []
        waiting = [(0, len(x), -1, 0)]
        while waiting:
            first, end, parent, side = waiting.pop()
            own, here = order[first:end], len(boxes)
            boxes.append(np.concatenate([low[own].min(axis=0), high[own].max(axis=0)]))
            children.append((-1 - first, end))
            if parent >= 0:
                one, two = children[parent]
                children[parent] = (here, two) if side == 0 else (one, here)
            if end - first > LEAF:
                axis = int(np.ptp(centres[own], axis=0).argmax())
                middle = (first + end) // 2
                order[first:end] = own[np.argpartition(centres[own, axis], middle - first)]
                children[here] = (0, 0)
                waiting += [(first, middle, here, 0), (middle, end, here, 1)]
        return order.astype(np.int32), np.array(boxes), np.array(children, dtype=np.int64)


def _unit(vectors: Array) -> Array:
    size = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(size > 0.0, size, 1.0))


def _sums(rows: np.ndarray, values: Array, count: int) -> Array:
    """(count, 3) sums of values (m, 3) by rows (m,)."""
    return np.stack([np.bincount(rows, values[:, axis], count) for axis in range(3)], axis=1)
