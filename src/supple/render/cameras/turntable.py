"""A film seen from all sides: viewer and light orbit the vertical axis, as if the bodies stood on a turntable."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from supple.errors import SuppleError
from supple.render.camera import Aims, Camera, View, fit_view
from supple.types import Array
from supple.values import LARGEST, SMALLEST

DIRECTIONS = 24
"""Number of directions from which all of the film must be visible."""


@dataclass(frozen=True)
class Turntable:
    """One revolution of the viewer to the right per period of motion, about a vertical axis through `pivot`."""

    period: float
    """Seconds of motion per revolution [s]."""
    begin: float
    """Time at which the view equals the unrotated camera [s]."""
    up: str
    pivot: Array
    """(3,) a point on the axis [m]."""

    def rotation(self, t: float) -> Array:
        """(3, 3) rotation from directions at the beginning to those at time t."""
        angle = 2 * np.pi * (t - self.begin) / self.period
        k = "xyz".index(self.up)
        a, b = (k + 1) % 3, (k + 2) % 3
        turn = np.eye(3)
        turn[a, a] = turn[b, b] = np.cos(angle)
        turn[b, a] = np.sin(angle)
        turn[a, b] = -turn[b, a]
        return turn

    def view(self, first: View, t: float) -> View:
        """The first view, rotated."""
        turn = self.rotation(t)
        return replace(first, axes=first.axes @ turn.T, centre=self.pivot + turn @ (first.centre - self.pivot))


def check_period(seconds: float) -> float:
    """Seconds per revolution, checked."""
    if not SMALLEST <= seconds <= LARGEST:  # the angle of a subnormal period overflows
        raise SuppleError(f"--turntable: found {seconds:g}; give the seconds of film per revolution, above 0")
    return seconds


def fit_all_around(camera: Aims, up: str, points: Array, centre: Array, width: int, height: int) -> View:
    """The view at the beginning; a camera fitted to the film shows all of it from every side."""
    if not isinstance(camera, Camera):
        return camera.aim(up, points, width, height)
    sides = [replace(camera, azimuth=camera.azimuth + 360 * k / DIRECTIONS) for k in range(DIRECTIONS)]
    distance = max(fit_view(side, up, points, width, height, centre).distance for side in sides)
    return replace(fit_view(camera, up, points, width, height, centre), distance=distance)
