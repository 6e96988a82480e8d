"""The volume inside a closed surface, kept exactly constant: incompressible bodies.

    g = V(x) - V0,  V = sum over triangles of det(y0, y1, y2)/6,  y = x - origin      [m^3]
One equation over all vertices of the surface. Its multiplier is a pressure [Pa], as of a fluid that fills the body. g
is cubic along a straight line, so two Gauss points give its mean gradient exactly. Its second derivative couples the
corners of each triangle only, which keeps the matrix sparse.
"""

from __future__ import annotations

import numpy as np

from supple.constraints.holonomic import Holonomic, checked_vertices
from supple.energies.areas.measures import CONE
from supple.errors import MeshError
from supple.linalg.square import sum_at_vertices
from supple.mesh.topology import boundary_edges
from supple.types import Array, Ints


class FixedVolume(Holonomic):
    """The volume inside closed triangles (f, 3), equal to the volume at the positions `rest` (n, 3)."""

    degree, internal = 3, True

    def __init__(self, rest: Array, triangles: Ints, name: str = "volume") -> None:
        self.name = name
        faces = np.ascontiguousarray(triangles, dtype=np.int32)
        opened = boundary_edges(faces)
        if not len(faces) or len(opened):
            raise MeshError(
                f"{name}: the surface has {len(opened)} open edges; only a closed surface encloses a volume (a solid, the "
                "shape sphere, or a closed surface from a file)"
            )
        corners, local = np.unique(faces, return_inverse=True)
        self.vertices = checked_vertices(corners, name, len(corners))
        self._faces = self.stencils = faces
        self.owners = np.zeros(len(faces), dtype=np.int64)
        self._local = local.reshape(faces.shape).astype(np.int32)
        self.volume = float(CONE.values(self._corners(rest)).sum())
        """V0, negative where the triangles face inwards [m^3]."""
        if not abs(self.volume) > 0.0:
            raise MeshError(f"{name}: the surface encloses no volume at the start, so there is nothing to conserve")

    def values(self, x: Array) -> Array:
        return np.array([CONE.values(self._corners(x)).sum() - self.volume])

    def gradients(self, x: Array) -> Array:
        found = sum_at_vertices(self._local, CONE.gradients(self._corners(x)), self.vertices.shape[1])
        return found[None]

    def hessians(self, x: Array) -> Array:
        return CONE.hessians(self._corners(x))

    def turned(self, x: Array, w: Array) -> Array:
        moves: Array = w[self._faces].reshape(len(self._faces), -1)
        rows = np.einsum("fab,fb->fa", self.hessians(x), moves)
        return sum_at_vertices(self._local, rows.reshape(-1, 3, 3), self.vertices.shape[1])[None]

    def label(self, j: int) -> str:
        return f"{self.name} (volume inside {len(self._faces)} triangles)"

    def _corners(self, x: Array) -> Array:
        # the sum does not depend on the origin, but its round-off does
        corners: Array = x[self._faces] - x[self._faces[0, 0]]
        return corners
