"""Shadows on obstacles: darkness of each point, from a shadow map."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from supple.render.drawing.raster import Buffer
from supple.types import Array, Ints

CELLS, FINE = 640, 1024
"""Cells of the shadow map along each side; FINE for shaded looks, where shadows show everywhere."""
SOFT = 0.012
"""Radius over which a shadow's edge is blurred, over the size of the film."""
_LIFT = 0.02  # offset in front of a surface where its shadow is evaluated, over the size of the film, against self-shadowing
_TAPS = 16


class LightPicture:
    """The shadow map of a distant light: nearest surfaces within `size` of the centre of the film."""

    def __init__(self, light: Array, middle: Array, size: float, cells: int = CELLS) -> None:
        self.turn(light)
        self._middle, self._size = middle, size
        self._cells, self.buffer = cells, Buffer(cells, cells)
        self.passes: Array = np.zeros((1, 3))
        """(f, 3) light transmitted by the faces in the map."""
        k = np.arange(_TAPS)
        turn = k * np.pi * (3 - np.sqrt(5))  # a spiral of sunflower seeds covers a disc evenly
        reach = np.sqrt((k + 0.5) / _TAPS) * SOFT * cells / 2
        self._taps = np.stack([reach * np.cos(turn), reach * np.sin(turn)], axis=1)

    def turn(self, light: Array) -> None:
        """Set another light direction, effective with the next picture."""
        self._towards = light / np.linalg.norm(light)
        across = np.cross(self._towards, np.eye(3)[np.argmin(np.abs(self._towards))])
        across /= np.linalg.norm(across)
        self._plane = np.stack([across, np.cross(self._towards, across)])

    def take(self, things: Sequence[tuple[Array, Ints]]) -> None:
        """Render points and triangles that cast shadows."""
        counts = np.cumsum([0, *(len(points) for points, _ in things)])
        points = np.concatenate([np.empty((0, 3)), *(points for points, _ in things)])
        faces = [faces + np.int32(first) for (_, faces), first in zip(things, counts, strict=False)]
        none = np.empty((0, 3), dtype=np.int32)
        place, near = self._seen(points)
        self.buffer.cover(place, near, np.concatenate([none, *faces]), np.ones(len(points)))

    def darkness(self, points: Array, normals: Array) -> Array:
        """(k,) from 0 to 1; faces turned away from the light are dark already and get no shadow in addition."""
        place, near = self._seen(points + _LIFT * self._size * (normals + 0.5 * self._towards))
        dark = np.zeros(len(points))
        for tap in self._taps:
            column, row = np.clip(place + tap, 0, self._cells - 1).astype(int).T
            dark += self.buffer.near[row, column] > near
        outside = (np.abs(place / self._cells - 0.5) > 0.5).any(axis=1)
        facing = np.clip(4.0 * (normals @ self._towards), 0.0, 1.0)
        return np.where(outside, 0.0, dark / _TAPS * facing)

    def places(self, points: Array) -> Array:
        """(k, 3) columns, rows and nearness of points in the shadow map."""
        place, near = self._seen(points)
        return np.concatenate([place, near[:, None]], axis=1)

    def _seen(self, points: Array) -> tuple[Array, Array]:
        """Cells (k, 2) and nearness to the light in sizes of the film, above 0 for all relevant points."""
        offset = (points - self._middle) / self._size
        return (offset @ self._plane.T + 1.0) * (self._cells / 2), offset @ self._towards + 50.0
