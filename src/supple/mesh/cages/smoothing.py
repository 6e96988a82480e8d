"""The steps of a cage smoothed away: vertices of its boundary go towards the surface, as far as tets and surface allow.

In each round a boundary vertex goes half of the way to the mean of its neighbours on the boundary, and towards the surface
down to a margin. Vertices of tets that would become too small, or that points of the surface left, go back to the lattice.
"""

from __future__ import annotations

import numpy as np

from supple.mesh.doctor import flat_and_copies
from supple.mesh.embedding.binding import bind
from supple.mesh.measure import quality
from supple.mesh.nearest import Triangles
from supple.mesh.topology import boundary_triangles, unique_edges
from supple.types import Array, Ints

ROUNDS = 8
MARGIN = 0.15
"""Distance from the surface that is kept, in lengths of a cell."""
REACH = 0.6
"""How far a vertex goes from its place in the lattice at most, in lengths of a cell."""
LEAST = 0.35
"""Quality of a tet (mean ratio) below which its vertices go back."""
TRIES = 6


def smoothed(x: Array, tets: Ints, triangles: Array, points: Array, size: float) -> Array:
    """Vertices of a cage with cells of that size around triangles (f, 3, 3); points (k, 3) stay inside."""
    faces = boundary_triangles(tets)
    outer = np.unique(faces)
    number = np.full(len(x), -1)
    number[outer] = np.arange(len(outer))
    edges = number[unique_edges(faces)]
    degree = np.bincount(edges.ravel(), minlength=len(outer))[:, None]
    corners = triangles.reshape(-1, 3)
    sound = np.arange(len(corners), dtype=np.int32).reshape(-1, 3)
    sound = sound[~flat_and_copies(corners, sound)[0]]
    if not len(sound):
        return x
    surface = Triangles(corners, sound)
    at = x[outer].copy()
    for _ in range(ROUNDS):
        sums = np.zeros_like(at)
        np.add.at(sums, edges[:, 0], at[edges[:, 1]])
        np.add.at(sums, edges[:, 1], at[edges[:, 0]])
        at += 0.5 * (sums / degree - at)
        _pull(at, surface, MARGIN * size)
        away = at - x[outer]
        far = np.linalg.norm(away, axis=1, keepdims=True)
        at = x[outer] + away * np.minimum(1.0, REACH * size / np.maximum(far, 1e-300))
    return _allowed(x, outer, at, tets, points)


def _pull(at: Array, surface: Triangles, margin: float) -> None:
    """Half of the way to the plane of the nearest triangle, but for the margin."""
    side, distance = surface.nearest(at)
    a, b, c = (surface.corners[side, k] for k in range(3))
    normal = np.cross(b - a, c - a)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300)
    over = np.einsum("ki,ki->k", at - a, normal)
    way = np.sign(over) * np.clip(np.minimum(np.abs(over), distance) - margin, 0.0, None)
    at -= 0.5 * way[:, None] * normal


def _allowed(x: Array, outer: Ints, at: Array, tets: Ints, points: Array) -> Array:
    """The moves that leave good tets around all points; others are halved, and at last not made."""
    share = np.ones(len(x))
    for k in range(TRIES):
        moved = x.copy()
        moved[outer] += share[outer, None] * (at - x[outer])
        bad = quality(moved, tets) < LEAST
        if bad.any():
            share[tets[bad]] = 0.0 if k == TRIES - 1 else share[tets[bad]] * 0.5
            moved = x.copy()
            moved[outer] += share[outer, None] * (at - x[outer])
            if (quality(moved, tets) < LEAST).any():
                continue
        left = bind(points, moved, tets)
        out = left.outside > 0.0
        if not out.any():
            return moved
        corners = np.unique(left.corners[out])
        share[np.unique(tets[np.isin(tets, corners).any(axis=1)])] *= 0.0 if k >= TRIES // 2 else 0.5
    return x
