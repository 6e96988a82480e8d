"""A fine surface that a solid carries along: each of its vertices keeps its place in one tet.

A point p of the rest body lies in the tet with corners X_0 .. X_3 at p = sum w_i X_i, sum w_i = 1; in motion it is at
sum w_i x_i. A vertex outside all tets goes with the nearest tet, whose affine map is continued outside.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.spatial import KDTree

from supple.errors import MeshError
from supple.export.sequence import Body
from supple.mesh.mesh import Mesh
from supple.mesh.topology import surface
from supple.recording.playback import Singles
from supple.types import Array, Ints

INSIDE = 1e-9
"""A weight may be so far below 0 in a tet that holds the point."""
CANDIDATES = 16
"""Tets that are looked at first."""
CHUNK = 20_000
"""Vertices that are bound at a time, which bounds the memory."""


@dataclass(frozen=True, eq=False)
class Binding:
    """For each vertex of a skin the corners of its tet (k, 4) and their weights (k, 4)."""

    corners: Ints
    weights: Array
    outside: Array
    """(k,) distance [m] to the nearest tet, 0 for vertices inside."""

    def matrix(self, n: int) -> csr_array:
        """(k, n): values at the n vertices of the solid -> values at the skin."""
        k = len(self.corners)
        return csr_array((self.weights.ravel(), self.corners.ravel(), np.arange(k + 1) * 4), shape=(k, n))


def bind(points: Array, rest: Array, tets: Ints) -> Binding:
    """Points (k, 3) bound to tets (m, 4) with rest positions (n, 3)."""
    solid = _Solid(rest, tets)
    pieces = [solid.locate(points[i : i + CHUNK]) for i in range(0, len(points), CHUNK)]
    owner, distance = (np.concatenate(column) for column in zip(*pieces, strict=True))
    return Binding(tets[owner], solid.weights(points, owner), distance)


def skinned(name: str, skin: Mesh, binding: Binding, n: int) -> Body:
    """The skin as a body of a sequence whose film has n vertices."""
    matrix = binding.matrix(n)

    def pick(values: Singles) -> Singles:
        return np.ascontiguousarray(matrix @ values.astype(np.float64), dtype=np.float32)

    none = np.empty((0, 4), dtype=np.int32)
    return Body(name, skin.n, surface(skin), skin.edges, none, False, pick)


def check_fit(where: str, binding: Binding, size: float) -> list[str]:
    """Notes on vertices outside of a body of that size [m]; a skin that lies elsewhere altogether is refused."""
    out = binding.outside > 1e-6 * size
    if not out.any():
        return []
    worst = float(binding.outside.max())
    if float(np.median(binding.outside)) > 0.5 * size:
        raise MeshError(
            f"{where}: this skin lies {worst:.3g} m away from the body, which is {size:.3g} m long; it must fit the body "
            "at rest, in metres (--skin-scale 0.01 for a file in centimetres) and with the same axes"
        )
    return [
        f"{where}: {out.sum()} of {len(out)} vertices lie outside the tets, up to {worst:.3g} m; they go with the nearest"
    ]


class _Solid:
    """Tets at rest, with what is needed to find the one that holds a point."""

    def __init__(self, rest: Array, tets: Ints) -> None:
        corners = rest[tets]
        self.origin = corners[:, 0]
        edges = np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2)
        if (np.abs(np.linalg.det(edges)) == 0).any():
            raise MeshError("the body at rest has flat tets, to which no skin can be bound; repair its mesh")
        self.inverse = np.linalg.inv(edges)
        self.corners = corners
        centre = corners.mean(axis=1)
        self.tree = KDTree(centre)
        self.reach = float(np.linalg.norm(corners - centre[:, None], axis=2).max())
        """No point of a tet is farther from its centre."""

    def weights(self, points: Array, owner: npt.NDArray[np.int64]) -> Array:
        """(..., 4) weights of points (..., 3) in the tets `owner` (...)."""
        last = np.einsum("...ij,...j->...i", self.inverse[owner], points - self.origin[owner])
        return np.concatenate([1 - last.sum(axis=-1, keepdims=True), last], axis=-1)

    def locate(self, points: Array) -> tuple[npt.NDArray[np.int64], Array]:
        """The tet of each point, and how far outside it is."""
        count = min(CANDIDATES, len(self.origin))
        _, near = self.tree.query(points, k=count)
        near = near.reshape(len(points), count)
        least = self.weights(points[:, None], near).min(axis=-1)
        best = least.argmax(axis=1)
        rows = np.arange(len(points))
        owner, distance = near[rows, best], np.zeros(len(points))
        # the few that are in none of the nearest: all tets that could hold them, then the distances themselves
        for i in np.flatnonzero(least[rows, best] < -INSIDE):
            owner[i], distance[i] = self._search(points[i], near[i])
        return owner, distance

    def _search(self, point: Array, near: npt.NDArray[np.int64]) -> tuple[int, float]:
        reached = self.tree.query_ball_point(point, self.reach)
        within = np.asarray(reached, dtype=np.int64)
        if len(within):
            least = self.weights(point[None], within).min(axis=-1)
            if least.max() >= -INSIDE:
                return int(within[least.argmax()]), 0.0
        bound = self._distances(point, near).min()
        # no tet whose centre is farther than that can be nearer
        rivals = np.asarray(self.tree.query_ball_point(point, bound * (1 + 1e-12) + self.reach), dtype=np.int64)
        distances = self._distances(point, rivals)
        return int(rivals[distances.argmin()]), float(distances.min())

    def _distances(self, point: Array, tets: npt.NDArray[np.int64]) -> Array:
        """From a point outside to each of the tets."""
        sides = [self.corners[tets][:, list(side)] for side in ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))]
        return np.min([_to_triangles(point, side) for side in sides], axis=0)


def _to_triangles(point: Array, triangles: Array) -> Array:
    """Distance of a point to each triangle (m, 3, 3): to its plane above the triangle, else to its sides."""
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    normal = np.cross(b - a, c - a)
    length = np.linalg.norm(normal, axis=1)
    over = np.ones(len(a), dtype=bool)
    nearest = np.full(len(a), np.inf)
    for p, q in ((a, b), (b, c), (c, a)):
        side, away = q - p, point - p
        over &= np.einsum("mi,mi->m", np.cross(side, away), normal) >= 0
        s = np.clip(np.einsum("mi,mi->m", side, away) / np.einsum("mi,mi->m", side, side), 0, 1)
        nearest = np.minimum(nearest, np.linalg.norm(away - s[:, None] * side, axis=1))
    height = np.abs(np.einsum("mi,mi->m", point - a, normal)) / length
    return np.where(over, height, nearest)
