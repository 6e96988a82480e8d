"""Worlds with bodies of material points: obstacles on the nodes of their grid, and incompatible options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from supple.errors import SceneError, SuppleError
from supple.model.body import Body
from supple.model.obstacle import MeshObstacle, Obstacle
from supple.model.placed import Placed
from supple.model.points.points import CELLS, Points
from supple.model.source import CoarseFile
from supple.model.world import World
from supple.points.cloud import Cloud
from supple.points.meshes.mesh_solid import MeshSolid
from supple.points.obstacle import LAWS, NodeObstacle
from supple.types import Ints
from supple.wording import shown

HOLD = 'fix them by an obstacle (a box, for instance) with law = "sticky", which may have a motion'
SOFTLY = f'{HOLD}, or by [[energy]] with name = "soft-pin"'
RIDE = 'let its mesh move with the grid by points = "vertices"'
SOLID = f"points fill solids with one law: leave it out, or {RIDE}"
REFUSED: dict[str, tuple[Any, str]] = {
    "pin": ((), f"single points cannot be pinned; {HOLD}"),
    "motion": ((), f"single points cannot follow a script; {HOLD}"),
    "thickness": (None, SOLID),
    "bending": (None, SOLID),
    "stiffness": (1.0, f"the law of points has fixed constants: give the material another young, or {RIDE}"),
    "muscles": ((), f"muscles act on tets: leave them out, or {RIDE}"),
    "pleats": ((), SOLID),
    "pressure": (None, SOLID),
    "area": (None, SOLID),
    "volume": (None, SOLID),
    "mass_distribution": ("volume", "all points of a body have the same volume: leave it out"),
    "friction": (None, 'friction on points is that of an obstacle with law = "separate": give it there'),
    "self_contact": (None, "points interact on the grid, without contact terms: leave it out"),
}
"""Keys of a body that are incompatible with points: their defaults, and the message."""
REFUSED_RIDING: dict[str, tuple[Any, str]] = {
    "pin": ((), f"vertices that move with the grid cannot be pinned; {SOFTLY}"),
    "motion": ((), f"vertices that move with the grid cannot follow a script; {SOFTLY}"),
    **{key: REFUSED[key] for key in ("friction", "self_contact")},
}
"""The same for a body whose mesh moves with the grid."""
POTENTIALS = ("barrier", "quadratic", "cubic")


def on_grid(world: World, placed: Sequence[Placed], cell: float | None) -> tuple[list[Cloud], list[NodeObstacle], Ints]:
    """Clouds, obstacles that act on grid nodes, in the order of the world, and vertices of meshes carried by the grid."""
    riders = np.concatenate([np.empty(0, np.int32), *(p.numbers for p in placed if p.rides)])
    clouds = [p.cloud for p in placed if p.cloud is not None]
    return clouds, node_obstacles(world, cell or smallest_cell(placed)), riders


def node_obstacles(world: World, cell: float) -> list[NodeObstacle]:
    """Obstacles that act on the nodes of a grid with cells of about that size [m], in the order of the world."""
    found: list[NodeObstacle] = []
    problems: list[str] = []
    for k, obstacle in enumerate(world.obstacles):
        try:
            made = obstacle.at_nodes() if isinstance(obstacle, Obstacle) else obstacle.at_nodes(cell, world.up)
        except SuppleError as error:
            problems.append(f"obstacle[{k}].mesh: {error}")
        else:
            found += [made] if made is not None else []
    if problems:
        raise SceneError(problems)
    return found


def thin_notes(obstacles: Sequence[NodeObstacle]) -> list[str]:
    """A note on meshes without grid nodes inside."""
    thin = [o.shape for o in obstacles if isinstance(o.shape, MeshSolid) and o.shape.thin]
    return [
        f"an obstacle with a mesh of {len(shape.triangles)} triangles is thinner than a cell of {shape.cell:g} m; points "
        "pass through where it contains no node: take smaller cells, or a thicker mesh"
        for shape in thin
    ]


def smallest_cell(placed: Sequence[Placed]) -> float:
    """Cell size used for the placement of particles, or a fraction of the smallest body [m]."""
    cells = [part.filled.cell for part in placed if part.filled is not None]
    sizes = (float(part.mesh.extent.max()) / CELLS for part in placed if not part.is_obstacle)
    return min(cells) if cells else min(sizes)


def point_problems(world: World) -> Iterator[str]:
    """Problems: options that are incompatible with material points, or that require them."""
    if all(body.points is None for body in world.bodies):
        for k, obstacle in enumerate(world.obstacles):
            if obstacle.law in LAWS:
                shape = isinstance(obstacle, Obstacle)
                way = f"take {', '.join(POTENTIALS)} or projection" if shape else "leave it out"
                yield (
                    f"obstacle[{k}].law: {shown(obstacle.law)} acts on the grid of material points, and no body has points; "
                    f"{way}, or give a body points = {{ per_cell = 8 }}"
                )
        return
    for i, body in enumerate(world.bodies):
        yield from _body_problems(body, f"body[{i}]")
    for k, obstacle in enumerate(world.obstacles):
        yield from _obstacle_problems(obstacle, f"obstacle[{k}]")
    if world.contact is not None:
        yield "contact: bodies with points interact on the grid, without contact terms: leave out [contact]"
    yield from _attachment_problems(world)
    for key, entries in (("damping", world.damping), ("constraint", world.constraints), ("seam", world.seams)):
        if entries:
            yield f"{key}[0]: not for worlds with material points: leave it out, or give all bodies meshes without points"


def _attachment_problems(world: World) -> Iterator[str]:
    """Problems: springs from points to points; one of the ends must be a vertex of a mesh."""
    clouds = {body.name for body in world.bodies if isinstance(body.points, Points)}
    for k, spring in enumerate(world.attachments):
        ends = [name if name in clouds else name.rpartition(".")[0] for name in (spring.vertices, spring.to)]
        if clouds.issuperset(ends):
            yield (
                f"attachment[{k}]: both ends are material points, which interact on the grid; leave it out, or let one of "
                'the bodies be a mesh that moves with the grid by points = "vertices"'
            )


def _body_problems(body: Body, path: str) -> Iterator[str]:
    if body.points is None:
        yield (
            f"{path}.points: missing, but other bodies have points; a mesh among them moves with their grid: give "
            'points = "vertices", or make it a cloud by points = { per_cell = 8 }'
        )
        return
    for key, (usual, sentence) in (REFUSED_RIDING if body.rides else REFUSED).items():
        if getattr(body, key) != usual:
            yield f"{path}.{key}: {sentence}"
    if isinstance(body.mesh, CoarseFile) and not body.rides:
        yield f"{path}.points: a coarse body has tensors of its tets, which points do not carry: {RIDE}"


def _obstacle_problems(obstacle: Obstacle | MeshObstacle, path: str) -> Iterator[str]:
    ways = f"a law of grid nodes ({', '.join(LAWS)})"
    if isinstance(obstacle, MeshObstacle):
        if obstacle.law is None:
            yield f"{path}.law: material points interact with a mesh only at the nodes of their grid; give it {ways}"
    elif obstacle.law not in (*LAWS, *POTENTIALS):
        yield f"{path}.law: {shown(obstacle.law)} is not for material points; take {ways}, or quadratic, cubic or barrier"
    elif obstacle.law in POTENTIALS and obstacle.friction:
        yield f'{path}.friction: potentials of material points have none; take law = "separate", or leave friction out'
