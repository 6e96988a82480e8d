"""Drawable geometry of a point cloud: one ball per point, or the surface around the points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from supple.mesh.shapes.round import icosahedron
from supple.recording.clouds import cloud_surface, lattice_around
from supple.render.surface import Form, face_normals, unit
from supple.types import Array, Ints

MANY = 4_000
"""Number of points above which hidden interior ones are omitted."""
FINE, COARSE = 6_000, 60_000
"""Numbers of balls up to which each has 80 or 20 faces; beyond, 8."""
_LAYERS, _CELL = 2, 1.5  # cells around a point that must also contain points to hide it, and cell size over spacing
_BLEND = 4  # points that determine the colour of a surface point


@dataclass(frozen=True)
class Balls:
    """A ball of half the spacing around each point."""

    spacing: float
    closed: bool = True

    def form(self, x: Array) -> Form:
        """Balls of visible points only."""
        return _balls(x, _outer(x, self.spacing), 0.5 * self.spacing)


@dataclass(frozen=True)
class Wrap:
    """The surface around the points, and balls for isolated ones."""

    spacing: float
    closed: bool = True

    def form(self, x: Array) -> Form:
        """Geometry at this time."""
        from scipy.spatial import cKDTree  # slow to import, and only clouds need it

        found = cloud_surface(x, self.spacing)
        _, near = cKDTree(x).query(found.points, k=min(_BLEND, len(x)))
        source = np.asarray(near, dtype=np.int32).reshape(len(found.points), -1)
        drops = _balls(x, found.strays, 0.5 * self.spacing)
        wide = np.repeat(drops.source[:, None], source.shape[1], axis=1)
        return Form(
            np.concatenate([found.points, drops.points]),
            np.concatenate([found.normals, drops.normals]),
            np.concatenate([found.faces, drops.faces + np.int32(len(found.points))]),
            np.concatenate([source, wide]),
        )


def _balls(x: Array, chosen: Ints, radius: float) -> Form:
    out, faces = _ball(len(chosen))
    k = len(out)
    points = (x[chosen][:, None] + radius * out).reshape(-1, 3)
    corners = faces + (k * np.arange(len(chosen), dtype=np.int32))[:, None, None]
    return Form(points, np.tile(out, (len(chosen), 1)), corners.reshape(-1, 3), np.repeat(chosen, k))


def _outer(x: Array, spacing: float) -> Ints:
    """Mask of the points that are not deep inside."""
    from scipy.ndimage import binary_erosion  # slow to import, and only clouds need it

    everything = np.arange(len(x), dtype=np.int32)
    if len(x) < MANY:
        return everything
    lattice = lattice_around(x, _CELL * spacing, margin=4)
    inside = lattice.inside(x)
    at = np.rint(lattice.places(x[inside])).astype(np.int64)
    full: npt.NDArray[np.bool_] = np.zeros(lattice.shape, dtype=bool)
    full[tuple(at.T)] = True
    deep = binary_erosion(full, np.ones((3, 3, 3)), iterations=_LAYERS)
    hidden = np.zeros(len(x), dtype=bool)
    hidden[inside] = deep[tuple(at.T)]
    return everything[~hidden]


def _ball(count: int) -> tuple[Array, Ints]:
    """Corners and faces, counterclockwise seen from outside, of a unit ball that is drawn `count` times."""
    if count > COARSE:
        corners = np.concatenate([np.eye(3), -np.eye(3)])
        faces = np.array([[a, b, c] for a in (0, 3) for b in (1, 4) for c in (2, 5)])
    else:
        corners, faces = icosahedron()
    if count <= FINE:
        corners, faces = _halved(corners, faces)
    inward = np.einsum("ij,ij->i", face_normals(corners, faces), corners[faces[:, 0]]) < 0
    return corners, np.where(inward[:, None], faces[:, ::-1], faces).astype(np.int32)


def _halved(corners: Array, faces: Ints) -> tuple[Array, Ints]:
    """Each face in four, with new corners on the ball."""
    sides = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    pairs, number = np.unique(sides, axis=0, return_inverse=True)
    ab, bc, ca = (number.reshape(-1, 3) + len(corners)).T
    a, b, c = faces.T
    four = [np.stack(face, axis=1) for face in ((a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca))]
    return np.concatenate([corners, unit(corners[pairs].sum(axis=1))]), np.concatenate(four)
