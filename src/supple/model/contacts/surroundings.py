"""Input for the design of contact: positions of all parts, and expected pressures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from supple.constraints.motion import Motion
from supple.dynamics.state import State
from supple.mesh.mesh import Mesh
from supple.model.body import Body
from supple.model.contacts.fine_surfaces import fine_areas, meets_finely
from supple.model.contacts.pressing import Pressing, expected_pressure, pressing, touching_places
from supple.model.contacts.thickness import usual_distance
from supple.model.obstacle import Obstacle
from supple.model.placed import Placed
from supple.model.world import World
from supple.types import Array, Ints

TIMES = 17
"""Number of times in a run at which the speed of scripts and gravity are sampled."""


@dataclass(frozen=True)
class Surroundings:
    """All parts in contact, bodies first and then mesh obstacles, at the start of a run with a given step."""

    world: World
    placed: tuple[Placed, ...]
    whole: Mesh
    mass: Array
    state: State
    motion: Motion
    h: float
    """Step [s]."""
    duration: float
    """Time simulated [s]."""

    @property
    def bodies(self) -> list[Placed]:
        return [p for p in self.placed if not p.is_obstacle]

    def touching(self, obstacle: Obstacle) -> list[tuple[Body, Ints, Array]]:
        """Bodies on which a shape acts, with their contact vertices and areas [m^2]."""
        chosen = [p for p in self.bodies if obstacle.acts_on(p.name) and not meets_finely(p.body)]
        found = [(p, *touching_places(p)) for p in chosen]
        return [(p.body, p.own(own), areas) for p, own, areas in found]

    def touching_finely(self, obstacle: Obstacle) -> list[tuple[Placed, Array]]:
        """Coarse bodies on whose fine surface a shape acts, and the areas around its points [m^2]."""
        return [(p, fine_areas(p)) for p in self.bodies if obstacle.acts_on(p.name) and meets_finely(p.body)]

    @cached_property
    def distance(self) -> float:
        """Default contact distance [m]."""
        return usual_distance(self.placed, self.size)

    @property
    def size(self) -> float:
        """Longest side of the smallest body [m]."""
        return min(
            float(p.mesh.extent.max() or p.solid_mesh.extent.max()) for p in self.bodies
        )  # a single point has none

    def pressure(self, distance: float) -> float:
        """Pressure that contact with the given distance must withstand [Pa]."""
        bodies, scripted = self._pressings
        g = float(np.linalg.norm(self._gravity))
        return expected_pressure(bodies, g, scripted, self.h, self.duration, distance)

    @property
    def _times(self) -> list[float]:
        return np.linspace(0.0, self.duration, TIMES).tolist()

    @cached_property
    def _gravity(self) -> Array:
        """The strongest gravity of the run, which may begin without any [m/s^2]."""
        return max((np.asarray(self.world.acceleration_at(t)) for t in self._times), key=np.linalg.norm)

    @cached_property
    def _pressings(self) -> tuple[list[Pressing], float]:
        """Contact properties of each body, and the speed of scripts [m/s]."""
        fields = (self.motion.drive(np.zeros_like(self.state.v), t) for t in self._times)
        scripted = max(float(np.linalg.norm(v, axis=1).max()) for v in fields)
        return [self._pressing(placed, self._gravity) for placed in self.bodies], scripted

    def _pressing(self, placed: Placed, g: Array) -> Pressing:
        x = self.state.x[placed.span]
        size = float(np.linalg.norm(g))
        down = g / size if size > 0.0 else g
        drop = float((self.state.x @ down).max() - (x @ down).max())
        for obstacle in self.world.shapes:
            drop = max(drop, float(obstacle.shape.distance(x).min()))
        return pressing(placed, self.state.v[placed.span], drop)

    @cached_property
    def inertia(self) -> Array:
        """(n,) masses, infinite for mesh obstacles, which do not respond to forces [kg]."""
        mass = self.mass.copy()
        for placed in self.placed:
            if placed.is_obstacle:
                mass[placed.span] = np.inf
        return mass
