"""A camera at a given position that looks at a target."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.errors import SuppleError
from supple.render.camera import HALF_ANGLE, View
from supple.types import Array

_PARALLEL = 1e-6  # sine of the angle between two directions below which they count as the same

Point = tuple[float, float, float]


@dataclass(frozen=True)
class PlacedCamera:
    """Stands at `at` and looks at `to`, with the vertical axis of the scene upright in the picture."""

    at: Point
    """Position of the eye [m]."""
    to: Point | None = None
    """Target [m]; None: the centre of the film."""
    fov: float = 2 * HALF_ANGLE
    """Vertical angle of view [degrees]."""

    def aim(self, up: str, points: Array, width: int, height: int) -> View:
        """The view from there; the points only replace a missing target."""
        eye = np.array(self.at, dtype=float)
        target = (points.min(axis=0) + points.max(axis=0)) / 2 if self.to is None else np.array(self.to, dtype=float)
        away = eye - target
        distance = float(np.linalg.norm(away))
        if not distance > 1e-9 * (1.0 + float(np.abs(eye).max())):
            raise SuppleError(f"--camera: position and target are both {_text(self.at)}; move one of the two")
        return View(width, height, upright(away / distance, up), target, distance, self.fov / 2)


def upright(towards: Array, up: str) -> Array:
    """(3, 3) right, up, towards the viewer: the axes of a level camera that looks along -`towards`. A camera that looks straight
    up or down has the right axis of the front view."""
    vertical, right = np.eye(3)["xyz".index(up)], np.eye(3)[1 if up == "x" else 0]
    across = np.cross(vertical, towards)
    length = float(np.linalg.norm(across))
    right = across / length if length > _PARALLEL else right
    return np.stack([right, np.cross(towards, right), towards])


def _text(point: Point) -> str:
    return ",".join(f"{value:g}" for value in point)
