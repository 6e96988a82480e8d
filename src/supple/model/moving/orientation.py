"""Rotations of keyframes in their written form, and the rotation from one to the next."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from supple.checks import checked
from supple.constraints.rotations import shortest, turned_by
from supple.errors import SuppleError
from supple.types import Array
from supple.values import Direction, Vector

PARALLEL = 1e-9
"""Sine of the angle between axes below which they count as equal."""


@checked
@dataclass(frozen=True)
class AxisAngle:
    """A rotation about one axis, by any number of revolutions."""

    axis: Direction
    """Direction of the axis; need not have length 1."""
    angle: float
    """Angle [degrees]; counter-clockwise if the axis points at the viewer."""


@dataclass(frozen=True, eq=False)
class Orientation:
    """A rotation with its written form, which counts full revolutions."""

    turn: Array
    """(3, 3)"""
    axis: Array | None
    """(3,) unit vector; None for a rotation about several axes."""
    angle: float = 0.0
    """Angle about the axis [rad]."""
    angles: Array | None = None
    """(3,) angles about x, y, z [rad], if written in this form."""

    @classmethod
    def of(cls, written: Vector | AxisAngle) -> Orientation:
        if isinstance(written, AxisAngle):
            axis = np.asarray(written.axis, dtype=np.float64) / np.linalg.norm(written.axis)
            angle = math.radians(written.angle)
            return cls(turned_by(angle * axis), axis, angle)
        angles = np.radians(np.asarray(written, dtype=np.float64))
        x, y, z = (turned_by(a * e) for a, e in zip(angles, np.eye(3), strict=True))
        about = np.flatnonzero(angles)
        if len(about) > 1:
            return cls(z @ y @ x, None, angles=angles)
        k = int(about[0]) if len(about) else 2
        return cls(z @ y @ x, np.eye(3)[k], float(angles[k]), angles)

    def to(self, other: Orientation, where: str) -> Array:
        """(3,) rotation vector w [rad] to the next key: exp(w) rotates this orientation to the other.

        About one axis all revolutions count. About several axes the shortest rotation is used, and rejected if
        another is meant.
        """
        if self.angles is not None and other.angles is not None:
            return self._to_angles(self.angles, other.angles, other.turn, where)
        if self.axis is not None and other.axis is not None:
            if not self.angle:
                return other.angle * other.axis
            if not other.angle:
                return -self.angle * self.axis
            if np.linalg.norm(np.cross(self.axis, other.axis)) < PARALLEL:
                return (other.angle * np.sign(self.axis @ other.axis) - self.angle) * self.axis
        if abs(other.angle) > 2.0 * math.pi:
            raise _not_unique(where, f"{math.degrees(other.angle):g} degrees about another axis")
        return shortest(other.turn @ self.turn.T)

    def _to_angles(self, a: Array, b: Array, turn: Array, where: str) -> Array:
        change = b - a
        about = np.flatnonzero(change)
        if len(about) > 1:
            if np.abs(change).max() > math.pi:
                far = int(np.abs(change).argmax())
                raise _not_unique(
                    where, f"{math.degrees(change[far]):g} degrees about {'xyz'[far]} and a rotation about another axis"
                )
            return shortest(turn @ self.turn.T)
        if not len(about):
            return np.zeros(3)
        k = int(about[0])
        axis = np.eye(3)[k]
        for later in range(k + 1, 3):  # x is rotated by y and z, y by z
            axis = turned_by(a[later] * np.eye(3)[later]) @ axis
        return np.asarray(change[k] * axis)


def _not_unique(where: str, found: str) -> SuppleError:
    return SuppleError(
        f"{where}.rotation: between two keyframes only a rotation about one axis may exceed 180 degrees, found {found}; put "
        "a keyframe in between, or give both as { axis, angle } about the same axis"
    )
