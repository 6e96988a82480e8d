"""Transfer of surface groups to the tets that fill it.

A vertex of the new boundary belongs to a group if the old triangle next to it has all its corners in the group. A
member without such a triangle (a single vertex, or a vertex of a line) maps to the nearest new vertex.
"""

from __future__ import annotations

import numpy as np

from supple.mesh.mesh import Mesh
from supple.mesh.nearest import Triangles
from supple.mesh.topology import boundary_triangles
from supple.types import Ints


def carried_groups(surface: Mesh, body: Mesh) -> dict[str, Ints]:
    """The groups of the surface, as vertices of the body."""
    from scipy.spatial import KDTree

    if not surface.groups:
        return {}
    outer = np.unique(boundary_triangles(body.tets))
    old, _ = Triangles(surface.vertices, surface.triangles).nearest(body.vertices[outer])
    tree = KDTree(body.vertices[outer])
    found = {}
    for name, members in surface.groups.items():
        inside = np.zeros(surface.n, dtype=bool)
        inside[members] = True
        filled = np.asarray(inside[surface.triangles].all(axis=1))
        single = inside.copy()
        single[surface.triangles[filled]] = False
        nearest = tree.query(surface.vertices[single])[1]
        found[name] = np.union1d(outer[filled[old]], outer[nearest]).astype(np.int32)
    return found
