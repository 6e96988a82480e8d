"""The contact term of vertices with a shape: where its normal is constant, the force over a step is exact."""

from __future__ import annotations

import numpy.typing as npt

from supple.contact.laws import Law
from supple.contact.obstacles.half_space import HalfSpaceContact
from supple.contact.obstacles.obstacle import ObstacleContact
from supple.contact.obstacles.shapes import Shape


def shape_contact(
    shape: Shape,
    law: Law,
    vertices: npt.ArrayLike,
    weights: float | npt.ArrayLike = 1.0,
    thickness: float = 0.0,
) -> ObstacleContact:
    """Contact of some vertices with a shape; arguments as for `ObstacleContact`."""
    kind = HalfSpaceContact if shape.flat else ObstacleContact
    return kind(shape, law, vertices, weights, thickness)
