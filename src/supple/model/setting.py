"""What contact has to know of a scene: its parts, their masses and places, and how hard they will press."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from supple.constraints.motion import Motion
from supple.dynamics.state import State
from supple.mesh.mesh import Mesh
from supple.model.pressing import Pressing, expected_pressure, pressing, touching_vertices
from supple.model.thickness import usual_distance
from supple.scene.tables.body import Body
from supple.scene.tables.obstacle import MeshObstacle, ShapeObstacle
from supple.scene.tables.scene import Scene
from supple.types import Array, Ints

TIMES = 17
"""Moments of a run at which the speed of scripts is looked at."""


@dataclass(frozen=True)
class Part:
    """A body or a mesh obstacle in the whole mesh."""

    table: Body | MeshObstacle
    mesh: Mesh
    first: int
    path: str
    """Where its table stands in the file."""

    @property
    def span(self) -> slice:
        """Its vertices."""
        return slice(self.first, self.first + self.mesh.n)


@dataclass(frozen=True)
class Setting:
    """What contact has to know of a scene: its parts are the bodies and then the mesh obstacles."""

    scene: Scene
    parts: tuple[Part, ...]
    whole: Mesh
    mass: Array
    state: State
    motion: Motion

    @property
    def bodies(self) -> list[tuple[Part, Body]]:
        return [(p, p.table) for p in self.parts if isinstance(p.table, Body)]

    def touching(self, table: ShapeObstacle) -> list[tuple[Body, Ints, Array]]:
        """Bodies that feel a shape, with their touching vertices and the areas of those [m^2]."""
        chosen = [(part, body) for part, body in self.bodies if table.bodies is None or body.name in table.bodies]
        found = [(body, part.first, touching_vertices(part.mesh)) for part, body in chosen]
        return [(body, own + np.int32(first), areas) for body, first, (own, areas) in found]

    @cached_property
    def distance(self) -> float:
        """Where contact begins if a scene does not say [m]."""
        return usual_distance(self.parts, self.size)

    @property
    def size(self) -> float:
        """Longest side of the smallest body [m]."""
        return min(float(p.mesh.extent.max()) for p, _ in self.bodies)

    def pressure(self, distance: float) -> float:
        """What contact that begins at so small a distance must stand [Pa]."""
        bodies, scripted = self._pressings
        time, g = self.scene.time, float(np.linalg.norm(self.scene.world.acceleration))
        return expected_pressure(bodies, g, scripted, time.step, time.duration, distance)

    @cached_property
    def _pressings(self) -> tuple[list[Pressing], float]:
        """What each body brings into a contact, and the speed of scripts [m/s]."""
        time, g = self.scene.time, np.asarray(self.scene.world.acceleration)
        fields = (self.motion.drive(np.zeros_like(self.state.v), t) for t in np.linspace(0.0, time.duration, TIMES))
        scripted = max(float(np.linalg.norm(v, axis=1).max()) for v in fields)
        return [self._pressing(part, body, g) for part, body in self.bodies], scripted

    def _pressing(self, part: Part, body: Body, g: Array) -> Pressing:
        x = self.state.x[part.span]
        size = float(np.linalg.norm(g))
        down = g / size if size > 0.0 else g
        drop = float((self.state.x @ down).max() - (x @ down).max())
        for table in self.scene.obstacle:
            if isinstance(table, ShapeObstacle):
                drop = max(drop, float(table.make().distance(x).min()))
        return pressing(body, part.mesh, self.mass[part.span], self.state.v[part.span], drop)

    @cached_property
    def inertia(self) -> Array:
        """(n,) masses, infinite for mesh obstacles, which nothing moves [kg]."""
        mass = self.mass.copy()
        for part in self.parts:
            if isinstance(part.table, MeshObstacle):
                mass[part.span] = np.inf
        return mass
