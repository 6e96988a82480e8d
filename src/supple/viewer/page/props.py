"""Obstacles with a shape on the live page: they stand still, and half-spaces reach far."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from supple.contact.obstacles.half_space import HalfSpace
from supple.recording.scenery import Scenery
from supple.render.surface import make_skin
from supple.types import Array
from supple.viewer.page.colours import byte_colour

if TYPE_CHECKING:
    from viser import ViserServer

FAR = 4.0
"""A half-space carries what is within so many sizes of the bodies."""


def shape_points(scenery: Scenery) -> Array:
    """(m, 3) points of all shapes that end somewhere."""
    nowhere = np.zeros(3)
    found = [prop.surface(nowhere, nowhere)[0] for prop in scenery.props if not prop.endless]
    return np.concatenate([np.empty((0, 3)), *found])


def add_props(server: ViserServer, scenery: Scenery, bodies: Array) -> None:
    """Draw all shapes; `bodies` (n, 3) is what they have to carry."""
    low, high = bodies.min(axis=0), bodies.max(axis=0)
    far = FAR * max(float(np.linalg.norm(high - low)), 1e-6)
    for prop, (points, faces) in scenery.surfaces(low - far, high + far):
        skin = make_skin(faces, points)
        # a wall must not hide what happens before it
        side: Literal["front", "double"] = "front" if isinstance(prop.shape, HalfSpace) else "double"
        server.scene.add_mesh_simple(
            f"/obstacles/{prop.name}", points[skin.source].astype(np.float32), skin.faces,
            color=byte_colour(prop.colour), side=side, cast_shadow=False, receive_shadow=False,
        )  # fmt: skip
