"""Point location: the tet that contains a point, the nearest tet to a point outside, the nearest triangle.

Centres of elements are stored in trees, one per size class, so a few large elements do not slow the search among many
small ones. The nearest centres are examined first, then more of them until no other element of the class can matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import numpy.typing as npt

from supple.types import Array, Ints

INSIDE = 1e-9
"""Tolerance below 0 for a weight in a tet that contains the point."""
CANDIDATES = 16
"""Elements of a class that are examined first."""
BUDGET = 400_000
"""Pairs of point and element processed in one batch, which bounds the memory."""

Longs = npt.NDArray[np.int64]


class Tets:
    """Tets (m, 4) with corners at x (n, 3)."""

    def __init__(self, x: Array, tets: Ints) -> None:
        corners = x[tets]
        self.origin = corners[:, 0]
        self.inverse = np.linalg.inv(np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2))
        self.classes = _classes(corners)
        self.side_corners, self.owner = _boundary(tets)
        self.sides = Triangles(x, self.side_corners)

    def weights(self, points: Array, tets: Longs) -> Array:
        """(..., 4) barycentric weights of points (..., 3) in tets (...)."""
        last = np.einsum("...ij,...j->...i", self.inverse[tets], points - self.origin[tets])
        return np.concatenate([1 - last.sum(axis=-1, keepdims=True), last], axis=-1)

    def locate(self, points: Array) -> tuple[Longs, Array]:
        """The tet that contains each point, or else the nearest one; and the distance of the point outside."""
        owner, distance, _ = self.located(points)
        return owner, distance

    def located(self, points: Array) -> tuple[Longs, Array, Longs]:
        """The same, and the nearest side of points outside; -1 for others."""
        owner, distance = self._holding(points), np.zeros(len(points))
        lost = np.flatnonzero(owner < 0)
        side = np.full(len(points), -1, dtype=np.int64)
        side[lost], distance[lost] = self.sides.nearest(points[lost])
        owner[lost] = self.owner[side[lost]]
        return owner, distance, side

    def _holding(self, points: Array) -> Longs:
        """-1 for points in no tet."""
        owner = np.full(len(points), -1, dtype=np.int64)
        for group in self.classes:
            # a tet that contains a point has its centre within reach
            limit = np.where(owner < 0, group.reach, 0.0)
            for rows, near in group.candidates(points, limit):
                least = self.weights(points[rows][:, None], near).min(axis=-1)
                best = least.argmax(axis=1)
                found = least.max(axis=1) >= -INSIDE
                owner[rows[found]] = near[np.arange(len(rows)), best][found]
                limit[rows[found]] = 0.0
        return owner


class Triangles:
    """Triangles (f, 3) with corners at x (n, 3)."""

    def __init__(self, x: Array, triangles: Ints) -> None:
        self.corners = x[triangles]
        self.classes = _classes(self.corners)

    def nearest(self, points: Array) -> tuple[Longs, Array]:
        """The nearest triangle to each point, and the distance to it."""
        side, distance = np.zeros(len(points), dtype=np.int64), np.full(len(points), np.inf)
        for group in self.classes:
            # a triangle closer than the best so far has its centre within that distance plus its own reach
            limit = distance + group.reach
            for rows, near in group.candidates(points, limit):
                found = to_triangles(points[rows][:, None], self.corners[near])
                best = found.argmin(axis=1)
                closest = found.min(axis=1)
                better = closest < distance[rows]
                side[rows[better]] = near[np.arange(len(rows)), best][better]
                distance[rows[better]] = closest[better]
                limit[rows] = distance[rows] + group.reach
        return side, distance


class _Class:
    """Elements of about one size; `reach` is the largest distance of a point in an element from its centre."""

    def __init__(self, members: Longs, centres: Array, reach: float) -> None:
        from scipy.spatial import KDTree

        self.members, self.reach = members, reach
        self.tree = KDTree(centres)

    def candidates(self, points: Array, limit: Array) -> Iterator[tuple[Longs, Longs]]:
        """Rows of points and elements (rows, k) for them, until all with centres within `limit` have been yielded.

        The caller may lower the limits between two yields. Points are repeated with elements they already had.
        """
        open_rows = np.arange(len(points))
        k = min(CANDIDATES, len(self.members))
        while len(open_rows := open_rows[limit[open_rows] > 0]):
            left = []
            for rows in np.array_split(open_rows, len(open_rows) * k // BUDGET + 1):
                distance, near = (a.reshape(len(rows), k) for a in self.tree.query(points[rows], k=k))
                yield rows, self.members[near]
                left.append(rows[distance[:, -1] < limit[rows]])
            if k == len(self.members):
                return
            open_rows, k = np.concatenate(left), min(4 * k, len(self.members))


def _classes(corners: Array) -> list[_Class]:
    """Elements (m, k, 3) by size, each class twice as large as the next."""
    centres = corners.mean(axis=1)
    reach = np.linalg.norm(corners - centres[:, None], axis=2).max(axis=1)
    level = np.floor(np.log2(reach / reach.max()))
    groups = [np.flatnonzero(level == value) for value in np.unique(level)]
    return [_Class(members, centres[members], float(reach[members].max())) for members in groups]


def _boundary(tets: Ints) -> tuple[Ints, Longs]:
    """Sides (f, 3) of one tet only, and that tet (f,)."""
    sides = np.concatenate([tets[:, list(side)] for side in combinations(range(4), 3)])
    _, first, counts = np.unique(np.sort(sides, axis=1), axis=0, return_index=True, return_counts=True)
    once = first[counts == 1]
    return sides[once], once % len(tets)


def to_triangles(points: Array, triangles: Array) -> Array:
    """Distance of points (..., 3) to triangles (..., 3, 3): to the plane where they lie over it, else to the sides."""
    a, b, c = (triangles[..., i, :] for i in range(3))
    normal = np.cross(b - a, c - a)
    over = np.ones(normal.shape[:-1], dtype=bool)
    nearest = np.full(normal.shape[:-1], np.inf)
    for p, q in ((a, b), (b, c), (c, a)):
        side, away = q - p, points - p
        over &= _dot(np.cross(side, away), normal) >= 0
        s = np.clip(_dot(side, away) / _dot(side, side), 0, 1)
        way = away - s[..., None] * side
        nearest = np.minimum(nearest, _dot(way, way))
    height = np.abs(_dot(points - a, normal)) / np.sqrt(_dot(normal, normal))
    return np.where(over, height, np.sqrt(nearest))


def _dot(a: Array, b: Array) -> Array:
    return np.asarray(np.einsum("...i,...i->...", a, b))
