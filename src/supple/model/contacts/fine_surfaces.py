"""Coarse bodies that meet obstacles with the fine surface that they carry."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from supple.contact.obstacles.fine_contact import FineContact
from supple.contact.obstacles.fine_surface import FineSurface
from supple.mesh.measure import triangle_areas
from supple.model.body import Body
from supple.model.obstacle import Obstacle
from supple.model.placed import Placed
from supple.model.source import CoarseFile
from supple.model.world import World
from supple.types import Array
from supple.wording import shown

LAWS = ("barrier", "quadratic", "cubic")
"""Of obstacles that fine surfaces can meet: those that are a potential of the position."""


def meets_finely(body: Body) -> bool:
    """Whether shapes of obstacles act on the fine surface of a coarse body."""
    return isinstance(body.mesh, CoarseFile) and body.mesh.contact == "fine"


def fine_areas(placed: Placed) -> Array:
    """(f,) area around each point of the fine surface [m^2]."""
    own = placed.coarse
    if own is None:
        return np.empty(0)
    shares = np.repeat(triangle_areas(own.skin, own.skin_triangles) / 3.0, 3)
    return np.asarray(np.bincount(own.skin_triangles.ravel(), shares, len(own.skin)), dtype=np.float64)


def fine_contact(
    placed: Placed, obstacle: Obstacle, stiffness: float, distance: float, weights: Array
) -> list[FineContact]:
    """Contact of a shape with the fine surface of a body."""
    own = placed.coarse
    if own is None:
        return []
    surface = FineSurface(placed.vertices, placed.own(own.tets), own.skin, own.host, own.coordinates)
    thickness = obstacle.thickness + (placed.thickness or 0.0) / 2.0
    points = np.arange(len(own.skin), dtype=np.int32)
    return [FineContact(obstacle.contact(stiffness, distance, points, weights, thickness), surface)]


def fine_problems(world: World) -> Iterator[str]:
    """Obstacles whose law has no meaning for points that several vertices carry, and bodies on a grid."""
    finely = [body for body in world.bodies if meets_finely(body)]
    for i, body in enumerate(world.bodies):
        if meets_finely(body) and body.rides:
            yield (
                f"body[{i}].mesh.contact: \"fine\" is for shapes that act on bodies, but '{body.name}' rides on the grid of "
                'material points; take contact = "coarse"'
            )
    for k, obstacle in enumerate(world.obstacles):
        if not isinstance(obstacle, Obstacle) or obstacle.law in LAWS or obstacle.at_nodes() is not None:
            continue
        for body in finely:
            if obstacle.acts_on(body.name):
                yield (
                    f"obstacle[{k}].law: {shown(obstacle.law)} acts on single vertices, but '{body.name}' meets shapes with "
                    f'its fine surface; take {", ".join(LAWS)}, or mesh.contact = "coarse"'
                )
