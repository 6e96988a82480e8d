"""Bodies whose embedded fine surface is in contact with obstacles: coarse bodies, and cages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from supple.contact.obstacles.fine_contact import FineContact
from supple.contact.obstacles.fine_surface import FineSurface
from supple.mesh.measure import triangle_areas
from supple.mesh.topology import surface
from supple.model.body import Body
from supple.model.obstacle import Obstacle
from supple.model.placed import Placed
from supple.model.source import CoarseFile, MeshFile
from supple.model.world import World
from supple.types import Array, Ints
from supple.wording import shown

LAWS = ("barrier", "quadratic", "cubic")
"""Laws of obstacles that act on fine surfaces: those that are a potential of the position."""


def meets_finely(body: Body) -> bool:
    """Whether shapes of obstacles act on the embedded fine surface of a body."""
    if isinstance(body.mesh, MeshFile):
        return body.mesh.cage is not None and body.mesh.cage.contact == "surface"
    return isinstance(body.mesh, CoarseFile) and body.mesh.contact == "fine"


@dataclass(frozen=True, eq=False)
class _Fine:
    """A fine surface at rest, with the tet and the barycentric coordinates of each of its points."""

    points: Array
    triangles: Ints
    host: Ints
    coordinates: Array


def _fine(placed: Placed) -> _Fine | None:
    if placed.coarse is not None:
        own = placed.coarse
        return _Fine(own.skin, own.skin_triangles, own.host, own.coordinates)
    carried = placed.carried
    if carried is None:
        return None
    binding = carried.binding
    return _Fine(carried.mesh.vertices, surface(carried.mesh), binding.host.astype(np.int32), binding.weights)


def fine_areas(placed: Placed) -> Array:
    """(f,) area around each point of the fine surface [m^2]."""
    own = _fine(placed)
    if own is None:
        return np.empty(0)
    shares = np.repeat(triangle_areas(own.points, own.triangles) / 3.0, 3)
    areas = np.bincount(own.triangles.ravel(), shares, len(own.points))
    # points on no triangle, or on flat ones only, get the smallest area of the others
    return np.asarray(np.maximum(areas, areas[areas > 0.0].min(initial=np.inf)), dtype=np.float64)


def fine_contact(
    placed: Placed, obstacle: Obstacle, stiffness: float, distance: float, weights: Array
) -> list[FineContact]:
    """Contact of a shape with the fine surface of a body."""
    own = _fine(placed)
    if own is None:
        return []
    points = FineSurface(placed.vertices, placed.own(placed.mesh.tets), own.points, own.host, own.coordinates)
    thickness = obstacle.thickness + (placed.thickness or 0.0) / 2.0
    numbers = np.arange(len(own.points), dtype=np.int32)
    return [FineContact(obstacle.contact(stiffness, distance, numbers, weights, thickness), points)]


def fine_problems(world: World) -> Iterator[str]:
    """Problems: obstacles whose law does not apply to points carried by several vertices, and bodies on a grid."""
    finely = [body for body in world.bodies if meets_finely(body)]
    for i, body in enumerate(world.bodies):
        if meets_finely(body) and body.rides:
            yield (
                f"body[{i}].mesh: contact of a fine surface is for shapes that act on bodies, but '{body.name}' moves with the "
                f"grid of material points; take {_plain(body)}"
            )
    for k, obstacle in enumerate(world.obstacles):
        if not isinstance(obstacle, Obstacle) or obstacle.law in LAWS or obstacle.at_nodes() is not None:
            continue
        for body in finely:
            if obstacle.acts_on(body.name):
                yield (
                    f"obstacle[{k}].law: {shown(obstacle.law)} acts on single vertices, but '{body.name}' is in contact with "
                    f"shapes by its fine surface; take {', '.join(LAWS)}, or {_plain(body)}"
                )


def _plain(body: Body) -> str:
    """The key for contact with shapes by the body's own tets."""
    return 'mesh.cage.contact = "cage"' if isinstance(body.mesh, MeshFile) else 'mesh.contact = "coarse"'
