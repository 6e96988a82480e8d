"""Obstacles refined into small triangles near the film for shadows; coarser further away."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.render.surface import Skin
from supple.types import Array, Ints

FINE = 1 / 70
"""Longest edge of a triangle over the size of the film."""
COARSER = 0.3
"""Additional edge length per metre of distance from the film."""
MOST = 40_000
"""Approximate number of triangles of an obstacle."""
_BITS = 20


@dataclass(frozen=True)
class Tessellation:
    """A surface (see surface.py) whose points are means of three points of a skin."""

    skin: Skin
    corners: Ints
    """(k, 3) points of the skin."""
    weights: Array
    """(k, 3)"""
    faces: Ints
    source: Ints
    closed: bool

    def place(self, x: Array) -> tuple[Array, Array]:
        """The skin's points and normals, and interpolated ones."""
        points, normals = self.skin.place(x)
        between = np.einsum("kj,kji->ki", self.weights, normals[self.corners])
        between /= np.maximum(np.linalg.norm(between, axis=1, keepdims=True), 1e-30)
        return np.einsum("kj,kji->ki", self.weights, points[self.corners]), between


def tessellate(skin: Skin, x: Array, low: Array, high: Array, size: float) -> Tessellation:
    """Refine a skin whose vertices are at x; the film is in the box from `low` to `high`."""
    points = skin.place(x)[0]
    face = np.arange(len(skin.faces))
    weights = np.tile(np.eye(3), (len(face), 1, 1))
    while len(face) < MOST:
        corners = np.einsum("fcj,fji->fci", weights, points[skin.faces[face]])
        edges = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)  # edge k goes from corner k to k + 1
        nearest = np.clip(corners.mean(axis=1), low, high)
        away = np.linalg.norm(nearest - corners.mean(axis=1), axis=1)
        longest = edges.argmax(axis=1)
        long = edges.max(axis=1) > FINE * size + COARSER * np.maximum(away - edges.max(axis=1), 0.0)
        if not long.any():
            break
        face, weights = _halved(face, weights, longest, long)
    # a point is identified by its face and two of its weights, which are multiples of a power of two
    places = np.rint(weights.reshape(-1, 3)[:, :2] * 2**_BITS).astype(np.int64)
    key = (np.repeat(face.astype(np.int64), 3) << (2 * _BITS + 2)) + (places[:, 0] << (_BITS + 1)) + places[:, 1]
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    chosen = skin.faces[np.repeat(face, 3)[first]]
    spread = np.ascontiguousarray(weights.reshape(-1, 3)[first])
    faces = number.reshape(-1, 3).astype(np.int32)
    return Tessellation(skin, chosen, spread, faces, skin.source[chosen[:, 0]], skin.closed)


def _halved(face: np.ndarray, weights: Array, longest: np.ndarray, long: np.ndarray) -> tuple[np.ndarray, Array]:
    """Split triangles that are `long` from the midpoint of their longest edge to the opposite corner."""
    row = np.arange(len(face))[long]
    a, b, c = (weights[row, (longest[long] + k) % 3] for k in range(3))
    middle = (a + b) / 2
    halves = np.concatenate([np.stack([a, middle, c], axis=1), np.stack([middle, b, c], axis=1)])
    return np.concatenate([face[~long], face[long], face[long]]), np.concatenate([weights[~long], halves])
