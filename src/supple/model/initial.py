"""Where a body starts: rest positions turned into the positions and velocities of time 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from supple.checks import checked
from supple.constraints.scripts import rotated
from supple.errors import SuppleError
from supple.formulas.expressions import Expression
from supple.formulas.values import Components
from supple.types import Array
from supple.values import Direction, Vector


@checked
@dataclass(frozen=True)
class Twist:
    """Each cross-section turned about an axis, by an angle that grows along the axis."""

    axis: Literal["x", "y", "z"]
    rate: float
    """Angle for each metre from `centre` along the axis [rad/m]."""
    centre: Vector | None = None
    """Where the angle is zero, and a point of the axis [m]; the centroid if absent."""


@checked
@dataclass(frozen=True)
class Turn:
    """A rigid rotation."""

    axis: Direction
    angle: float
    """[rad]"""
    centre: Vector | None = None
    """A point of the axis [m]; the centroid if absent."""


@checked
@dataclass(frozen=True)
class Initial:
    """State at time 0, from the rest positions X, Y, Z: either three expressions, or words applied in order.

    The order of the words is stretch, twist, rotate, translate.
    """

    position: Components | None = None
    """Expressions for x, y, z in X, Y, Z [m], such as `["1.2 * X", "Y", "Z"]`."""
    stretch: Vector | None = None
    """Factors along x, y, z about the centroid [-]."""
    twist: Twist | None = None
    rotate: Turn | None = None
    translate: Vector | None = None
    """[m]"""
    velocity: Components = (0.0, 0.0, 0.0)
    """Numbers, or expressions in X, Y, Z [m/s]."""
    spin: Vector = (0.0, 0.0, 0.0)
    """Angular velocity w [rad/s]: adds w x (X - centroid) at the rest positions X."""

    def __post_init__(self) -> None:
        words = [w for w in ("stretch", "twist", "rotate", "translate") if getattr(self, w) is not None]
        if self.position is not None and words:
            raise SuppleError(
                f"position cannot be mixed with {', '.join(words)}: give either position with three expressions, "
                "or the words stretch, twist, rotate, translate"
            )
        if self.stretch is not None and 0 in self.stretch:
            raise SuppleError(f"stretch factors must not be 0, found {list(self.stretch)}")

    def positions(self, X: Array) -> Array:
        """Positions at time 0 from the rest positions X (n, 3) [m]."""
        if self.position is not None:
            return _components(self.position, X)
        x, centroid = X.copy(), X.mean(axis=0)
        if self.stretch is not None:
            x = centroid + (x - centroid) * np.asarray(self.stretch)
        if self.twist is not None:
            x = _twisted(self.twist, x, centroid)
        if self.rotate is not None:
            turn = self.rotate
            x = rotated(x, turn.axis, centroid if turn.centre is None else turn.centre, turn.angle)
        if self.translate is not None:
            x = x + np.asarray(self.translate)
        return x

    def velocities(self, X: Array) -> Array:
        """Velocities at time 0 [m/s]; the spin acts on rest positions about their centroid."""
        return _components(self.velocity, X) + np.cross(np.asarray(self.spin), X - X.mean(axis=0))


def _components(components: tuple[float | str, ...], X: Array) -> Array:
    columns = [Expression(c).values(X) if isinstance(c, str) else np.full(len(X), c) for c in components]
    return np.stack(columns, axis=1)


def _twisted(twist: Twist, x: Array, centroid: Array) -> Array:
    axis = "xyz".index(twist.axis)
    a, b = (axis + 1) % 3, (axis + 2) % 3
    centre = centroid if twist.centre is None else np.asarray(twist.centre)
    angle = twist.rate * (x[:, axis] - centre[axis])
    c, s = np.cos(angle), np.sin(angle)
    out = x.copy()
    out[:, a] = centre[a] + c * (x[:, a] - centre[a]) - s * (x[:, b] - centre[b])
    out[:, b] = centre[b] + s * (x[:, a] - centre[a]) + c * (x[:, b] - centre[b])
    return out
