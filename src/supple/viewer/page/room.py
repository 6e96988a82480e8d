"""Initial view of a page, and the height of the floor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from supple.contact.obstacles.half_space import HalfSpace
from supple.recording.scenery import Scenery
from supple.types import Array

AROUND = 2.5
"""Distance up to which obstacles are kept in view, in sizes of the bodies."""
LEVEL = 0.999
"""Upward component of the normal above which a half-space is the floor."""
LIFT = 2e-3
"""Offset of the floor lines from the floor, as a fraction of the room's size."""


@dataclass(frozen=True, eq=False)
class Room:
    """A box, and the height of the floor in it."""

    low: Array
    high: Array
    up: str
    floor: float | None
    """Height of the floor lines; None if the ground is not level."""


def room_for(bodies: Array, obstacles: Array, scenery: Scenery, up: str, sink: float = 0.0) -> Room:
    """Box around positions (n, 3) of bodies and the nearby part of obstacles (m, 3). The floor is that of the scene, or just
    below everything, or lower by `sink` [m]."""
    low, high = bodies.min(axis=0), bodies.max(axis=0)
    reach = AROUND * float(np.linalg.norm(high - low))
    if len(obstacles):
        near = np.clip(obstacles, low - reach, high + reach)
        low, high = np.minimum(low, near.min(axis=0)), np.maximum(high, near.max(axis=0))
    grounds = [prop.shape for prop in scenery.props if isinstance(prop.shape, HalfSpace)]
    size = float(np.linalg.norm(high - low))
    floor = _level(grounds, up, LIFT * size) if grounds else float(low["xyz".index(up)]) - sink - 5 * LIFT * size
    if grounds and floor is not None:
        low["xyz".index(up)] = min(low["xyz".index(up)], floor)
    return Room(low, high, up, floor)


def _level(grounds: Sequence[HalfSpace], up: str, lift: float) -> float | None:
    """Height of the highest level half-space."""
    axis = "xyz".index(up)
    heights = [float(ground.point[axis]) for ground in grounds if ground.unit[axis] > LEVEL]
    return max(heights) + lift if heights else None
