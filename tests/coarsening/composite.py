"""Bodies of two materials on Kuhn grids, their coarse meshes, and static errors of the coarse ones."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from supple.coarsening.coarse_mass import coarse_mass
from supple.coarsening.effective import Effective, Method, Naive, effective_tensors, naive_tensors
from supple.coarsening.fine_body import FineBody, isotropic
from supple.coarsening.harmonic import harmonic_displacements
from supple.coarsening.overlap import Overlaps, overlaps
from supple.coarsening.sampling import locate, sampled
from supple.coarsening.statics import frequencies, lumped, static_displacement, weight
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.solid import Bar
from supple.types import Array, Ints

POISSON = 0.3


def grid(cells: tuple[int, int, int], size: tuple[float, float, float], origin: float = 0.0) -> Mesh:
    return Bar(cells=cells, size=size, origin=(origin, origin, origin), tets=6).mesh()


def body(mesh: Mesh, soft: np.ndarray, young: float, soft_young: float) -> FineBody:
    """Two isotropic materials; `soft`: which tets have the second one."""
    E = np.where(soft, soft_young, young)
    return FineBody(mesh.vertices, mesh.tets, isotropic(E, POISSON), np.ones(len(mesh.tets)))


def centres(mesh: Mesh) -> Array:
    return mesh.vertices[mesh.tets].mean(axis=1)


def layered(layers: int, contrast: float, cells: int) -> FineBody:
    mesh = grid((cells, cells, cells), (1.0, 1.0, 1.0))
    soft = (layers * centres(mesh)[:, 2]).astype(int) % 2 == 1
    return body(mesh, soft, 1e4, 1e4 / contrast)


@dataclass(frozen=True)
class Composite:
    """A fine body and a coarse mesh over it."""

    fine: FineBody
    coarse: Mesh

    @cached_property
    def H(self) -> Array:
        return harmonic_displacements(self.fine)

    @cached_property
    def found(self) -> Overlaps:
        return overlaps(self.fine.vertices, self.fine.tets, self.coarse.vertices, self.coarse.tets)

    @cached_property
    def mass(self) -> Array:
        return coarse_mass(self.fine, self.coarse.tets, self.coarse.n, self.found)

    def effective(self, method: Method) -> Effective:
        return effective_tensors(self.fine, self.H, self.coarse.vertices, self.coarse.tets, self.found, method)

    def coarse_body(self, method: str) -> FineBody:
        if method in ("naive", "moduli"):
            of: Naive = "naive" if method == "naive" else "moduli"
            C = naive_tensors(self.fine, self.coarse.vertices, self.coarse.tets, self.found, of)
        else:
            C = self.effective("nodal" if method == "nodal" else "average").stiffness
        return FineBody(self.coarse.vertices, self.coarse.tets, C, np.ones(len(C)))

    def static(self, method: str, axis: int, force: tuple[float, float, float]) -> tuple[float, float]:
        """Error of the coarse displacements at coarse vertices, and the ratio of mean displacements along the force; the face
        where the coordinate along `axis` is zero is held."""
        fine = static_displacement(self.fine, _face(self.fine.vertices, axis), weight(lumped(self.fine), force))
        wanted = sampled(fine[None], self.fine.tets, *locate(self.coarse.vertices, self.fine.vertices, self.fine.tets))[
            0
        ]
        own = self.coarse_body(method)
        u = static_displacement(own, _face(own.vertices, axis), weight(self.mass, force))
        sizes = [(w @ np.asarray(force)).mean() for w in (u, wanted)]
        return float(np.linalg.norm(u - wanted) / np.linalg.norm(wanted)), float(sizes[0] / sizes[1])

    def frequency_ratios(self, method: str, axis: int, count: int) -> Array:
        fine = frequencies(self.fine, lumped(self.fine), _face(self.fine.vertices, axis), count)
        own = self.coarse_body(method)
        return frequencies(own, self.mass, _face(own.vertices, axis), count) / fine


def _face(vertices: Array, axis: int) -> Ints:
    return np.flatnonzero(np.abs(vertices[:, axis]) < 1e-9).astype(np.int32)
