"""A world ready for simulation: its system, initial state, mesh, and parts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from supple.constraints.holonomic import Holonomic
from supple.contact.obstacles.projection import Projection
from supple.contact.obstacles.velocity import VelocityContact
from supple.dynamics.impulse import Impulse
from supple.dynamics.invariants import Energies, energies
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.drive import at_time
from supple.energies.samples import one_sample
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError, did_you_mean
from supple.mesh.mesh import Mesh
from supple.mesh.squeezed import Volumes
from supple.model.contacts.contacts import Contacts
from supple.model.placed import Placed
from supple.model.world import World
from supple.types import Array, Ints

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix, dia_matrix


@dataclass(frozen=True)
class Ingredients:
    """The ingredients of a system, by origin."""

    elastic: tuple[EnergyTerm, ...] = ()
    attachments: tuple[EnergyTerm, ...] = ()
    gravity: tuple[EnergyTerm, ...] = ()
    own: tuple[EnergyTerm, ...] = ()
    """Additional energies of the world, and terms added later."""
    contact: tuple[EnergyTerm, ...] = ()
    damping: tuple[EnergyTerm, ...] = ()
    friction: tuple[EnergyTerm, ...] = ()
    impulses: tuple[Impulse, ...] = ()
    projections: tuple[Projection | VelocityContact, ...] = ()
    constraints: tuple[Holonomic, ...] = ()

    @property
    def potential(self) -> tuple[EnergyTerm, ...]:
        """Energies of positions."""
        return (*self.elastic, *self.attachments, *self.gravity, *self.contact, *self.own)

    @property
    def dissipation(self) -> tuple[EnergyTerm, ...]:
        """Potentials of velocities."""
        return (*self.damping, *self.friction)


@dataclass(frozen=True, eq=False)
class Model:
    """The result of `assemble`. The mesh holds all bodies and mesh obstacles; its groups are called `body.group`."""

    world: World
    """The world as described."""
    system: System
    """Masses, energies and constraints to simulate."""
    state: State
    """Initial state."""
    mesh: Mesh
    """All bodies and mesh obstacles as one mesh [m]."""
    placed: tuple[Placed, ...]
    """Bodies, then mesh obstacles, in the order of the vertices."""
    contact: Contacts
    """Contact between surfaces, and with obstacles."""
    ingredients: Ingredients
    """Terms of the system, by origin."""
    sizes: Array
    """(n,) volume (or area, or length) represented by each vertex."""
    notes: tuple[str, ...] = ()
    """Notes on repairs and automatic choices."""

    @property
    def bodies(self) -> tuple[Placed, ...]:
        """The positioned bodies, without obstacles."""
        return tuple(p for p in self.placed if not p.is_obstacle)

    @property
    def names(self) -> list[tuple[str, int]]:
        """Name and number of vertices of each body and each mesh obstacle, in the order of the vertices."""
        return [(p.name, p.mesh.n) for p in self.placed]

    @property
    def particles(self) -> Ints:
        """Vertices that are material points."""
        return np.concatenate([np.empty(0, np.int32), *(cloud.vertices for cloud in self.system.clouds)])

    def body(self, name: str) -> Placed:
        """The body or mesh obstacle of that name."""
        known = {p.name: p for p in self.placed}
        if name not in known:
            raise SuppleError(f"unknown body '{name}'{did_you_mean(name, known)} known: {', '.join(known)}")
        return known[name]

    def owner(self, vertex: int) -> Placed:
        """The body or mesh obstacle of a vertex."""
        return next(p for p in self.placed if p.first <= vertex < p.first + p.mesh.n)

    def with_terms(self, terms: Iterable[EnergyTerm]) -> Model:
        """The same model with additional energies, such as the handle of the live page."""
        return self.made_of(replace(self.ingredients, own=(*self.ingredients.own, *terms)))

    def made_of(self, ingredients: Ingredients) -> Model:
        """The same bodies in a system with other ingredients."""
        base = self.system
        system = build_system(
            self.mesh.vertices,
            base.mass,
            list(ingredients.potential),
            base.motion,
            ingredients.dissipation,
            ingredients.impulses,
            ingredients.projections,
            ingredients.constraints,
            base.solver,
            base.clouds,
            base.node_obstacles,
            base.riders,
        )
        return replace(self, system=system, ingredients=ingredients)

    def energies(self, state: State | None = None) -> Energies:
        """Energies of a state, at the start if none is given [J]."""
        return energies(self.system, self.state if state is None else state)

    @cached_property
    def volumes(self) -> Volumes:
        """The tets, for counting compressed ones."""
        return Volumes(self.mesh)

    @cached_property
    def _elastic_corners(self) -> list[tuple[EnergyTerm, int, Ints]]:
        """Elastic terms, corners per element, and all corners in one flat array."""
        terms = [term for term in self.system.potential.terms if term.group == "elastic"]
        return [(term, term.elements.shape[1], term.elements.ravel()) for term in terms]

    def energy_density(self, x: Array, carried: Array | None = None, t: float = 0.0) -> Array:
        """(n,) elastic energy around each vertex per represented volume [J/m^3] (or per area, or per length).
        `carried`: (n,) values of material points, which do not follow from positions; t: time for time-dependent
        parameters [s]."""
        energy = np.zeros(len(x))
        for term, k, corners in self._elastic_corners:
            energy += np.bincount(corners, np.repeat(at_time(term, t).element_values(x) / k, k), minlength=len(x))
        density: Array = energy / self.sizes
        if carried is not None:
            density[self.particles] = carried[self.particles]
        return density

    def stiffness(self, x: Array | None = None) -> csr_matrix:
        """K = V''(x) over all 3n coordinates, symmetric [N/m]; rows and columns of prescribed vertices are empty."""
        from scipy.sparse import csr_matrix, triu

        if self.system.potential.roles.whole_body:
            raise SuppleError(
                "an energy of the whole body (body.pressure, or an area or volume with whole = true) couples every vertex with "
                "every other and has no sparse stiffness matrix; leave it out here"
            )
        system, pattern = self.system, self.system.pattern
        values = np.zeros(pattern.nnz)
        system.potential.add_hessian(one_sample(self.state.x if x is None else np.ascontiguousarray(x)), values)
        size = 3 * len(system.free)
        upper = csr_matrix((values, pattern.indices, pattern.indptr), shape=(size, size))
        free = upper + triu(upper, k=1).T
        places = (3 * np.asarray(system.free)[:, None] + np.arange(3)).ravel()
        entries = free.tocoo()
        shape = (3 * system.n, 3 * system.n)
        return csr_matrix((entries.data, (places[entries.row], places[entries.col])), shape=shape)

    def mass_matrix(self) -> dia_matrix:
        """M over all 3n coordinates, diagonal [kg]."""
        from scipy.sparse import diags

        return diags(np.repeat(self.system.mass, 3))

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{p.name}</td><td>{p.mesh.n:,}</td><td>{len(p.mesh.tets):,}</td><td>{p.mass.sum():.4g}</td></tr>"
            for p in self.bodies
        )
        head = "<tr><th>body</th><th>vertices</th><th>tets</th><th>mass [kg]</th></tr>"
        return f"<table>{head}{rows}</table><p>{'<br>'.join(self.notes)}</p>"
