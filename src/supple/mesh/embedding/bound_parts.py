"""Surfaces bound to tets in separate pieces: each part of the surface to its own piece."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, vstack

from supple.mesh.embedding.binding import Binding, bind
from supple.mesh.mesh import Mesh
from supple.types import Array, Ints

PART = "part"
"""Tag of tets with the part of the surface that they carry, in cages that keep parts apart."""


def part_tags(mesh: Mesh) -> Ints | None:
    """(m,) part of each tet, in a cage that keeps parts apart; None in others."""
    if PART in mesh.tags:
        return mesh.tags[PART]
    found = mesh.tags.get("gmsh:physical")  # the name of the single tag array in .msh files
    several = found is not None and len(found) and found.min() == 0 and found.max() > 0
    return found if several else None


def bind_surface(points: Array, mesh: Mesh, part: Ints) -> Binding:
    """Points (k, 3) bound to the tets of a mesh; `part` (k,) is the tag of the tets that may carry each of them."""
    tags = part_tags(mesh)
    if tags is None or not np.array_equal(np.unique(part), np.unique(tags)):
        return bind(points, mesh.vertices, mesh.tets)
    matrices, rows = [], []
    host, weights = np.empty(len(points), np.int64), np.empty((len(points), 4))
    outside = np.empty(len(points))
    for k in np.unique(part):
        own, tets = np.flatnonzero(part == k), np.flatnonzero(tags == k)
        found = bind(points[own], mesh.vertices, mesh.tets[tets])
        host[own], weights[own], outside[own] = tets[found.host], found.weights, found.outside
        matrices.append(found.matrix)
        rows.append(own)
    order = np.argsort(np.concatenate(rows), kind="stable")
    matrix = csr_array(vstack(matrices).tocsr()[order])
    return Binding(matrix, host, mesh.tets[host], weights, outside)
