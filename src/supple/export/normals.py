"""Normals at the corners of faces, for obstacles: programs smooth surfaces without normals, but stairs have edges."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from supple.recording.playback import Singles
from supple.types import Array, Ints

SHARP = 40.0
"""Dihedral angle above which edges stay sharp [degrees]."""


class CornerNormals:
    """Each corner has the area-weighted mean over the faces at its vertex within SHARP of its own face."""

    def __init__(self, faces: Ints, x: Singles) -> None:
        """`x` (n, 3): vertices at the time that determines sharp edges."""
        self._faces = faces
        corner = np.arange(faces.size)
        at = csr_array((np.ones(faces.size), (corner, faces.ravel())), shape=(faces.size, len(x)))
        owner = csr_array((np.ones(faces.size), (corner, corner // 3)), shape=(faces.size, len(faces)))
        around = (at @ (at.T @ owner)).tocoo()  # corner c, face g: both have the vertex of c
        unit = _unit(self._across(x))
        near = np.einsum("ij,ij->i", unit[around.row // 3], unit[around.col]) > np.cos(np.radians(SHARP))
        kept = (np.ones(int(near.sum())), (around.row[near], around.col[near]))
        self._mean = csr_array(kept, shape=around.shape)

    def at(self, x: Singles) -> Singles:
        """(3 f, 3) unit normals of the corners, face by face, with the vertices at x."""
        return _unit(self._mean @ self._across(x)).astype(np.float32)

    def _across(self, x: Singles) -> Array:
        """(f, 3) normals of the faces, with twice the area as length."""
        a, b, c = (x[self._faces[:, k]].astype(np.float64) for k in range(3))
        return np.cross(b - a, c - a)


def _unit(vectors: Array) -> Array:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0)
