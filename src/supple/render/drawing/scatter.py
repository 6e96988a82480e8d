"""Points spread over a surface that move with it: they cast shadows and give cameras its extent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from supple.render.surface import face_normals
from supple.types import Array, Ints


@dataclass(frozen=True)
class Scatter:
    """Fixed positions on the faces of a surface."""

    corners: Ints
    """(k, 3) points of the surface."""
    weights: Array

    def place(self, points: Array) -> Array:
        """(k, 3) their positions for the given surface points."""
        return np.einsum("kj,kji->ki", self.weights, points[self.corners])


@dataclass(frozen=True)
class Thinned:
    """Some of the points of a surface that changes over time."""

    count: int

    def place(self, points: Array) -> Array:
        """(k, 3) every n-th point."""
        return points[:: max(1, len(points) // max(self.count, 1))]


def scatter(faces: Ints, points: Array, count: int) -> Scatter:
    """About `count` positions, more on larger faces, at least one on each."""
    area = np.linalg.norm(face_normals(points, faces), axis=1)
    each = np.maximum(1, np.ceil(count * area / max(float(area.sum()), 1e-300))).astype(int)
    face: npt.NDArray[np.intp] = np.repeat(np.arange(len(area)), each)
    a, b = np.random.default_rng(0).random((2, len(face)))
    over = a + b > 1
    a, b = np.where(over, 1 - a, a), np.where(over, 1 - b, b)
    return Scatter(faces[face], np.stack([1 - a - b, a, b], axis=1))
