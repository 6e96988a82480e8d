"""The ground below a film, and the soft shadow on it: sharp where a body touches, wide and faint far above."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.ndimage import gaussian_filter, map_coordinates

from supple.render.camera import View
from supple.render.surface import Surface, face_normals
from supple.types import Array

Pixels = npt.NDArray[np.float32]

CELLS = 220
"""Cells of the shadow along each side of the ground."""
SAMPLES = 40_000
"""Points of the surfaces that throw it, at most."""
_DARK, _TINT = 0.42, 0.055  # how much light the deepest shadow, and the ground in its middle, take away
# heights over the film's size up to which a band reaches, the width of its blur likewise, and its darkness
_BANDS = ((0.04, 0.008, 1.0), (0.12, 0.02, 0.85), (0.3, 0.04, 0.7), (0.7, 0.065, 0.55), (np.inf, 0.1, 0.45))


@dataclass(frozen=True)
class Ground:
    """A plane across the axis `up` (0, 1, 2), lit from `light` (towards it, with 1 along `up`)."""

    up: int
    height: float
    centre: Array
    """(3,) the middle of what is near the ground [m]."""
    radius: float
    """[m] what is further from the centre has no shadow."""
    size: float
    """[m] of the film; shadows soften with the height in units of it."""
    light: Array

    @property
    def across(self) -> list[int]:
        """The two horizontal axes."""
        return [axis for axis in range(3) if axis != self.up]

    def cells(self, points: Array) -> Array:
        """(k, 2) places of points of the ground in the shadow's grid."""
        return (points[:, self.across] - self.centre[self.across] + self.radius) * (CELLS / (2 * self.radius)) - 0.5

    def fallen(self, points: Array) -> Array:
        """(k, 3) where the shadows of points lie."""
        return points - (points[:, self.up] - self.height)[:, None] * self.light

    def shadow(self, points: Array) -> Array:
        """(CELLS, CELLS) darkness from 0 to 1 below points that are dense on their surface."""
        height = points[:, self.up] - self.height
        fallen = self.cells(self.fallen(points))
        dark = np.zeros((CELLS, CELLS))
        low, lower = -np.inf, -np.inf
        for top, blur, darkness in _BANDS:
            # each band has the one below in it too, or a bright seam would show between them
            inside = (height >= lower * self.size) & (height < top * self.size)
            low, lower = top, low
            i, j = np.rint(fallen[inside]).astype(int).T
            there = (i >= 0) & (i < CELLS) & (j >= 0) & (j < CELLS)
            if there.any():
                covered = np.zeros((CELLS, CELLS))
                covered[i[there], j[there]] = 1.0
                width = blur * self.size * CELLS / (2 * self.radius)
                dark = np.maximum(dark, darkness * gaussian_filter(covered, width, truncate=3))
        return dark


class Backdrop:
    """The ground as one view sees it; white where it does not."""

    def __init__(self, ground: Ground, view: View) -> None:
        self._ground = ground
        rays = view.rays().reshape(-1, 3)
        fall = rays[:, ground.up]
        above = view.eye[ground.up] - ground.height
        self._seen = np.flatnonzero(fall < -1e-6) if above > 0 else np.zeros(0, dtype=int)
        hits = view.eye - (above / fall[self._seen])[:, None] * rays[self._seen]
        self._cells = ground.cells(hits).T.astype(np.float32)
        away = np.linalg.norm((hits - ground.centre)[:, ground.across], axis=1) / ground.radius
        self._tint = (_TINT * np.exp(-((1.3 * away) ** 2))).astype(np.float32)
        self._shape = view.height, view.width
        # the ground ends softly at the lower edge of a panel, where other things stand
        row = self._seen // view.width
        self._fade = np.clip((view.height - row) / (0.08 * view.height), 0, 1).astype(np.float32)

    def draw(self, points: Array) -> Pixels:
        """(height, width, 3) colours from 0 to 1, with the shadow of `points`."""
        dark = map_coordinates(self._ground.shadow(points).astype(np.float32), self._cells, order=1)
        taken = np.zeros(self._shape[0] * self._shape[1], dtype=np.float32)
        taken[self._seen] = self._fade * (1 - (1 - self._tint) * (1 - _DARK * dark))
        # shadows are a little blue, as under the sky
        pixels: Pixels = 1 - taken.reshape(self._shape)[..., None] * np.array([1.04, 1.0, 0.94], dtype=np.float32)
        return pixels


@dataclass(frozen=True)
class Scatter:
    """Fixed points on a surface, dense enough for its shadow."""

    surface: Surface
    face: npt.NDArray[np.intp]
    weights: Array

    def place(self, points: Array) -> Array:
        """(k, 3) where they are, with the surface's points there."""
        return np.einsum("kj,kji->ki", self.weights, points[self.surface.faces[self.face]])


def scatter(surface: Surface, points: Array, count: int) -> Scatter:
    """About `count` points, more on larger faces, at least one on each."""
    area = np.linalg.norm(face_normals(points, surface.faces), axis=1)
    each = np.maximum(1, np.ceil(count * area / max(float(area.sum()), 1e-300))).astype(int)
    face = np.repeat(np.arange(len(area)), each)
    a, b = np.random.default_rng(0).random((2, len(face)))
    over = a + b > 1
    a, b = np.where(over, 1 - a, a), np.where(over, 1 - b, b)
    return Scatter(surface, face, np.stack([1 - a - b, a, b], axis=1))
