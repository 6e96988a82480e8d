"""The camera of a picture: the requested direction, and the view that shows all of a film from there.

With `up` the axis that points up, azimuth 0 looks at the front: x points to the right (y if x points up). Azimuth moves
the viewer to the right around the body, elevation moves upwards; both in degrees.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from supple.types import Array

HALF_ANGLE = 13.0
"""Half the vertical angle of view [degrees]: a long lens with little perspective distortion."""
FILLED = 0.86
"""Fraction of a picture's width and height that the film may fill."""


@dataclass(frozen=True)
class Camera:
    """A direction of view and a zoom factor, 1 showing all."""

    azimuth: float
    elevation: float
    zoom: float = 1.0

    def axes(self, up: str) -> Array:
        """(3, 3): to the right, upwards and towards the viewer, as rows."""
        vertical, right = np.eye(3)["xyz".index(up)], np.eye(3)[1 if up == "x" else 0]
        front = np.cross(right, vertical)
        a, e = np.radians(self.azimuth), np.radians(self.elevation)
        level = np.cos(a) * front + np.sin(a) * right
        towards = np.cos(e) * level + np.sin(e) * vertical
        upwards = np.cos(e) * vertical - np.sin(e) * level
        return np.stack([np.cross(upwards, towards), upwards, towards])

    def aim(self, up: str, points: Array, width: int, height: int) -> View:
        """The view that shows all points."""
        return fit_view(self, up, points, width, height)


CAMERAS = {
    "front": Camera(0, 0),
    "side": Camera(90, 0),
    "top": Camera(0, 90),
    "iso": Camera(30, 22),
}


@dataclass(frozen=True)
class View:
    """A positioned camera, for pictures of `width` x `height` pixels."""

    width: int
    height: int
    axes: Array
    """(3, 3) rows: right, up, towards the viewer."""
    centre: Array
    """(3,) point at the centre of the picture [m]."""
    distance: float
    """Distance from the eye to the centre [m]."""
    half_angle: float = HALF_ANGLE
    """Half the vertical angle of view [degrees]."""
    shift: tuple[float, float] = (0.0, 0.0)
    """Lens shift: tangents, rightwards and upwards, of the viewing direction at the centre of the picture."""

    @property
    def eye(self) -> Array:
        """(3,) position of the viewer [m]."""
        return self.centre + self.distance * self.axes[2]

    @property
    def focal(self) -> float:
        """Pixels per metre at a distance of 1 m from the eye."""
        return float(self.height / 2 / np.tan(np.radians(self.half_angle)))

    def project(self, points: Array) -> tuple[Array, Array]:
        """Pixels (k, 2) from the upper left corner, rightwards and downwards, and distances (k,) from the eye's plane."""
        across, upwards, towards = ((points - self.centre) @ self.axes.T).T
        depth = self.distance - towards
        scale = self.focal / np.maximum(depth, 1e-6 * self.distance)
        aside, aloft = self.focal * self.shift[0], self.focal * self.shift[1]
        columns, rows = self.width / 2 - aside + across * scale, self.height / 2 + aloft - upwards * scale
        return np.stack([columns, rows], axis=1), depth

    def rays(self) -> Array:
        """(height, width, 3) viewing directions of the pixel centres, not normalised."""
        across = (np.arange(self.width) + 0.5 - self.width / 2) / self.focal + self.shift[0]
        upwards = (self.height / 2 - np.arange(self.height) - 0.5) / self.focal + self.shift[1]
        right, up, towards = self.axes
        return across[None, :, None] * right + upwards[:, None, None] * up - towards


class Aims(Protocol):
    """A camera that is not positioned yet."""

    def aim(self, up: str, points: Array, width: int, height: int) -> View:
        """The view of a film whose bodies are at `points` (k, 3)."""
        ...


def fit_view(camera: Camera, up: str, points: Array, width: int, height: int, centre: Array | None = None) -> View:
    """The view that shows all `points`, centred (or around `centre`) and as large as FILLED allows."""
    axes = camera.axes(up)
    seen = points @ axes.T
    low, high = seen.min(axis=0), seen.max(axis=0)
    middle = (low + high) / 2 if centre is None else axes @ centre
    slope = FILLED * np.tan(np.radians(HALF_ANGLE)) * np.array([width / height, 1.0])
    # a point that is `out` from the axis is in the picture if out <= slope (distance - towards)
    out = np.abs(seen - middle)[:, :2]
    needed = (out / slope).max(axis=1) + seen[:, 2] - middle[2]
    size = float(np.linalg.norm(high - low)) or 1.0
    distance = max(float(needed.max()), 0.1 * size) / camera.zoom
    return View(width, height, axes, middle @ axes, distance)
