"""Stairs: a union of boxes, one per step, each standing on the ground.

Step i = 0, 1, ... begins at the run i along the direction of ascent and is (i + 1) rises high. In the inner corner between
a tread and the next riser the distance to the union, a minimum, has a kink. Contact therefore sums the parts
separately, which is smooth; only one part acts at a time as long as the contact reach is below rise and run.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from supple.contact.laws import positive
from supple.contact.obstacles import OBSTACLES
from supple.contact.obstacles.outlines import Outline, Point, staircase
from supple.contact.obstacles.shapes import BoxShape, Shape, point
from supple.errors import SuppleError
from supple.types import Array

MOST_STEPS = 1_000
"""Each is a box, and a term of the contact energy."""


@OBSTACLES("stairs")
@dataclass(frozen=True)
class Stairs(Shape):
    """Stairs that rise along x, rotated about the y axis by `heading`."""

    origin: Point = (0.0, 0.0, 0.0)
    """Middle of the lower edge of the first riser [m]."""
    steps: int = 5
    """Number of steps, from 1 to 1,000."""
    rise: float = 0.2
    """Height of a step [m]."""
    run: float = 0.3
    """Depth of a step [m]."""
    width: float = 1.0
    """Length of the edges [m]."""
    heading: float = 0.0
    """Rotation about y [rad]."""

    def __post_init__(self) -> None:
        point("stairs.origin", self.origin)
        for name in ("rise", "run", "width"):
            positive(f"stairs.{name}", getattr(self, name))
        if not 1 <= self.steps <= MOST_STEPS:
            raise SuppleError(f"stairs.steps: found {self.steps}; must be from 1 to {MOST_STEPS:,}")

    @cached_property
    def parts(self) -> tuple[Shape, ...]:
        c, s = float(np.cos(self.heading)), float(np.sin(self.heading))
        boxes = []
        for i in range(self.steps):
            ahead, height = (i + 0.5) * self.run, (i + 1) * self.rise
            x, y, z = self.origin
            centre = (x + c * ahead, y + 0.5 * height, z - s * ahead)
            boxes.append(BoxShape(centre, (self.run, height, self.width), (0.0, self.heading, 0.0)))
        return tuple(boxes)

    def distance(self, y: Array) -> Array:
        """Distance to the nearest part; for points inside, a lower bound on the depth."""
        return np.min([part.distance(y) for part in self.parts], axis=0)

    def outward(self, y: Array) -> Array:
        return self._of_nearest(y, [part.outward(y) for part in self.parts])

    def bend(self, y: Array) -> Array:
        return self._of_nearest(y, [part.bend(y) for part in self.parts])

    def outline(self, low: Array, high: Array) -> Outline:
        return staircase(self.origin, self.steps, self.rise, self.run, self.width, self.heading)

    def _of_nearest(self, y: Array, fields: list[Array]) -> Array:
        nearest = np.argmin([part.distance(y) for part in self.parts], axis=0)
        return np.stack(fields)[nearest, np.arange(len(y))]
