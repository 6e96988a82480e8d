"""Contact with a half-space: the gap d = n . (x - point) - thickness changes linearly along a step.

So its mean over a step has a closed form, the quotient Q of the law, and Q is the derivative of a convex Psi (see
laws.py). AVF minimises Psi and conserves energy through impacts to round-off, with penalties and with the barrier.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from supple.contact.obstacles import OBSTACLES
from supple.contact.obstacles.obstacle import ObstacleContact
from supple.contact.obstacles.outlines import Outline, Point, rectangle
from supple.contact.obstacles.shapes import Shape, point
from supple.errors import SuppleError
from supple.types import Array


@OBSTACLES("half-space")
@dataclass(frozen=True)
class HalfSpace(Shape):
    """All points behind a plane: d = normal . (y - point)."""

    flat: ClassVar[bool] = True
    endless: ClassVar[bool] = True

    point: Point = (0.0, 0.0, 0.0)
    """A point of the plane [m]."""
    normal: Point = (0.0, 1.0, 0.0)
    """Direction out of the half-space, of any length."""

    def __post_init__(self) -> None:
        point("half-space.point", self.point)
        point("half-space.normal", self.normal)
        if not np.linalg.norm(self.normal) > 0.0:
            raise SuppleError("half-space.normal: found a zero vector; give the direction out of the ground")

    @cached_property
    def unit(self) -> Array:
        """(3,) the normal."""
        n = np.array(self.normal, dtype=np.float64)
        return n / np.linalg.norm(n)

    def distance(self, y: Array) -> Array:
        return (y - np.array(self.point)) @ self.unit

    def outward(self, y: Array) -> Array:
        return np.broadcast_to(self.unit, y.shape)

    def bend(self, y: Array) -> Array:
        return np.zeros((len(y), 3, 3))

    def outline(self, low: Array, high: Array) -> Outline:
        return rectangle(np.array(self.point, dtype=np.float64), self.unit, low, high)


class HalfSpaceContact(ObstacleContact):
    """Vertices against a half-space: the normal is constant, so the force over a step is the mean of the force."""

    turns_nothing: ClassVar[bool] = True

    def element_mean_gradients(self, x0: Array, x1: Array) -> Array:
        return self.averaged(x0).element_gradients(x1)

    def element_mean_jacobians(self, x0: Array, x1: Array) -> Array:
        return self.averaged(x0).element_hessians(x1)
