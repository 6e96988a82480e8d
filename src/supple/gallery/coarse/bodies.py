"""Fine bodies of the coarsening panels, and the response of fine and coarse bodies to loads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from supple.coarsening.coarse_body import CoarseBody
from supple.coarsening.coarsen import Pair, coarsen
from supple.coarsening.effective import Method, Naive
from supple.coarsening.fine_body import FineBody, isotropic
from supple.coarsening.fine_map import fine_positions
from supple.coarsening.statics import lumped, static_displacement, weight
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.solid import Bar
from supple.mesh.topology import boundary_triangles
from supple.model.fine_body import fine_body
from supple.scene.text.load import load_scene
from supple.types import Array, Ints

Size = tuple[float, float, float]


def block(cells: tuple[int, int, int], size: Size = (1.0, 1.0, 1.0)) -> Mesh:
    """A box with six tets per cell."""
    return Bar(cells=cells, size=size, tets=6).mesh()


def centres(mesh: Mesh) -> Array:
    """(m, 3) centroids of the tets [m]."""
    return mesh.vertices[mesh.tets].mean(axis=1)


def of_young(mesh: Mesh, young: Array, poisson: float = 0.3, density: float = 1.0) -> FineBody:
    """A body with a Young's modulus (m,) per tet [Pa]."""
    return FineBody(mesh.vertices, mesh.tets, isotropic(young, poisson), np.full(len(mesh.tets), density))


def of_scene(name: str, *settings: str) -> FineBody:
    """The first body of a shipped scene."""
    return fine_body(load_scene(name, list(settings)).make().world)


def layered(layers: int, contrast: float, cells: int, axis: int = 2) -> FineBody:
    """A cube of stiff layers of 10,000 Pa and layers softer by a given factor."""
    mesh = block((cells, cells, cells))
    soft = (layers * centres(mesh)[:, axis]).astype(int) % 2 == 1
    return of_young(mesh, np.where(soft, 1e4 / contrast, 1e4))


@dataclass(frozen=True)
class Loaded:
    """A fine body and its coarse versions, fixed at the lower end along an axis and loaded by a force per mass."""

    pair: Pair
    axis: int
    force: Sequence[float]

    @cached_property
    def fine(self) -> Array:
        """(n, 3) displacements of the fine body [m]."""
        held, _ = self.pair.held(self.axis)
        return static_displacement(self.pair.fine, held, weight(lumped(self.pair.fine), np.asarray(self.force)))

    @cached_property
    def wanted(self) -> Array:
        """(v, 3) displacements of the fine body at the coarse vertices [m]."""
        return self.pair.at_coarse(self.fine[None])[0]

    def coarse(self, kind: Method | Naive) -> Array:
        """(v, 3) displacements of a coarse body [m]."""
        _, held = self.pair.held(self.axis)
        return static_displacement(self.pair.body(kind), held, weight(self.pair.mass, np.asarray(self.force)))

    def error(self, kind: Method | Naive) -> float:
        """Error of the displacements of a coarse body, relative to the fine one."""
        return self.pair.error(self.coarse(kind), self.wanted)

    def stretch(self, kind: Method | Naive) -> float:
        """Mean displacement along the force, relative to the fine body."""
        along = np.asarray(self.force)
        return float((self.coarse(kind) @ along).mean() / (self.wanted @ along).mean())


@dataclass(frozen=True)
class Surfaces:
    """The fine surface reconstructed from each body."""

    made: CoarseBody
    scale: float = 1.0
    """Scale factor of all displacements."""

    @classmethod
    def of(cls, pair: Pair, method: Method, scale: float = 1.0) -> Surfaces:
        return cls(coarsen(pair.fine, pair.coarse, method, pair.pinned), scale)

    @property
    def triangles(self) -> Ints:
        return self.made.skin_triangles

    def fine(self, pair: Pair, u: Array) -> Array:
        """(f, 3) surface of the fine body for displacements u (n, 3) [m]."""
        seen = np.unique(boundary_triangles(pair.fine.tets))
        return self.made.skin + self.scale * u[seen]

    def mapped(self, u: Array) -> Array:
        """(f, 3) surface from displacements u (v, 3) of coarse vertices, mapped by harmonic displacements [m]."""
        return fine_positions(self.made, self.made.vertices + self.scale * u, blend=True)

    def followed(self, u: Array) -> Array:
        """(f, 3) surface mapped by barycentric coordinates."""
        x = self.made.vertices + self.scale * u
        return np.einsum("fa,fai->fi", self.made.coordinates, x[self.made.tets[self.made.host]])

    def difference(self, shown: Array, true: Array) -> float:
        """Difference between two surfaces, relative to the displacement of the second."""
        return float(np.linalg.norm(shown - true) / np.linalg.norm(true - self.made.skin))
