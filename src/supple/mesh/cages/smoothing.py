"""Smoothing of a cage: boundary vertices move towards the surface, as far as tets and surface allow.

In each round a boundary vertex moves part of the way to the mean of its neighbours on the boundary, and towards the
surface up to a margin. Inner vertices move to the mean of their neighbours. Vertices of tets that would become too flat
stay. Finally, faces crossed by points of the surface move back towards the lattice.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from supple.mesh.doctor import flat_and_copies
from supple.mesh.measure import quality
from supple.mesh.nearest import Tets, Triangles
from supple.mesh.topology import boundary_triangles, unique_edges
from supple.types import Array, Ints

ROUNDS, REPAIRS = 16, 8
MARGIN = 0.1
"""Margin kept from the surface, in cell lengths."""
STEP = 0.5
"""Fraction of its displacement that a vertex moves per round."""
LEAST = 0.25
"""Quality of a tet (mean ratio) below which its vertices stay."""
SMALLEST = 0.2
"""Smallest fraction of a step that is still tried."""

Flags = npt.NDArray[np.bool_]


def smoothed(x: Array, tets: Ints, triangles: Array, points: Array, size: float) -> Array:
    """Vertices of a cage with cells of that size around triangles (f, 3, 3), which have the points (k, 3)."""
    corners = triangles.reshape(-1, 3)
    rows = np.arange(len(corners), dtype=np.int32).reshape(-1, 3)
    rows = rows[~flat_and_copies(corners, rows)[0]]
    if not len(rows):
        return x
    surface, lattice = Triangles(corners, rows), x
    faces = boundary_triangles(tets)
    outer = np.zeros(len(x), dtype=bool)
    outer[faces] = True
    along, through = unique_edges(faces), unique_edges(tets)
    for _ in range(ROUNDS):
        wanted = np.where(outer[:, None], _means(x, along), _means(x, through))
        wanted[outer] = _pulled(0.5 * (wanted + x)[outer], surface, MARGIN * size)
        x = _good(x, x + STEP * (wanted - x), tets)
    for _ in range(REPAIRS):
        x = _around(x, lattice, tets, points)
    return x


def _means(x: Array, edges: Ints) -> Array:
    """(n, 3) mean of the neighbours of each vertex; its own position if it has none."""
    sums, count = np.zeros_like(x), np.bincount(edges.ravel(), minlength=len(x))
    np.add.at(sums, edges[:, 0], x[edges[:, 1]])
    np.add.at(sums, edges[:, 1], x[edges[:, 0]])
    return np.where(count[:, None] > 0, sums / np.maximum(count, 1)[:, None], x)


def _pulled(at: Array, surface: Triangles, margin: float) -> Array:
    """Positions moved onto the margin, along the normal of the nearest triangle."""
    side, distance = surface.nearest(at)
    a, b, c = (surface.corners[side, k] for k in range(3))
    normal = np.cross(b - a, c - a)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    over = np.einsum("ki,ki->k", at - a, normal)
    way = np.sign(over) * np.clip(np.minimum(np.abs(over), distance) - margin, 0.0, None)
    return np.asarray(at - way[:, None] * normal)


def _good(old: Array, new: Array, tets: Ints) -> Array:
    """The new positions; vertices of tets that would become too flat move part of the way, or stay."""
    least = np.minimum(LEAST, quality(old, tets))
    share = np.ones(len(old))
    while True:
        at = old + share[:, None] * (new - old)
        bad = quality(at, tets) < least
        if not bad.any():
            return at
        corners = np.unique(tets[bad])
        if not share[corners].any():
            return old
        share[corners] = np.where(share[corners] > SMALLEST, 0.5 * share[corners], 0.0)


def _around(x: Array, lattice: Array, tets: Ints, points: Array) -> Array:
    """Move faces with points outside them, and their neighbours, halfway back to the lattice."""
    solid = Tets(x, tets)
    _, distance, side = solid.located(points)
    out = distance > 0.0
    if not out.any():
        return x
    near = np.isin(tets, solid.side_corners[side[out]]).any(axis=1)
    back = np.zeros(len(x), dtype=bool)
    back[tets[near]] = True
    return _good(x, np.where(back[:, None], 0.5 * (x + lattice), x), tets)
