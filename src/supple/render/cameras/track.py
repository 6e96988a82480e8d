"""A camera animated by another program: eye, axes and lens at given times, as plain data for any process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from supple.render.camera import View
from supple.types import Array

_SAME = 1e-9
"""Tolerance for matching a time to a pose, as a fraction of the interval between two poses."""


@dataclass(frozen=True)
class Pose:
    """A camera at one time, along the axes of the scene [m]."""

    eye: Array
    axes: Array
    """(3, 3) right, up, towards the viewer."""
    slope: float
    """Tangent of half the vertical angle of view."""
    aspect: float | None = None
    """Width of its picture over the height; None: any aspect ratio."""
    shift: tuple[float, float] = (0.0, 0.0)
    """See `View`."""

    def view(self, focus: Array, size: float, width: int, height: int) -> View:
        """A picture of another aspect ratio shows everything in the camera frame. `focus`: centre of a film of that `size`."""
        slope = self.slope if self.aspect is None else self.slope * max(1.0, self.aspect * height / width)
        # the eye alone determines the picture; the distance only sets which depths count as near
        distance = max(float((self.eye - focus) @ self.axes[2]), 0.1 * size)
        centre = self.eye - distance * self.axes[2]
        return View(width, height, self.axes, centre, distance, float(np.degrees(np.arctan(slope))), self.shift)


@dataclass(frozen=True)
class Track:
    """Poses at ascending times; before the first and after the last pose the camera is static."""

    times: Array
    poses: tuple[Pose, ...]
    focus: Array
    size: float

    def view(self, first: View, t: float) -> View:
        """The view at time t, for pictures as large as those of the first one."""
        return self.pose(t).view(self.focus, self.size, first.width, first.height)

    def pose(self, t: float) -> Pose:
        """Between two poses eyes and lenses are interpolated linearly, and axes rotate uniformly."""
        k = int(np.clip(np.searchsorted(self.times, t), 1, max(len(self.times) - 1, 1)))
        if len(self.times) == 1:
            return self.poses[0]
        a, b = self.poses[k - 1], self.poses[k]
        s = float(np.clip((t - self.times[k - 1]) / (self.times[k] - self.times[k - 1]), 0, 1))
        if s < _SAME or s > 1 - _SAME:
            return a if s < 0.5 else b
        shift = (1 - s) * a.shift[0] + s * b.shift[0], (1 - s) * a.shift[1] + s * b.shift[1]
        aspect = a.aspect if a.aspect is None or b.aspect is None else (1 - s) * a.aspect + s * b.aspect
        axes = _turned(a.axes, b.axes, s)
        return Pose((1 - s) * a.eye + s * b.eye, axes, (1 - s) * a.slope + s * b.slope, aspect, shift)


def make_track(times: Sequence[float], poses: Sequence[Pose], points: Array) -> Track:
    """The poses at these times, for a film whose bodies are at `points`."""
    low, high = points.min(axis=0), points.max(axis=0)
    return Track(np.array(times, dtype=float), tuple(poses), (low + high) / 2, float(np.linalg.norm(high - low)) or 1.0)


def _turned(a: Array, b: Array, s: float) -> Array:
    from scipy.spatial.transform import Rotation

    between = Rotation.from_matrix(b.T @ a)
    turn: Array = Rotation.from_rotvec(s * between.as_rotvec()).as_matrix()
    return a @ turn.T
