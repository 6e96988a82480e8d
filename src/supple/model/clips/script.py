"""Scripts that follow a file: the points of an object, triangles of it, or joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from supple.clips.interpolation import Frames
from supple.errors import SuppleError
from supple.model.clips.matching import Bound
from supple.types import Array

SIZES = (2e-3, 100.0)
"""Longest side of an object that needs no confirmation [m]."""


class Followed(Protocol):
    """Positions and velocities (k, 3) at a time since the start of the clip [s]."""

    def at(self, t: float) -> tuple[Array, Array]: ...


@dataclass(frozen=True, eq=False)
class OnTriangles:
    """Points bound to triangles with moving corners."""

    corners: Frames
    bound: Bound

    def at(self, t: float) -> tuple[Array, Array]:
        return self.bound.at(*self.corners.at(t))


@dataclass(frozen=True, eq=False)
class FileScript:
    """A script with positions from a file; X are the vertices it was made for, and its values do not depend on them."""

    source: Followed
    offset: Array
    """(k, 3) offsets from the first frame to the initial positions; within the tolerance [m]."""
    window: tuple[float, float]
    """Start and end of the clip [s]."""
    notes: tuple[str, ...]
    """Notes about the file."""

    def position(self, X: Array, t: float) -> Array:
        return self._at(X, min(t, self.window[1]))[0] + self.offset

    def velocity(self, X: Array, t: float) -> Array:
        if t >= self.window[1]:
            return np.zeros_like(X)
        return self._at(X, t)[1].copy()

    def _at(self, X: Array, t: float) -> tuple[Array, Array]:
        if len(X) != len(self.offset):
            raise SuppleError(f"motion from a file was made for {len(self.offset)} vertices, found {len(X)}")
        return self.source.at(t - self.window[0])


def check_size(file: str, name: str, longest: float, metres: float, scale: float | None) -> None:
    """Reject an object whose longest side [m] suggests another unit, unless a scale was given; a zero size passes."""
    if scale is not None or not longest or SIZES[0] <= longest <= SIZES[1]:
        return
    if longest > SIZES[1]:
        what, factor = ("millimetres", 0.001) if longest > 1000.0 else ("centimetres", 0.01)
    else:
        what, factor = "metres that were scaled twice", 1000.0
    raise SuppleError(
        f"{file}: '{name}' is {longest:,.4g} m long at {metres:g} m per unit; if these are {what}, set scale = {factor:g}; "
        "if it is meant, set scale = 1.0"
    )


def rate_text(times: Array, frames: int) -> str:
    """Such as `48 frames at 24 fps`."""
    if frames < 2:
        return "1 frame, constant"
    rate = (frames - 1) / float(times[-1] - times[0])
    return f"{frames} frames at {round(rate, 3):g} fps"
