"""Assignment of vertices to the followed object: by index, by position, or by a point of a triangle and its frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.clips.clip import Clip
from supple.errors import SuppleError
from supple.mesh.nearest import Triangles
from supple.model.clips.driven import Driven
from supple.types import Array, Ints

TOLERANCE = 1e-3
"""Permitted distance of vertices from their target, relative to the longest side."""
OTHER_UNIT = 20.0
"""Ratio of sizes that suggests a different unit."""


@dataclass(frozen=True)
class Limit:
    """Permitted distance of vertices from their target [m]."""

    given: float | None
    driven: Driven

    @property
    def metres(self) -> float:
        return self.given if self.given is not None else TOLERANCE * self.driven.size

    def check(self, distances: Array, file: str, size: float, remedy: str) -> float:
        """Reject vertices that are too far away; `size`: longest side of the object [m]. Returns the largest distance [m]."""
        worst = int(distances.argmax())
        if distances[worst] <= self.metres:
            return float(distances[worst])
        driven = self.driven
        far = int((distances > self.metres).sum())
        ratio = size / driven.size if driven.size and size else 1.0
        hint = ""
        if not 1.0 / OTHER_UNIT < ratio < OTHER_UNIT:
            hint = (
                f"; its object is {size:.3g} m long and the mesh {driven.size:.3g} m: compare the units, and set scale"
            )
        raise SuppleError(
            f"{file}: {far} of {len(distances)} vertices of '{driven.name}' are off their first-frame positions; the worst, "
            f"vertex {driven.numbers[worst]}, is {distances[worst]:.3g} m away, {self.metres:.3g} m are allowed{hint}; {remedy}"
        )


def by_number(clip: Clip, driven: Driven) -> Ints:
    """(k,) vertices of the clip, which contains the whole mesh or only the group."""
    if clip.n == driven.total:
        return driven.numbers
    if clip.n == len(driven.numbers):
        return np.arange(clip.n, dtype=np.int32)
    raise SuppleError(
        f"{clip.file}: '{clip.name}' has {clip.n} vertices, but the mesh has {driven.total} and '{driven.name}' "
        f'{len(driven.numbers)} of them; export the same mesh, or take match = "nearest" or "barycentric"'
    )


def by_place(there: Array, driven: Driven) -> tuple[Ints, Array]:
    """(k,) nearest of the points `there` (n, 3), and their distances."""
    from scipy.spatial import KDTree

    distance, nearest = KDTree(there).query(driven.start)
    return nearest.astype(np.int32), distance


@dataclass(frozen=True, eq=False)
class Bound:
    """Points bound to triangles: corners (k, 3), weights (k, 3), and offsets (k, 3) in the frames of the triangles."""

    corners: Ints
    weights: Array
    offsets: Array

    def at(self, x: Array, v: Array) -> tuple[Array, Array]:
        """Positions and velocities for triangle vertices at x with velocities v (n, 3)."""
        frame, turning = frames(x[self.corners], v[self.corners])
        made = np.einsum("kc,kcj->kj", self.weights, x[self.corners]) + np.einsum("kc,kcj->kj", self.offsets, frame)
        rate = np.einsum("kc,kcj->kj", self.weights, v[self.corners]) + np.einsum("kc,kcj->kj", self.offsets, turning)
        return made, rate


def bound_to(points: Array, x: Array, triangles: Ints) -> tuple[Bound, Array]:
    """Points (k, 3) bound to the nearest triangles (t, 3) between vertices at x (n, 3), and their distances."""
    sides = x[triangles]
    areas = np.linalg.norm(np.cross(sides[:, 1] - sides[:, 0], sides[:, 2] - sides[:, 0]), axis=1)
    good = triangles[areas > 1e-12 * max(float(areas.max(initial=0.0)), 1e-300)]
    if not len(good):
        raise SuppleError("its triangles have no area, so nothing can be bound to them")
    which, distance = Triangles(x, good).nearest(points)
    corners = good[which]
    weights = closest_weights(points, x[corners])
    frame, _ = frames(x[corners], np.zeros_like(x[corners]))
    away = points - np.einsum("kc,kcj->kj", weights, x[corners])
    return Bound(corners, weights, np.einsum("kcj,kj->kc", frame, away)), distance


def closest_weights(points: Array, triangles: Array) -> Array:
    """(k, 3) barycentric weights of the closest points of triangles (k, 3, 3)."""
    a, b, c = (triangles[:, i] for i in range(3))
    normal = np.cross(b - a, c - a)
    square = (normal * normal).sum(axis=1)
    best = np.stack(
        [(np.cross(q - points, r - points) * normal).sum(axis=1) / square for q, r in ((b, c), (c, a), (a, b))], axis=1
    )
    outside = (best < 0).any(axis=1)
    nearest = np.full(len(points), np.inf)
    for i, j in ((0, 1), (1, 2), (2, 0)):
        p, q = triangles[:, i], triangles[:, j]
        side = q - p
        s = np.clip(((points - p) * side).sum(axis=1) / (side * side).sum(axis=1), 0.0, 1.0)
        away = np.linalg.norm(points - p - s[:, None] * side, axis=1)
        better = outside & (away < nearest)
        nearest[better] = away[better]
        best[better] = 0.0
        best[better, i], best[better, j] = 1.0 - s[better], s[better]
    return best


def frames(corners: Array, rates: Array) -> tuple[Array, Array]:
    """(k, 3, 3) unit vectors of triangles as rows, along the first side, across it and normal, and their time derivatives."""
    e, f = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    de, df = rates[:, 1] - rates[:, 0], rates[:, 2] - rates[:, 0]
    along, d_along = _unit(e, de)
    normal, d_normal = _unit(np.cross(e, f), np.cross(de, f) + np.cross(e, df))
    across = np.cross(normal, along)
    d_across = np.cross(d_normal, along) + np.cross(normal, d_along)
    return np.stack([along, across, normal], axis=1), np.stack([d_along, d_across, d_normal], axis=1)


def _unit(v: Array, rate: Array) -> tuple[Array, Array]:
    """Unit vectors and their time derivatives; zero for zero vectors."""
    length = np.linalg.norm(v, axis=1, keepdims=True)
    length[length == 0.0] = np.inf
    u = v / length
    return u, (rate - u * (u * rate).sum(axis=1, keepdims=True)) / length
