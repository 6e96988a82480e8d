"""A fine heterogeneous body: tets, each with its own elasticity tensor and density.

Tensors are 6x6 matrices in Mandel form: the strain vector is (e11, e22, e33, sqrt2 e23, sqrt2 e13, sqrt2 e12),
stresses alike. Double contraction is then a matrix product, and the inverse tensor is the inverse matrix.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from supple.errors import MeshError, SuppleError
from supple.mesh.measure import tet_volumes
from supple.mesh.mesh import Mesh
from supple.mesh.topology import components
from supple.types import Array, Ints

ROOT2 = np.sqrt(2.0)
PAIRS = ((0, 0), (1, 1), (2, 2), (1, 2), (0, 2), (0, 1))
"""Components of a symmetric tensor in the order of a Mandel vector."""
FLAT = 1e-12
"""Volume over the cube of the longest edge below which a tet counts as flat."""
SHOWN = 5


def isotropic(young: Array | float, poisson: Array | float) -> Array:
    """(..., 6, 6) lam on the upper left block + 2 mu I [Pa]."""
    young, poisson = np.broadcast_arrays(np.asarray(young, dtype=np.float64), np.asarray(poisson, dtype=np.float64))
    mu = young / (2.0 * (1.0 + poisson))
    lam = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson))
    C = 2.0 * mu[..., None, None] * np.eye(6)
    C[..., :3, :3] += lam[..., None, None]
    return C


def isotropic_moduli(stiffness: Array) -> tuple[Array, Array]:
    """Young's modulus [Pa] and Poisson's ratio of tensors (..., 6, 6), or of their isotropic part.

    An isotropic tensor has the eigenvalues 3 K once and 2 mu five times, hence tr C = 3 K + 10 mu.
    """
    bulk = stiffness[..., :3, :3].sum(axis=(-2, -1)) / 9.0
    mu = (np.trace(stiffness, axis1=-2, axis2=-1) - 3.0 * bulk) / 10.0
    return 9.0 * bulk * mu / (3.0 * bulk + mu), (3.0 * bulk - 2.0 * mu) / (2.0 * (3.0 * bulk + mu))


@dataclass(frozen=True)
class FineBody:
    """A fine body, validated on construction."""

    vertices: Array
    """(n, 3) rest positions [m]."""
    tets: Ints
    """(m, 4), all of positive volume."""
    stiffness: Array
    """(m, 6, 6) symmetric, positive definite, in Mandel form [Pa]."""
    density: Array
    """(m,) [kg/m^3]."""

    def __post_init__(self) -> None:
        m = len(self.tets)
        if self.stiffness.shape != (m, 6, 6) or self.density.shape != (m,):
            raise SuppleError(
                f"fine body: {m} tets need stiffness of shape {(m, 6, 6)} and density of shape {(m,)}; found "
                f"{self.stiffness.shape} and {self.density.shape}"
            )
        longest = np.ptp(self.vertices[self.tets], axis=1).max(axis=1)
        _refuse(~(self.volumes > FLAT * longest**3), "tets are flat or inverted", MeshError)
        _refuse(~(np.isfinite(self.density) & (self.density > 0.0)), "tets have no positive density", SuppleError)
        lowest = np.linalg.eigvalsh(np.where(np.isfinite(self.stiffness), self.stiffness, -1.0))[:, 0]
        _refuse(~(lowest > 0.0), "tets have a stiffness that is not positive definite", SuppleError)
        count, label = components(Mesh(self.vertices, tets=self.tets))
        if count > 1:
            sizes = np.bincount(label[self.tets[:, 0]], minlength=count)
            first = [int(np.argmax(label[self.tets[:, 0]] == k)) for k in range(min(count, SHOWN))]
            raise MeshError(
                f"fine body: it has {count} unconnected pieces of {', '.join(map(str, sizes[:SHOWN]))} tets "
                f"(first tets {', '.join(map(str, first))}); coarsen each piece separately"
            )

    @cached_property
    def volumes(self) -> Array:
        """(m,) [m^3]."""
        return tet_volumes(self.vertices, self.tets)

    @cached_property
    def gradients(self) -> Array:
        """(m, 4, 3) gradients of the corners' shape functions [1/m]."""
        return shape_gradients(self.vertices, self.tets)

    @cached_property
    def strain_matrices(self) -> Array:
        """(m, 6, 12) B: strain = B u for the displacements u of the corners, corner by corner [1/m]."""
        return strain_matrices(self.gradients)

    @property
    def mass(self) -> float:
        """[kg]"""
        return float(self.density @ self.volumes)


def shape_gradients(vertices: Array, tets: Ints) -> Array:
    """(m, 4, 3) gradients of linear shape functions [1/m]."""
    corners = vertices[tets]
    edges = np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2)
    inner = np.linalg.inv(edges)
    return np.concatenate([-inner.sum(axis=1, keepdims=True), inner], axis=1)


def strain_matrices(gradients: Array) -> Array:
    """(m, 6, 12) small strains in Mandel form from displacements of the corners."""
    m = len(gradients)
    B = np.zeros((m, 6, 4, 3))
    for row, (i, j) in enumerate(PAIRS):
        if i == j:
            B[:, row, :, i] = gradients[:, :, i]
        else:
            B[:, row, :, i] = gradients[:, :, j] / ROOT2
            B[:, row, :, j] = gradients[:, :, i] / ROOT2
    return B.reshape(m, 6, 12)


def _refuse(bad: np.ndarray, what: str, kind: type[SuppleError]) -> None:
    found = np.flatnonzero(bad)
    if len(found):
        raise kind(f"fine body: {len(found)} {what}; the first are {', '.join(map(str, found[:SHOWN]))}")
