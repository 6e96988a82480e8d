"""Particles for a body: a lattice with a given number per cell, shifted at random, restricted to the inside.

The same seed gives the same particles. All particles have the same volume; for a mesh they add up to its volume.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from supple.contact.obstacles.shapes import Shape
from supple.errors import SuppleError
from supple.mesh.measure import tet_volumes
from supple.mesh.mesh import Mesh
from supple.mesh.nearest import Tets
from supple.types import Array

MOST = 50_000_000
"""Largest number of lattice points examined."""


@dataclass(frozen=True)
class Seeding:
    """Density and regularity of particle placement."""

    cell: float
    """Size of the grid's cells [m]."""
    per_cell: float = 8.0
    """Particles in each cell."""
    jitter: float = 0.5
    """Range of the random shift, in lattice spacings: 0 is the lattice, 1 is fully random [-]."""
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("cell", "per_cell"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value > 0.0):
                raise SuppleError(f"points.{name}: found {value!r}; must be a finite number above 0")
        if not 0.0 <= self.jitter <= 1.0:
            raise SuppleError(f"points.jitter: found {self.jitter!r}; allowed are numbers from 0 to 1")

    @property
    def spacing(self) -> float:
        """Lattice spacing [m]."""
        return float(self.cell / self.per_cell ** (1.0 / 3.0))

    def within(self, low: Array, high: Array, inside: Callable[[Array], np.ndarray]) -> Array:
        """(m, 3) particles in a box for which `inside` holds."""
        s = self.spacing
        counts = np.maximum(np.round((high - low) / s), 1).astype(int)
        if counts.prod(dtype=float) > MOST:
            raise SuppleError(
                f"points.per_cell: cells of {self.cell:g} m with {self.per_cell:g} particles each would be "
                f"{counts.prod(dtype=float):.2g} lattice points in the body's box; use larger cells"
            )
        start = 0.5 * (low + high - counts * s)
        lines = [start[a] + (np.arange(counts[a]) + 0.5) * s for a in range(3)]
        x = np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1).reshape(-1, 3)
        x += self.jitter * s * (np.random.default_rng(self.seed).random(x.shape) - 0.5)
        return x[inside(x)]


@dataclass(frozen=True)
class Seeds:
    """Particles of a body."""

    x: Array
    """(m, 3) [m]"""
    volume: Array
    """(m,) [m^3]"""
    tets: np.ndarray | None = None
    """(m,) tet of the mesh that contains each particle and provides its constants."""


def seed_mesh(mesh: Mesh, seeding: Seeding) -> Seeds:
    """Particles inside the tets of a mesh."""
    if not mesh.is_solid:
        raise SuppleError(
            "points: the body has no tets; use a solid shape, fill its surface (mesh.edge_length), or let its mesh ride on the "
            'grid by points = "vertices"'
        )
    tets, X = Tets(mesh.vertices, mesh.tets), mesh.vertices
    x = seeding.within(X.min(axis=0), X.max(axis=0), lambda y: tets.locate(y)[1] == 0.0)
    x = _demanded(x, seeding)
    whole = float(np.abs(tet_volumes(mesh.vertices, mesh.tets)).sum())
    return Seeds(x, np.full(len(x), whole / len(x)), tets.locate(x)[0])


def seed_shape(shape: Shape, low: Array, high: Array, seeding: Seeding) -> Seeds:
    """Particles inside a shape, within the box from low to high."""
    box = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    x = _demanded(seeding.within(*box, lambda y: shape.distance(y) < 0.0), seeding)
    return Seeds(x, np.full(len(x), seeding.spacing**3))


def _demanded(x: Array, seeding: Seeding) -> Array:
    if not len(x):
        raise SuppleError(
            f"points: no particle fits into the body at a distance of {seeding.spacing:g} m; use smaller cells"
        )
    return x
