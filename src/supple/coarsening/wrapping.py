"""A coarse mesh that follows the shape of the body: its outer surface, offset slightly and filled with larger tets."""

from __future__ import annotations

import numpy as np

from supple.coarsening.harmonic import outer_faces
from supple.coarsening.overlap import overlaps
from supple.errors import MeshError, SuppleError
from supple.mesh.measure import tet_volumes
from supple.mesh.mesh import Mesh
from supple.mesh.tetrahedralise import tetrahedralise
from supple.types import Array, Ints

OFFSETS = (0.1, 0.2, 0.4)
"""Offsets from the body, in edge lengths, tried until the mesh contains it: the mesher cuts corners."""
ENVELOPE = 0.09
"""Permitted distance of the mesh from the offset surface, in edge lengths."""
MISSED = 1e-6


def wrapped(vertices: Array, tets: Ints, edge_length: float) -> Mesh:
    """Tets with edges of about `edge_length` [m] that contain the body; empty tets are omitted."""
    if not edge_length > 0.0:
        raise SuppleError(f"edge length of a coarse mesh: found {edge_length:g}; must be positive [m]")
    faces = outer_faces(vertices, tets)
    seen, numbers = np.unique(faces, return_inverse=True)
    triangles = numbers.reshape(-1, 3).astype(np.int32)
    x, normals = vertices[seen], _normals(vertices[seen], triangles)
    diagonal = float(np.linalg.norm(np.ptp(x, axis=0)))
    total = float(np.abs(tet_volumes(vertices, tets)).sum())
    missed = 1.0
    for offset in OFFSETS:
        moved = Mesh(x + offset * edge_length * normals, triangles=triangles)
        filled = tetrahedralise(moved, edge_length, envelope=ENVELOPE * edge_length / diagonal, coarsen=True)
        found = overlaps(vertices, tets, filled.vertices, filled.tets)
        missed = 1.0 - float(found.volume.sum()) / total
        if missed <= MISSED:
            kept = filled.tets[found.covered(len(filled.tets)) > 0.0]
            used, numbers = np.unique(kept, return_inverse=True)
            return Mesh(filled.vertices[used], tets=numbers.reshape(-1, 4).astype(np.int32))
    raise MeshError(
        f"coarse mesh: with edges of {edge_length:g} m, {missed:.2%} of the body still lies outside the mesh; "
        "take a smaller edge length, or a cage (--cells)"
    )


def _normals(x: Array, triangles: Ints) -> Array:
    """(n, 3) outward unit normals at vertices, from the adjacent faces."""
    a, b, c = (x[triangles[:, j]] for j in range(3))
    sums = np.zeros_like(x)
    np.add.at(sums, triangles, np.repeat(np.cross(b - a, c - a)[:, None], 3, axis=1))
    return sums / np.linalg.norm(sums, axis=1, keepdims=True)
