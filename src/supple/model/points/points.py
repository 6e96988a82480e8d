"""Bodies of material points: filling with particles, and their data in a system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import numpy as np
from annotated_types import Ge, Le

from supple.checks import checked
from supple.errors import SuppleError
from supple.materials.material import Material
from supple.mesh.mesh import Mesh
from supple.points.seeding import Seeding, Seeds, seed_mesh
from supple.types import Array
from supple.values import Count, NotNegative, Positive

if TYPE_CHECKING:
    from supple.model.body import Body
    from supple.model.initial import Initial

FLAT = 1e-12
"""Determinant of a deformation gradient over the cube of its largest entry, below which it counts as singular."""
CELLS = 8.0
"""Default number of cells along the longest side of a body, if neither the body nor the method gives their size."""


@checked
@dataclass(frozen=True)
class Points:
    """Particles in place of a mesh: they fill the body and interact with all others on a grid."""

    per_cell: Annotated[float, Ge(1)] = 8.0
    """Particles per cell of the grid [-]; with fewer than 4, numerical fracture occurs."""
    jitter: Annotated[NotNegative, Le(1)] = 0.5
    """Range of the random shift, in lattice spacings: 0 is the lattice, 1 is fully disordered [-]."""
    seed: Count = 1
    """Seed of the random shifts; the same seed gives the same particles."""
    cell: Positive | None = None
    """Cell size for the placement [m]; if absent, the cell size of the integrator, or an eighth of the body's longest
    side."""

    def size(self, solid: Mesh, cell: float | None) -> float:
        """Size of the cells in a solid [m], given the method's cell size `cell`."""
        return self.cell or cell or float(solid.extent.max()) / CELLS

    def spacing(self, solid: Mesh, cell: float | None) -> float:
        """Distance of the particles [m]."""
        return self.size(solid, cell) / self.per_cell ** (1.0 / 3.0)


Vertices: TypeAlias = Literal["vertices"]
"""The vertices of a mesh as particles: the body keeps its elements and moves with the grid."""


@dataclass(frozen=True, eq=False)
class Filled:
    """A solid and the particles in it."""

    solid: Mesh
    """The tets, with the tags of regions and without holes."""
    seeds: Seeds
    cell: float
    """Cell size used for the placement [m]."""

    @property
    def particles(self) -> Mesh:
        """The particles as vertices without elements."""
        return Mesh(self.seeds.x)

    @property
    def areas(self) -> Array:
        """(m,) contact area of each particle [m^2]."""
        return np.cbrt(self.seeds.volume) ** 2

    def masses(self, density: Array | float | None, mass: float | None) -> Array:
        """(m,) masses from one density or one per tet [kg/m^3], or from the total mass [kg]."""
        volume = self.seeds.volume
        if mass is not None:
            return volume * (mass / float(volume.sum()))
        each = np.broadcast_to(np.asarray(density, dtype=np.float64), (len(self.solid.tets),))
        return volume * each[self.seeds.tets]


def filled(points: Points, solid: Mesh, cell: float | None) -> Filled:
    """A solid filled with particles; `cell`: size of the method's cells, if it has one [m]."""
    size = points.size(solid, cell)
    return Filled(solid, seed_mesh(solid, Seeding(size, points.per_cell, points.jitter, points.seed)), size)


def law_of_points(law: Material, body: Body, inside: Filled) -> Material:
    """The law with position-dependent constants evaluated at each particle, and with the moduli of the regions."""
    from supple.model.regions.values import moduli_of

    placed = law.at(inside.seeds.x) if law.varies else law
    made_of = [made for region in body.regions for made in region.made_of]
    if all(made.young is made.poisson is None for made in made_of):
        return placed
    found = moduli_of(body, inside.solid, placed, inside.seeds.tets)
    return placed.with_moduli(found.young, found.poisson)


def slopes(initial: Initial, X: Array, step: float) -> tuple[Array, Array]:
    """Deformation gradients dx/dX and velocity gradients dv/dx (m, 3, 3) of an initial state, by central differences
    over `step` [m]: exact if positions and velocities are linear.

    All shifted copies are evaluated in one call: transformations refer to the centroid, which is then that of the body.
    """
    shifts = step * np.concatenate([np.eye(3), -np.eye(3)])
    copies = (X[None] + shifts[:, None]).reshape(-1, 3)
    x, v = (np.stack(np.split(field(copies), 6)) for field in (initial.positions, initial.velocities))
    F, rate = ((field[:3] - field[3:]).transpose(1, 2, 0) / (2.0 * step) for field in (x, v))
    size = np.abs(F).max(axis=(1, 2))
    flat = np.flatnonzero(~(np.abs(np.linalg.det(F)) > FLAT * size**3))
    if len(flat):
        raise SuppleError(
            f"particle {flat[0]} starts flat: its deformation gradient is singular; give positions that depend on X, Y and Z"
        )
    return F, rate @ np.linalg.inv(F)
