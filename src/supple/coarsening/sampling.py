"""Location of points in a mesh of tets."""

from __future__ import annotations

import numpy as np

from supple.coarsening.fine_body import shape_gradients
from supple.types import Array, Ints

NEAR = 32
"""Number of tets, by distance of their centres, searched first for a point."""
INSIDE = -1e-9
"""Barycentric coordinate above which a point counts as inside."""
CHUNK = 8192


def locate(points: Array, vertices: Array, tets: Ints) -> tuple[Ints, Array]:
    """Tet (k,) and barycentric coordinates (k, 4) of each point; for points outside the mesh those of the nearest
    tet, which extrapolates fields linearly."""
    from scipy.spatial import cKDTree

    gradients = shape_gradients(vertices, tets)
    tree = cKDTree(vertices[tets].mean(axis=1))
    host = np.full(len(points), -1, dtype=np.int32)
    coordinates = np.empty((len(points), 4))
    open_points = np.arange(len(points))
    near = min(NEAR, len(tets))
    while len(open_points):
        for first in range(0, len(open_points), CHUNK):
            chosen = open_points[first : first + CHUNK]
            candidates = np.asarray(tree.query(points[chosen], k=near)[1]).reshape(len(chosen), near)
            lam = _barycentric(points[chosen], vertices, tets, gradients, candidates)
            best = lam.min(axis=2).argmax(axis=1)
            rows = np.arange(len(chosen))
            host[chosen], coordinates[chosen] = candidates[rows, best], lam[rows, best]
        open_points = open_points[coordinates[open_points].min(axis=1) < INSIDE]
        if near == min(len(tets), NEAR * 8):
            break
        near = min(len(tets), NEAR * 8)
    return host, coordinates


def _barycentric(points: Array, vertices: Array, tets: Ints, gradients: Array, candidates: np.ndarray) -> Array:
    """(k, c, 4) barycentric coordinates of points (k, 3) in candidate tets (k, c)."""
    centre = vertices[tets].mean(axis=1)
    offset = points[:, None] - centre[candidates]
    return 0.25 + np.einsum("kcai,kci->kca", gradients[candidates], offset)


def sampled(field: Array, tets: Ints, host: Ints, coordinates: Array) -> Array:
    """(r, k, 3) values of fields (r, n, 3) at located points."""
    return np.einsum("rkai,ka->rki", field[:, tets[host]], coordinates)
