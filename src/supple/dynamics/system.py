"""Everything that stays fixed during a motion: masses, potentials, prescribed motion, and the sparsity they imply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from supple.constraints.holonomic import Constraints, Holonomic
from supple.constraints.motion import Motion
from supple.contact.obstacles.projection import Projection
from supple.contact.obstacles.velocity import VelocityContact
from supple.dynamics.dissipation import Dissipation
from supple.dynamics.impulse import Impulse
from supple.dynamics.potential import Potential
from supple.dynamics.state import State
from supple.energies.instant import Instant
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError
from supple.linalg.parts import split_vertices
from supple.linalg.pattern import SymmetricPattern, symmetric_pattern
from supple.linalg.threads import suit_threads
from supple.points.cloud import Cloud
from supple.points.obstacle import NodeObstacle
from supple.types import Array, Ints

MIDDLE = 0.5
"""Fraction of a step at which methods without freezing evaluate time-dependent parameters: of order 2."""


@dataclass(frozen=True)
class System:
    """Created by `build_system`, which numbers the unknowns and sets up the matrix pattern."""

    mass: Array
    """(n,) lumped masses [kg]."""
    potential: Potential
    dissipation: Dissipation
    motion: Motion
    free: Ints
    """Vertices that are unknowns, ascending."""
    pattern: SymmetricPattern
    impulses: tuple[Impulse, ...] = ()
    """Impulses that change velocities between two steps, at fixed positions."""
    projections: tuple[Projection | VelocityContact, ...] = ()
    """Obstacles out of which bodies are projected after every step, one after the other."""
    constraints: Constraints = field(default_factory=Constraints)
    """Equations g(x) = 0 that hold at all times."""
    solver: Mapping[str, Any] = field(default_factory=dict)
    """Solver options that belong to the system, by name: the defaults of tools created without options."""
    clouds: tuple[Cloud, ...] = ()
    """Vertices that are particles with their own deformation gradient."""
    riders: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    """Vertices of meshes carried by the grid of clouds: particles without their own deformation gradient, ascending."""
    node_obstacles: tuple[NodeObstacle, ...] = ()
    """Obstacles that act on the nodes of the grid of clouds, one after the other."""

    @property
    def n(self) -> int:
        return len(self.mass)

    @property
    def on_grid(self) -> bool:
        """Whether any vertex is a particle of a grid."""
        return bool(self.clouds) or len(self.riders) > 0

    @property
    def works(self) -> list[str]:
        """Columns of the work of time-dependent parameters, in the order of the terms."""
        return list(dict.fromkeys(term.drive.column for term in self.potential.roles.timed if term.drive is not None))

    @cached_property
    def unknown_mass(self) -> Array:
        """(3 * free,) mass of each scalar unknown [kg]."""
        return np.repeat(self.mass[self.free], 3)

    @cached_property
    def free_mask(self) -> Array:
        """(n, 1) 1 at the unknowns, 0 at prescribed vertices."""
        mask = np.zeros((self.n, 1))
        mask[self.free] = 1.0
        return mask

    def on_free(self, field: Array) -> Array:
        """A field over all vertices (n, 3), zero on prescribed ones."""
        out = np.zeros((self.n, 3))
        out[self.free] = field[self.free]
        return out

    def force(self, state: State) -> Array:
        """-grad V(x) - grad D(v), zero on prescribed vertices [N]."""
        gradient = self.potential.at(state.t).gradient(state.x)
        if self.dissipation.terms:
            gradient = gradient + self.dissipation.at(state.x, state.t, state.v).gradient(state.v)
        return self.on_free(-gradient)

    def acceleration(self, state: State) -> Array:
        """M^-1 force [m/s^2]."""
        return self.force(state) / self.mass[:, None]

    def during(
        self,
        state: State,
        h: float,
        fraction: float | None,
        sticks_at_end: bool = False,
        springs: Mapping[int, Array] | None = None,
        live: bool = False,
    ) -> System:
        """The system for a step of h [s] from a state. Terms that depend on the configuration are frozen at the
        position reached after the given fraction of the step with the current velocity, or not frozen (None).
        `sticks_at_end`: sticking friction uses the velocity 2 v - v0; `springs`: those of earlier steps (both in
        `Instant`). Time-dependent parameters of the potential are evaluated at that fraction, or at the middle of the
        step. With `live` they keep changing, for methods that evaluate forces at the time of each state."""
        if not (self.dissipation.changes or self.potential.changes):
            return self
        freeze = fraction is not None
        timed = fraction is None and not live and self.potential.roles.timed
        ahead = (MIDDLE if timed else fraction or 0.0) * h
        place = self.motion.place(state.x + ahead * state.v, state.t + ahead)
        v0 = state.v if sticks_at_end else None
        instant = Instant(state.x, place, state.t + ahead, h, state.v, springs=springs, v0=v0)
        potential = self.potential.during(instant) if freeze else self.potential
        if timed:
            potential = potential.timed(instant)
        return replace(self, potential=potential, dissipation=self.dissipation.during(instant, freeze))

    def moved(self, place: Array, end: Array | None = None) -> System:
        """The same during the same step, with torque-free or refrozen dissipation evaluated at another point, and
        with normal forces averaged over the step to `end`."""
        return replace(self, dissipation=self.dissipation.moved(place, end))


def build_system(
    rest: Array,
    mass: Array,
    terms: Sequence[EnergyTerm],
    motion: Motion | None = None,
    dissipation: Sequence[EnergyTerm] = (),
    impulses: Sequence[Impulse] = (),
    projections: Sequence[Projection | VelocityContact] = (),
    constraints: Sequence[Holonomic] = (),
    solver: Mapping[str, Any] | None = None,
    clouds: Sequence[Cloud] = (),
    node_obstacles: Sequence[NodeObstacle] = (),
    riders: Sequence[int] | Ints = (),
) -> System:
    """A system over vertices with these rest positions (used to split the work between threads) and masses."""
    mass = np.ascontiguousarray(mass, dtype=np.float64)
    if not (np.isfinite(mass) & (mass > 0.0)).all():
        bad = np.flatnonzero(~(np.isfinite(mass) & (mass > 0.0)))
        raise SuppleError(f"{len(bad)} vertices do not have a positive mass, the first is vertex {bad[0]}")
    motion = motion or Motion()
    free = np.flatnonzero(~motion.held(len(mass))).astype(np.int32)
    unknowns = np.full(len(mass), -1, dtype=np.int32)
    unknowns[free] = np.arange(len(free))
    curved = [unknowns[t.elements] for t in (*terms, *dissipation)]
    pattern = symmetric_pattern(len(free), curved)
    owner = split_vertices(rest, suit_threads(pattern.unknowns))
    return System(
        mass,
        Potential(terms, pattern, unknowns, owner),
        Dissipation(Potential(dissipation, pattern, unknowns, owner)),
        motion,
        free,
        pattern,
        tuple(impulses),
        tuple(projections),
        Constraints(constraints),
        dict(solver or {}),
        tuple(clouds),
        np.unique(np.asarray(riders, dtype=np.int32)),
        tuple(node_obstacles),
    )
