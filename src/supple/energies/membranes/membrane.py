"""Membrane of triangles with linear shape functions: V = sum over triangles of area * thickness * W(E), E = (F^T F - I)/2.

F (3x2) maps a rest frame of the triangle, whose first axis is the warp if the law has one, to space. A membrane has no
bending stiffness.
"""

from __future__ import annotations

import copy
from typing import ClassVar

import numpy as np

from supple.energies.compliant import Compliance
from supple.energies.membranes.kernels import gradient_part, hessian_part
from supple.energies.membranes.mean import as_matrix, mean_stress, mean_tangent, strain_slopes, strains
from supple.energies.membranes.projection import projection
from supple.energies.membranes.pull import pulled, strain_change, stress_and_change
from supple.energies.roles.compliant import CompliantTerm
from supple.energies.roles.elastic import Elastic
from supple.energies.roles.measured_at_rest import MeasuredAtRest
from supple.energies.samples import Samples
from supple.energies.solids.solid import FLAT
from supple.energies.term import EnergyTerm, Placement
from supple.errors import MeshError, SuppleError
from supple.linalg.parts import Parts
from supple.linalg.pool import in_parts
from supple.linalg.psd import clamp_negative
from supple.materials.membranes.membrane import MembraneLaw
from supple.types import Array, Ints

GRADIENT_TIME, HESSIAN_TIME = 0.03, 0.11
"""Approximate time per element on one thread [us]; short loops are not split among threads."""
PARALLEL = 1e-6
"""Fraction of the warp vector that must lie in the plane of a triangle."""


class Membrane(EnergyTerm, Elastic, CompliantTerm, MeasuredAtRest):
    """Elastic energy of triangles; `law` gives the density, per triangle or uniform."""

    group: ClassVar[str] = "elastic"
    proportional_to: ClassVar[frozenset[str]] = frozenset({"thickness", "volume"})

    def __init__(self, rest: Array, triangles: Ints, law: MembraneLaw, thickness: float | Array) -> None:
        """rest (n, 3) rest positions [m]; triangles (m, 3), in any orientation; thickness [m], one value or one per triangle."""
        thickness = np.broadcast_to(np.asarray(thickness, dtype=np.float64), (len(triangles),))
        if not (np.isfinite(thickness) & (thickness > 0)).all():
            raise SuppleError("membrane thickness: must be finite and positive [m]")
        self.law = law
        self.degree = law.degree
        # Ascending corners put every block into the upper triangle. The laws do not change when the second axis is
        # reversed.
        self.elements = np.ascontiguousarray(np.sort(triangles, axis=1), dtype=np.int32)
        self.rest, self.thickness = rest, thickness
        self._origin: tuple[Array, Array] | None = None
        found = self.measured(rest[self.elements])
        self.volume, self.shape = found["volume"], found["shape"]
        self.parameters = law.parameters(len(self.elements))

    def measured(self, corners: Array) -> dict[str, Array]:
        """(m,) `volume` and (m, 2, 2) `shape`, whose row a-1 is the gradient of corner a's shape function."""
        if self._origin is not None:
            return _moved(corners, *self._origin)
        edges, area, frame = _frames(corners, self.law.axis)
        return {"volume": area * self.thickness, "shape": np.ascontiguousarray(np.linalg.inv(frame @ edges))}

    def constants(self) -> dict[str, Array]:
        """The constants of the law and the `thickness`, one per triangle."""
        own = {name: self.parameters[:, k] for k, name in enumerate(self.law.constants())}
        return {**own, "thickness": self.thickness}

    def _set_constant(self, name: str, values: Array) -> None:
        if name in self.law.constants():
            self.law = self.law.with_constant(name, values)
            self.parameters = self.law.parameters(len(self.elements))
        else:
            if name == "thickness":
                self.volume = self.volume / self.thickness * values
            super()._set_constant(name, values)

    def deformation_gradients(self, x: Array) -> Array:
        """(m, 3, 2) F of every triangle."""
        d = x[self.elements[:, 1:]] - x[self.elements[:, :1]]
        return np.einsum("mai,maj->mij", d, self.shape)

    def resting_at(self, x: Array) -> EnergyTerm:
        """J V W(F_b R^-1) with F = Q R at x, Q (3x2) orthonormal, J = det R, so the warp remains the first axis.

        Triangles that are degenerate at x are ignored.
        """
        other = copy.copy(self)
        other.rest_at(x)
        other._origin = self.shape, self.volume
        found = other.measured(x[self.elements])
        other.volume, other.shape = found["volume"], found["shape"]
        return other

    def compliant(self) -> tuple[Compliance, ...] | None:
        """For laws that are quadratic in the strain."""
        if not self.law.quadratic_in_strain:
            return None
        stiffness = self.law.tangent(np.zeros((len(self.elements), 3)))
        shape = np.ascontiguousarray(self.shape.reshape(-1, 4))
        return (Compliance("triangle-strain", self.elements, shape, self.volume[:, None, None] * stiffness),)

    def element_values(self, x: Array) -> Array:
        density = self.law.density(strains(self.deformation_gradients(x)))
        return self.volume * np.where(self.volume > 0.0, density, 0.0)

    def element_gradients(self, x: Array) -> Array:
        F = self.deformation_gradients(x)
        return self._forces(F @ as_matrix(self.law.stress(strains(F))))

    def element_hessians(self, x: Array) -> Array:
        e = strains(self.deformation_gradients(x))
        return self._stiffness(self._tangents(x, self.law.tangent(e), as_matrix(self.law.stress(e))))

    def element_products(self, x: Array, move: Array) -> Array:
        F, L = self.deformation_gradients(x), self.deformation_gradients(move)
        return self._forces(stress_and_change(self, F, L)[1])

    def element_works(self, samples: Samples, lam: Array) -> Array:
        # P:L = S . de
        total, L = np.zeros(len(self.elements)), self.deformation_gradients(lam)
        for x, force in zip(samples.x, samples.force, strict=True):
            F = self.deformation_gradients(x)
            total += force * np.einsum("mc,mc->m", self.law.stress(strains(F)), strain_change(F, L))
        return self.volume * total

    def pull(self, samples: Samples, lam: Array) -> dict[str, Array]:
        return pulled(self, samples, lam)

    def projected_hessians(self, x: Array) -> Array:
        e = strains(self.deformation_gradients(x))
        S = clamp_negative(as_matrix(self.law.stress(e)))
        return self._stiffness(self._tangents(x, self.law.tangent(e, convex=True), S))

    def element_mean_gradients(self, x0: Array, x1: Array) -> Array:
        return self._forces(mean_stress(self.law, self.deformation_gradients(x0), self.deformation_gradients(x1)))

    def element_mean_jacobians(self, x0: Array, x1: Array) -> Array:
        return self._stiffness(mean_tangent(self.law, self.deformation_gradients(x0), self.deformation_gradients(x1)))

    def _tangents(self, x: Array, D: Array, S: Array) -> Array:
        """(m, 3, 2, 3, 2) G D G^T + S x I."""
        G = strain_slopes(self.deformation_gradients(x))
        material = np.einsum("miac,mcd,mjbd->miajb", G, D, G, optimize=True)
        return np.asarray(material + np.einsum("mab,ij->miajb", S, np.eye(3)))

    def _forces(self, P: Array) -> Array:
        """(m, 3, 3) from stresses."""
        return np.einsum("m,mij,maj->mai", self.volume, P, self._corner_shape())

    def _stiffness(self, C: Array) -> Array:
        """(m, 9, 9) from derivatives of the stresses."""
        g = self._corner_shape()
        K = np.einsum("m,maj,mijkl,mbl->maibk", self.volume, g, C, g, optimize=True)
        return K.reshape(len(self.elements), 9, 9)

    def _corner_shape(self) -> Array:
        return np.concatenate([-self.shape.sum(axis=1, keepdims=True), self.shape], axis=1)

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        values = np.empty(len(self.elements))
        law, geometry = (self.law.law.response, self.parameters), (self.elements, self.shape, self.volume)
        given = samples.x, samples.energy, samples.force

        def part(k: int) -> None:
            gradient_part(k, *law, *given, *geometry, parts.owner, parts.chosen(k), values, gradient)

        in_parts(part, parts.count, GRADIENT_TIME * len(self.elements))
        return float(values.sum())

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        law, geometry = (self.law.law.slopes, self.parameters), (self.elements, self.shape, self.volume)
        parts, rows = place.parts, (place.unknowns, place.row_length, place.slots)
        given, change = (samples.x, samples.curvature), projection(project)

        def part(k: int) -> None:
            hessian_part(k, *law, *given, *geometry, parts.owner, parts.chosen(k), *rows, change, values)

        in_parts(part, parts.count, HESSIAN_TIME * len(self.elements))


def _moved(corners: Array, shape: Array, volume: Array) -> dict[str, Array]:
    """The result of `measured` for triangles that rest with these corners, from triangles with that shape and volume."""
    F = np.einsum("mai,maj->mij", corners[:, 1:] - corners[:, :1], shape)
    R = np.linalg.qr(F).R
    J = np.abs(R[:, 0, 0] * R[:, 1, 1])
    wide = J > FLAT
    inverse = np.linalg.inv(np.where(wide[:, None, None], R, np.eye(2)))
    return {"volume": np.where(wide, J, 0.0) * volume, "shape": np.ascontiguousarray(shape @ inverse)}


def _frames(corners: Array, axis: Array | None) -> tuple[Array, Array, Array]:
    """Edges from corner 0 as columns (m, 3, 2), areas, and the rest frames as rows (m, 2, 3)."""
    d1, d2 = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    normal = np.cross(d1, d2)
    twice = np.linalg.norm(normal, axis=1)
    longest = np.maximum(np.einsum("mi,mi->m", d1, d1), np.einsum("mi,mi->m", d2, d2))
    bad = np.flatnonzero(~(twice > 1e-12 * longest))
    if len(bad):
        raise MeshError(f"{len(bad)} triangles have no area, the first is triangle {bad[0]}; remove or remesh them")
    normal /= twice[:, None]
    first = d1 if axis is None else _in_plane(axis, normal)
    first = first / np.linalg.norm(first, axis=1, keepdims=True)
    return np.stack([d1, d2], axis=2), 0.5 * twice, np.stack([first, np.cross(normal, first)], axis=1)


def _in_plane(axis: Array, normal: Array) -> Array:
    """The warp projected into each triangle's plane."""
    if axis.ndim == 2 and len(axis) != len(normal):
        raise SuppleError(
            f"membrane warp: one vector or one for each of the {len(normal)} triangles, found {len(axis)}"
        )
    axis = np.broadcast_to(axis / np.linalg.norm(axis, axis=-1, keepdims=True), normal.shape)
    along = axis - np.einsum("mi,mi->m", axis, normal)[:, None] * normal
    bad = np.flatnonzero(np.linalg.norm(along, axis=1) <= PARALLEL)
    if len(bad):
        raise MeshError(
            f"the warp is perpendicular to {len(bad)} triangles, the first is triangle {bad[0]}; "
            "give a direction along the cloth"
        )
    return np.asarray(along)
