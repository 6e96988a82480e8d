"""Normals at the corners of polygons: smooth across an edge where the model's own normals were smooth, and hard elsewhere."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from supple.mesh.faces.polygons import Polygons
from supple.mesh.faces.triangulate import face_normals
from supple.mesh.topology import distinct
from supple.types import Array


def corner_normals(x: Array, polygons: Polygons) -> tuple[Array, npt.NDArray[np.int64]]:
    """Unit normals (k, 3) for vertices at x, and (c,) the row of each corner; -1 where the model had no normal.

    A normal is the mean of the faces that share it, each weighted by its area. A model without normals gets none.
    """
    row, owner, k = sharing(polygons)
    flat = face_normals(x, polygons.counts, polygons.corners)
    found = np.zeros((k, 3))
    has = row >= 0
    np.add.at(found, row[has], flat[owner[has]])
    length = np.linalg.norm(found, axis=1, keepdims=True)
    return np.divide(found, length, out=np.tile([0.0, 0.0, 1.0], (k, 1)), where=length > 0), row


def sharing(polygons: Polygons) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], int]:
    """(c,) normal of each corner (-1: none), (c,) its face, and the number of normals."""
    row = np.full(len(polygons.corners), -1, dtype=np.int64)
    has = np.flatnonzero(polygons.smooth >= 0)
    pairs = np.stack([polygons.corners[has], polygons.smooth[has]], axis=1)
    first, inverse, _ = distinct(pairs)
    row[has] = inverse
    return row, polygons.owner, len(first)
