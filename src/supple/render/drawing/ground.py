"""The ground of a film, and the soft shadow on it: sharp where a body touches, wide and faint far above.

A scene with a half-space has it as its ground, where it is and as it is tilted. Without one a shadow lies just below the
lowest point: it is there for the eye, nothing collides with it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.ndimage import gaussian_filter

from supple.types import Array

CELLS = 220
"""Cells of the shadow along each side of the ground, for a picture of usual size."""
# heights over the film's size up to which a band reaches, the width of its blur likewise, and its darkness
_BANDS = ((0.04, 0.008, 1.0), (0.12, 0.02, 0.85), (0.3, 0.04, 0.7), (0.7, 0.065, 0.55), (np.inf, 0.1, 0.45))
_SUNK = -0.01  # what is deeper in the ground, over the film's size, throws no shadow on it


@dataclass(frozen=True)
class Ground:
    """A plane."""

    middle: Array
    """(3,) the point of it below the middle of what is near [m]."""
    axes: Array
    """(3, 3) rows: two directions along it, and the normal."""
    radius: float
    """[m] what is further from the middle has no shadow."""
    size: float
    """[m] of the film; shadows soften with the height in units of it."""
    light: Array
    """(3,) towards the light, with 1 along the normal."""
    colour: str | None = None
    """`#rrggbb` of a ground that the scene has; None of one that is there for the eye."""
    name: str | None = None
    """Of the obstacle that it is."""
    grid: int = CELLS
    """Cells of the shadow along each side; small pictures need fewer."""

    def above(self, points: Array) -> Array:
        """(k,) heights over the plane [m]."""
        return (points - self.middle) @ self.axes[2]

    def along(self, points: Array) -> Array:
        """(k, 2) places in the plane, from its middle [m]."""
        return (points - self.middle) @ self.axes[:2].T

    def cells(self, points: Array) -> Array:
        """(k, 2) places of points of the ground in the shadow's grid."""
        return (self.along(points) + self.radius) * (self.grid / (2 * self.radius)) - 0.5

    def fallen(self, points: Array) -> Array:
        """(k, 3) where the shadows of points lie."""
        return points - self.above(points)[:, None] * self.light

    def lit_from(self, light: Array) -> Ground:
        """The same under another light."""
        return replace(self, light=_grazing(light, self.axes[2]))

    def shadow(self, points: Array) -> Array:
        """(grid, grid) darkness from 0 to 1 below points that are dense on their surface."""
        height = self.above(points)
        fallen = self.cells(self.fallen(points))
        dark = np.zeros((self.grid, self.grid))
        low, lower = _SUNK, _SUNK
        for top, blur, darkness in _BANDS:
            # each band has the one below in it too, or a bright seam would show between them
            inside = (height >= lower * self.size) & (height < top * self.size)
            low, lower = top, low
            # what exploded may be beyond all numbers
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
    """The plane through `middle` with this unit normal, below `points`; `light` is where most light comes from."""
    axes = _along(normal)
    towards = _grazing(light, normal)
    places = (points - middle) @ axes[:2].T
    centre = (places.min(axis=0) + places.max(axis=0)) / 2
    height = np.ptp((points - middle) @ normal)
    # the shadow is thrown aside by less than half of the height, if light falls on the plane as it does on the level
    aside = float(np.linalg.norm(towards - normal))
    reach = 0.75 * float(np.linalg.norm(np.ptp(places, axis=0))) + max(aside, 0.5) * float(height)
    return Ground(middle + centre @ axes[:2], axes, max(reach, 0.5 * size), size, towards, colour, name)


def _grazing(light: Array, normal: Array) -> Array:
    """(3,) towards the light, with 1 along the normal; on a slope that looks away from it a shadow would never end."""
    towards = light / np.linalg.norm(light)
    towards = towards + max(0.35 - float(towards @ normal), 0.0) * normal
    return np.asarray(towards / float(towards @ normal))


def _along(normal: Array) -> Array:
    u = np.eye(3)[np.argmin(np.abs(normal))]
    u = u - (u @ normal) * normal
    u = u / np.linalg.norm(u)
    return np.stack([u, np.cross(normal, u), normal])
