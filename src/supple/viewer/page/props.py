"""Obstacles on the page that are not among the vertices of a run: they follow scripts, and half-spaces reach far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from supple.constraints.motion import Script
from supple.constraints.rotations import quaternion
from supple.contact.obstacles.half_space import HalfSpace
from supple.contact.obstacles.implicit import Follows
from supple.recording.scenery import Scenery
from supple.render.surface import make_skin
from supple.types import Array
from supple.viewer.page.colours import byte_colour

if TYPE_CHECKING:
    from viser import ViserServer

FAR = 4.0
"""Drawn extent of a half-space, in sizes of the bodies."""


def shape_points(scenery: Scenery) -> Array:
    """(m, 3) points of all bounded shapes."""
    nowhere = np.zeros(3)
    found = [prop.surface(nowhere, nowhere)[0] for prop in scenery.props if not prop.endless]
    return np.concatenate([np.empty((0, 3)), *found])


class Props:
    """All obstacles at a time."""

    def __init__(self, moving: Sequence[tuple[Script, Any]]) -> None:
        """`moving`: those that move, each with its handle on the page."""
        self._moving, self._t = moving, np.nan

    def show(self, t: float) -> None:
        """Move to their positions at t [s]."""
        if t == self._t:
            return
        self._t = t
        for script, handle in self._moving:
            frame = script.position(np.concatenate([np.zeros((1, 3)), np.eye(3)]), t)
            handle.position, handle.wxyz = frame[0], quaternion((frame[1:] - frame[0]).T)


def add_props(server: ViserServer, scenery: Scenery, bodies: Array) -> Props:
    """Draw all obstacles; `bodies` (n, 3) sets the extent of half-spaces."""
    moving: list[tuple[Script, Any]] = []
    low, high = bodies.min(axis=0), bodies.max(axis=0)
    far = FAR * max(float(np.linalg.norm(high - low)), 1e-6)
    for prop, (points, faces) in scenery.surfaces(low - far, high + far):
        skin = make_skin(faces, points)
        # a wall must not hide the bodies in front of it
        side: Literal["front", "double"] = "front" if isinstance(prop.shape, HalfSpace) else "double"
        handle = server.scene.add_mesh_simple(
            f"/obstacles/{prop.name}", points[skin.source].astype(np.float32), skin.faces,
            color=byte_colour(prop.colour), side=side, cast_shadow=False, receive_shadow=False,
        )  # fmt: skip
        if prop.script is not None and not isinstance(
            prop.script, Follows
        ):  # obstacles that change shape keep their initial one
            moving.append((prop.script, handle))
    props = Props(moving)
    props.show(0.0)
    return props
