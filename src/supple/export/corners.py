"""Texture coordinates of models per corner, or per vertex split at seams."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from supple.export.sequence import Body
from supple.mesh.faces.polygons import Polygons
from supple.mesh.faces.triangulate import triangulated
from supple.mesh.topology import distinct
from supple.recording.playback import Singles
from supple.types import Array, Ints


def padded_uv(polygons: Polygons) -> tuple[Array, npt.NDArray[np.int64]]:
    """Texture coordinates (u, 2) and the row (c,) of each corner; corners without any get (0, 0)."""
    rows = polygons.uv_corners.astype(np.int64)
    if (rows >= 0).all():
        return polygons.uv, rows
    return np.concatenate([polygons.uv, np.zeros((1, 2))]), np.where(rows < 0, len(polygons.uv), rows)


@dataclass(frozen=True, eq=False)
class Split:
    """A body with duplicated vertices, so each has one texture coordinate."""

    rows: Ints
    """(k,) vertex of the body that each one repeats."""
    uv: Singles | None
    """(k, 2) texture coordinates, from the upper edge of the picture."""
    triangles: Ints
    material: Ints
    """(t,) material of each triangle; -1 for none."""
    edges: Ints


def split(body: Body, x: Singles) -> Split:
    """Cut a body with vertices at x at its texture seams; a body without texture coordinates is unchanged."""
    polygons = body.polygons
    if polygons is None:
        return Split(np.arange(body.n, dtype=np.int32), None, body.faces, np.full(len(body.faces), -1), body.edges)
    places, owner = triangulated(x.astype(np.float64), polygons.counts, polygons.corners)
    material = polygons.materials.of[owner]
    if not polygons.has_uv:
        rows = np.arange(body.n, dtype=np.int32)
        return Split(rows, None, polygons.corners[places], material, body.edges)
    values, of_corner = padded_uv(polygons)
    pairs = np.stack([polygons.corners, of_corner], axis=1)
    first, number, _ = distinct(pairs)
    rows = polygons.corners[first]
    uv = values[of_corner[first]]
    # loose edges take any copy of their ends; ends without a face come last
    bare = np.setdiff1d(body.edges, rows)
    rows = np.concatenate([rows, bare]).astype(np.int32)
    uv = np.concatenate([uv, np.zeros((len(bare), 2))])
    copy = np.zeros(body.n, dtype=np.int32)
    copy[rows] = np.arange(len(rows), dtype=np.int32)
    flipped = np.stack([uv[:, 0], 1.0 - uv[:, 1]], axis=1).astype(np.float32)
    return Split(rows, flipped, number[places].astype(np.int32), material, copy[body.edges])
