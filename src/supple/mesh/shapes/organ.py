"""A body in the rough form of a liver: a ball that is stretched, tapered, flattened below and arched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt

from supple.mesh import SHAPES
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.grid import solid
from supple.mesh.shapes.round import Ball
from supple.mesh.shapes.shape import Counts

TAPER, FLATTEN, ARCH = 0.3, 0.3, 0.3


@SHAPES("organ")
@dataclass(frozen=True)
class Organ:
    """A wedge of 20 r^3 tets in the shape of a liver: thick on the left, thin on the right, hollowed below.

    Point (a, b, c) of the unit ball goes to, with the taper s = 1 - 0.3 a and half the size (A, B, C),

        x = A a,   z = C s c,   y = B s (b + 0.3 b^2) - 0.3 B a^2
    """

    size: tuple[Annotated[float, Gt(0)], Annotated[float, Gt(0)], Annotated[float, Gt(0)]] = (0.22, 0.11, 0.15)
    """Approximate lengths along x, y and z [m]."""
    centre: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Position of the centre of the ball [m]."""
    resolution: Annotated[int, Ge(1)] = 4
    """Layers between the centre and the surface; 18 gives 116640 tets."""

    def counts(self) -> Counts:
        """The size of the mesh."""
        return Ball(resolution=self.resolution).counts()

    def mesh(self) -> Mesh:
        """The mesh, with the groups left, right, bottom, top, back and front (vertices at the ends of its bounding box)."""
        ball = Ball(radius=1.0, resolution=self.resolution).mesh()
        a, b, c = ball.vertices.T
        A, B, C = 0.5 * np.asarray(self.size)
        s = 1.0 - TAPER * a
        # each coordinate grows with its own and otherwise depends on earlier ones only: nothing is inverted
        x = np.stack([A * a, B * s * (b + FLATTEN * b**2) - ARCH * B * a**2, C * s * c], axis=1)
        return solid(x + self.centre, ball.tets)
