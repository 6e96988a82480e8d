"""Bodies that have fallen below everything they could land on: reported once each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from supple.contact.obstacles.shapes import Shape
from supple.loop import Frame
from supple.model.body import Body
from supple.model.constraints.constraint import Constraint
from supple.model.model import Model
from supple.model.placed import Placed
from supple.model.world import World
from supple.points.meshes.mesh_solid import MeshSolid
from supple.runs.notes.noted import noted
from supple.types import Array

FAR = 1e6
"""Distance at which a bounded shape appears as a point, relative to its coordinates; see `landing`."""
LOST = 10.0
"""Fall, over the size of the scene, after which a body is reported in a scene without ground."""


@dataclass(frozen=True)
class Landing:
    """Vertical extent of one obstacle: `bottom` is its lowest height, -inf for the ground."""

    shape: Shape
    bottom: float

    def missed(self, x: Array, up: Array) -> bool:
        """Whether all vertices x are below it, or inside the ground."""
        if self.bottom == -np.inf:
            return bool(self.shape.distance(x).max() < 0.0)
        return bool((x @ up).max() < self.bottom)


def landing(shape: Shape, up: Array) -> Landing | None:
    """An obstacle that a falling body could land on; None for walls and ceilings.

    From far below, at -R up, the distance to a bounded shape is R plus its lowest height. There the ground has a negative
    distance. From far above, a ceiling has no outside, and a wall is no farther than from anywhere else.
    """
    R = FAR * (1.0 + float(np.abs(shape.distance(np.zeros((1, 3)))).max()))
    above, below = shape.distance(np.stack([R * up, -R * up])).tolist()
    if above < 1e-3 * R:
        return None
    return Landing(shape, -np.inf if below < 0.0 else below - R)


class FallWatch:
    """Watches every frame of a run with gravity."""

    def __init__(self, model: Model) -> None:
        world = model.world
        g = np.asarray(world.acceleration)
        size = float(np.linalg.norm(g))
        self._up = -g / size if size > 0.0 else g
        self._mesh_obstacles = [p for p in model.placed if p.is_obstacle]
        at_nodes = [o.shape for o in model.system.node_obstacles if isinstance(o.shape, MeshSolid)]
        self._bottoms = [float((shape.vertices @ self._up).min()) for shape in at_nodes]
        held = [p for p in model.bodies if _is_held(p.body, world)]
        self._held = held if world.contact is not None else []
        falling = [p for p in model.bodies if p not in held]
        self._untold = [(p, self._below(p, world)) for p in falling] if size > 0.0 else []
        heights = model.state.x @ self._up
        self._lost = float(heights.min() - LOST * np.ptp(model.state.x, axis=0).max())

    def told(self, frame: Frame) -> Frame:
        """The frame with a note for each body that is below everything for the first time."""
        fallen = [entry for entry in self._untold if self._has_fallen(frame.state.x, *entry)]
        if not fallen:
            return frame
        self._untold = [entry for entry in self._untold if entry not in fallen]
        names = ", ".join(f"'{part.name}'" for part, _ in fallen)
        verb, below = ("is", "it") if len(fallen) == 1 else ("are", "they")
        return noted(
            frame,
            f"t = {frame.state.t:g} s: {names} {verb} below everything that {below} could land on, and will keep falling; add a "
            'ground ([[obstacle]] with shape = "half-space"), or move the body or the obstacle',
        )

    def _below(self, part: Placed, world: World) -> list[Landing]:
        """The shapes that a body could land on."""
        felt = [obstacle.shape for obstacle in world.shapes if obstacle.acts_on(part.name)]
        return [found for shape in felt for convex in shape.parts if (found := landing(convex, self._up))]

    def _has_fallen(self, x: Array, part: Placed, landings: list[Landing]) -> bool:
        own = x[part.span]
        top = float((own @ self._up).max())
        others = [float((x[p.span] @ self._up).min()) for p in (*self._mesh_obstacles, *self._held)]
        others += self._bottoms
        if not landings and not others:
            return top < self._lost
        return all(found.missed(own, self._up) for found in landings) and all(top < low for low in others)


def _is_held(body: Body, world: World) -> bool:
    """Whether something prevents a body from falling."""
    return bool(body.pin or body.motion) or body.name in set(_tied(world))


def _tied(world: World) -> Iterator[str]:
    """Names of bodies in attachments, seams and constraints."""
    for attachment in world.attachments:
        yield from (place.partition(".")[0] for place in (attachment.vertices, attachment.to))
    for seam in world.seams:
        yield from (place.partition(".")[0] for place in (seam.from_, seam.to))
    for constraint in world.constraints:
        if isinstance(constraint, Constraint):
            yield constraint.vertices.partition(".")[0]
