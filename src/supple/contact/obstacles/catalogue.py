"""The shapes of obstacles by the names that scenes have for them."""

from __future__ import annotations

from supple.contact.obstacles.half_space import HalfSpace
from supple.contact.obstacles.shapes import Box, Capsule, Shape, Sphere
from supple.contact.obstacles.stairs import Stairs

SHAPES: dict[str, type[Shape]] = {
    "half-space": HalfSpace,
    "sphere": Sphere,
    "box": Box,
    "capsule": Capsule,
    "stairs": Stairs,
}
