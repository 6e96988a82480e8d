"""The ground of a film, and the soft shadow on it: sharp at contact, wide and faint for bodies far above.

A half-space of the scene is the ground, with its position and tilt. Without one, a shadow lies just below the
lowest point; it is purely visual, nothing collides with it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.ndimage import gaussian_filter

from supple.types import Array

CELLS = 220
"""Cells of the shadow along each side of the ground, for a picture of the default size."""
# upper height and blur width of each band, both over the film's size, and its darkness
_BANDS = ((0.04, 0.008, 1.0), (0.12, 0.02, 0.85), (0.3, 0.04, 0.7), (0.7, 0.065, 0.55), (np.inf, 0.1, 0.45))
_SUNK = -0.01  # points deeper in the ground than this, over the film's size, cast no shadow on it


@dataclass(frozen=True)
class Ground:
    """A plane."""

    middle: Array
    """(3,) its point below the centre of the nearby geometry [m]."""
    axes: Array
    """(3, 3) rows: two directions along it, and the normal."""
    radius: float
    """[m] distance from the centre beyond which nothing casts a shadow."""
    size: float
    """[m] size of the film; shadows soften with height over this size."""
    light: Array
    """(3,) towards the light, with 1 along the normal."""
    colour: str | None = None
    """`#rrggbb` of a ground in the scene; None for a purely visual one."""
    name: str | None = None
    """Name of the corresponding obstacle."""
    grid: int = CELLS
    """Cells of the shadow along each side; small pictures need fewer."""

    def above(self, points: Array) -> Array:
        """(k,) heights over the plane [m]."""
        return (points - self.middle) @ self.axes[2]

    def along(self, points: Array) -> Array:
        """(k, 2) coordinates in the plane, from its centre [m]."""
        return (points - self.middle) @ self.axes[:2].T

    def cells(self, points: Array) -> Array:
        """(k, 2) positions of ground points in the shadow grid."""
        return (self.along(points) + self.radius) * (self.grid / (2 * self.radius)) - 0.5

    def fallen(self, points: Array) -> Array:
        """(k, 3) positions of the shadows of points."""
        return points - self.above(points)[:, None] * self.light

    def lit_from(self, light: Array) -> Ground:
        """The same ground under another light."""
        return replace(self, light=_grazing(light, self.axes[2]))

    def shadow(self, points: Array) -> Array:
        """(grid, grid) darkness from 0 to 1 below points that are dense on their surface."""
        height = self.above(points)
        fallen = self.cells(self.fallen(points))
        dark = np.zeros((self.grid, self.grid))
        low, lower = _SUNK, _SUNK
        for top, blur, darkness in _BANDS:
            # each band includes the one below, otherwise a bright seam would show between them
            inside = (height >= lower * self.size) & (height < top * self.size)
            low, lower = top, low
            # positions of a diverged run may overflow
            i, j = np.rint(np.clip(fallen[inside], -1, self.grid)).astype(int).T
            there = (i >= 0) & (i < self.grid) & (j >= 0) & (j < self.grid)
            if there.any():
                covered = np.zeros((self.grid, self.grid))
                covered[i[there], j[there]] = 1.0
                width = blur * self.size * self.grid / (2 * self.radius)
                dark = np.maximum(dark, darkness * gaussian_filter(covered, width, truncate=3))
        return dark


def make_ground(
    middle: Array, normal: Array, points: Array, light: Array, size: float, colour: str | None, name: str | None
) -> Ground:
    """The plane through `middle` with this unit normal, below `points`; `light` is the main light direction."""
    axes = _along(normal)
    towards = _grazing(light, normal)
    places = (points - middle) @ axes[:2].T
    centre = (places.min(axis=0) + places.max(axis=0)) / 2
    height = np.ptp((points - middle) @ normal)
    # the shadow is displaced by less than half the height if the light meets the plane as it meets level ground
    aside = float(np.linalg.norm(towards - normal))
    reach = 0.75 * float(np.linalg.norm(np.ptp(places, axis=0))) + max(aside, 0.5) * float(height)
    return Ground(middle + centre @ axes[:2], axes, max(reach, 0.5 * size), size, towards, colour, name)


def _grazing(light: Array, normal: Array) -> Array:
    """(3,) towards the light, with 1 along the normal; on a slope facing away from it a shadow would be infinite."""
    towards = light / np.linalg.norm(light)
    towards = towards + max(0.35 - float(towards @ normal), 0.0) * normal
    return np.asarray(towards / float(towards @ normal))


def _along(normal: Array) -> Array:
    u = np.eye(3)[np.argmin(np.abs(normal))]
    u = u - (u @ normal) * normal
    u = u / np.linalg.norm(u)
    return np.stack([u, np.cross(normal, u), normal])
