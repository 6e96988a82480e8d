"""What the camera of a page has in view at first, and where the floor is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from supple.contact.obstacles.half_space import HalfSpace
from supple.recording.scenery import Scenery
from supple.types import Array

AROUND = 2.5
"""Obstacles are kept in view up to so many sizes of the bodies beyond them."""
LEVEL = 0.999
"""A half-space whose normal points up by this much is the floor."""
LIFT = 2e-3
"""Part of the room's size by which the lines of the floor lie above or below what they mark."""


@dataclass(frozen=True, eq=False)
class Room:
    """A box, and the height of the floor in it."""

    low: Array
    high: Array
    up: str
    floor: float | None
    """Where lines are drawn; None if the ground is not level."""


def room_for(bodies: Array, obstacles: Array, scenery: Scenery, up: str, sink: float = 0.0) -> Room:
    """Around positions (n, 3) of bodies and the part of obstacles (m, 3) that is near them. The floor is the scene's, or just
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
    """Height of the highest half-space that is level."""
    axis = "xyz".index(up)
    heights = [float(ground.point[axis]) for ground in grounds if ground.unit[axis] > LEVEL]
    return max(heights) + lift if heights else None
