"""Where a picture is taken from: the direction that the user asks for, and the view that shows all of a film from there.

With `up` the axis that points up, azimuth 0 looks at the front: x goes to the right (y if x points up). Azimuth turns
the viewer to the right around the body, elevation lifts him; both in degrees.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.errors import SuppleError, did_you_mean
from supple.types import Array

HALF_ANGLE = 13.0
"""Half of the vertical angle of view [degrees]: a long lens, which bends shapes little."""
FILLED = 0.86
"""Part of a picture's width and height that the film may fill."""


@dataclass(frozen=True)
class Camera:
    """A direction of view, and how much nearer than needed to see all."""

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


CAMERAS = {
    "front": Camera(0, 0),
    "side": Camera(90, 0),
    "top": Camera(0, 90),
    "iso": Camera(30, 22),
}


def read_camera(text: str) -> Camera:
    """A name, or `azimuth,elevation[,zoom]`."""
    if text in CAMERAS:
        return CAMERAS[text]
    try:
        numbers = [float(word) for word in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (2, 3) or not np.all(np.isfinite(numbers)):
        raise SuppleError(
            f"--camera: found '{text}'{did_you_mean(text, CAMERAS)} give {', '.join(CAMERAS)}, "
            "or azimuth,elevation[,zoom] in degrees, such as 30,20 or 30,20,1.5"
        )
    camera = Camera(*numbers)
    if abs(camera.elevation) > 90 or camera.zoom <= 0:
        raise SuppleError(f"--camera: found '{text}'; the elevation goes from -90 to 90, the zoom is above 0")
    return camera


@dataclass(frozen=True)
class View:
    """A camera in its place, for pictures of `width` x `height` pixels."""

    width: int
    height: int
    axes: Array
    """(3, 3) rows: right, up, towards the viewer."""
    centre: Array
    """(3,) the point in the middle of the picture [m]."""
    distance: float
    """From the eye to the centre [m]."""

    @property
    def eye(self) -> Array:
        """(3,) where the viewer is [m]."""
        return self.centre + self.distance * self.axes[2]

    @property
    def focal(self) -> float:
        """Pixels for a length of 1 m, 1 m before the eye."""
        return float(self.height / 2 / np.tan(np.radians(HALF_ANGLE)))

    def project(self, points: Array) -> tuple[Array, Array]:
        """Pixels (k, 2) from the upper left corner, rightwards and downwards, and distances (k,) from the eye's plane."""
        across, upwards, towards = ((points - self.centre) @ self.axes.T).T
        depth = self.distance - towards
        scale = self.focal / np.maximum(depth, 1e-6 * self.distance)
        return np.stack([self.width / 2 + across * scale, self.height / 2 - upwards * scale], axis=1), depth

    def rays(self) -> Array:
        """(height, width, 3) directions in which the middles of the pixels look, not normalised."""
        across = (np.arange(self.width) + 0.5 - self.width / 2) / self.focal
        upwards = (self.height / 2 - np.arange(self.height) - 0.5) / self.focal
        right, up, towards = self.axes
        return across[None, :, None] * right + upwards[:, None, None] * up - towards


def fit_view(camera: Camera, up: str, points: Array, width: int, height: int) -> View:
    """The view from which all `points` are seen, centred and as large as FILLED allows."""
    axes = camera.axes(up)
    seen = points @ axes.T
    low, high = seen.min(axis=0), seen.max(axis=0)
    middle = (low + high) / 2
    slope = FILLED * np.tan(np.radians(HALF_ANGLE)) * np.array([width / height, 1.0])
    # a point that is `out` from the axis is in the picture if out <= slope (distance - towards)
    out = np.abs(seen - middle)[:, :2]
    needed = (out / slope).max(axis=1) + seen[:, 2] - middle[2]
    size = float(np.linalg.norm(high - low)) or 1.0
    distance = max(float(needed.max()), 0.1 * size) / camera.zoom
    return View(width, height, axes, middle @ axes, distance)
