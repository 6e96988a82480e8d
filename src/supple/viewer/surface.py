"""What can be seen of a mesh: its faces, and the lines that lie on no face."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.mesh.mesh import Mesh
from supple.mesh.topology import surface as faces_of
from supple.recording.film import Film
from supple.types import Ints


@dataclass(frozen=True, eq=False)
class Surface:
    """`faces` and `edges` count within `vertices`."""

    vertices: Ints
    """(k,) vertices of the mesh that are seen, ascending."""
    faces: Ints
    """(f, 3) triangles."""
    edges: Ints
    """(e, 2) lines with an end on no triangle: ropes."""

    @property
    def loose(self) -> Ints:
        """Seen vertices on no triangle, as numbers within `vertices`."""
        return np.setdiff1d(np.arange(len(self.vertices), dtype=np.int32), self.faces)


def mesh_surface(mesh: Mesh) -> Surface:
    """All bodies of a mesh at once."""
    inner = np.isin(mesh.triangles, mesh.tets).all(axis=1) if mesh.is_solid else np.zeros(len(mesh.triangles), bool)
    faces = faces_of(mesh)
    if mesh.is_solid:  # other bodies of the scene may be cloth
        faces = np.concatenate([faces, mesh.triangles[~inner]])
    return _surface(faces, mesh.edges[~np.isin(mesh.edges, mesh.tets).all(axis=1)])


def film_surface(film: Film) -> Surface:
    """All bodies of a recorded run at once."""
    return _surface(
        np.concatenate([part.vertices[part.faces] for part in film.parts]),
        np.concatenate([part.vertices[part.edges] for part in film.parts]),
    )


def _surface(faces: Ints, edges: Ints) -> Surface:
    edges = edges[~np.isin(edges, faces).all(axis=1)]
    seen = np.unique(np.concatenate([faces.ravel(), edges.ravel()])).astype(np.int32)
    return Surface(seen, np.searchsorted(seen, faces).astype(np.int32), np.searchsorted(seen, edges).astype(np.int32))
