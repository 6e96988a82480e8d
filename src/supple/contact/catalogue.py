"""The shapes of obstacles by the names that scenes have for them."""

from __future__ import annotations

from supple.contact.half_space import HalfSpace
from supple.contact.shapes import Box, Capsule, Shape, Sphere
from supple.contact.stairs import Stairs

SHAPES: dict[str, type[Shape]] = {
    "half-space": HalfSpace,
    "sphere": Sphere,
    "box": Box,
    "capsule": Capsule,
    "stairs": Stairs,
}
