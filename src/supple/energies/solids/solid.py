"""Tetrahedral solid with linear shape functions: V = sum over tets of volume * density(F)."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import ClassVar, Self

import numpy as np

from supple.energies import pulls
from supple.energies.compliant import Compliance
from supple.energies.roles.compliant import CompliantTerm
from supple.energies.roles.elastic import Elastic
from supple.energies.samples import Samples
from supple.energies.solids.compliant import tet_compliance
from supple.energies.solids.kernels import gradient_part, hessian_part, stiffness_part
from supple.energies.solids.mean_kernels import mean_gradient_part, mean_jacobian_part
from supple.energies.solids.product_kernels import product_part, pull_part, work_part
from supple.energies.solids.projection import projection
from supple.energies.solids.rest import rested
from supple.energies.solids.strain_form import mean_stress, mean_tangent, refuse_flat
from supple.energies.term import EnergyTerm, Placement
from supple.errors import MeshError, SuppleError
from supple.linalg.parts import Parts
from supple.linalg.pool import in_parts
from supple.linalg.threads import threads
from supple.materials.formula import FormulaLaw
from supple.materials.formula_material import FormulaMaterial
from supple.materials.material import Material
from supple.materials.principal.law import PrincipalLaw
from supple.materials.variables import DIRECTIONS
from supple.types import Array, Ints

GRADIENT_TIME, MEAN_TIME, HESSIAN_TIME, PULL_TIME = 0.04, 0.15, 0.11, 0.3
"""Approximate time per element on one thread [us]; short loops are not split among threads."""
FLAT = 0.05
"""Fraction of its volume below which an element cannot be a rest configuration for increments: it would be too stiff."""


class Solid(EnergyTerm, Elastic, CompliantTerm):
    """Elastic energy of tets; `material` gives the density, per element or uniform."""

    group: ClassVar[str] = "elastic"
    weighted: bool = False
    """Whether the volumes include a factor on all forces."""

    def __init__(self, rest: Array, tets: Ints, material: Material) -> None:
        """rest (n, 3) rest positions [m]; tets (m, 4), in any orientation."""
        self.material = material
        self.degree = material.degree
        # Ascending corners put every block into the upper triangle. F does not depend on the order of corners.
        self.elements = np.ascontiguousarray(np.sort(tets, axis=1), dtype=np.int32)
        # row a-1 of a shape: gradient of corner a's shape function
        self.shape, self.volume = _measured(rest[self.elements])
        self.parameters = material.parameters(len(self.elements))

    def with_rest_corners(self, corners: Array) -> Self:
        """The same solid with other corners (m, 4, 3) of its tets at rest."""
        other = copy.copy(self)
        other.shape, other.volume = _measured(corners)
        return other

    def deformation_gradients(self, x: Array) -> Array:
        """(m, 3, 3) F of every tet."""
        d = x[self.elements[:, 1:]] - x[self.elements[:, :1]]
        return np.einsum("mai,maj->mij", d, self.shape)

    def with_material(self, material: Material) -> Self:
        """The same tets of another material."""
        other = copy.copy(self)
        other.material, other.degree = material, material.degree
        other.parameters = material.parameters(len(self.elements))
        return other

    def scaled(self, factor: float) -> Self:
        other = copy.copy(self)
        other.volume, other.weighted = factor * self.volume, True
        return other

    def resting_at(self, x: Array) -> EnergyTerm:
        """J V w(F_b F^-1) with F and J = |det F| taken at x; elements that are degenerate at x are ignored."""
        other = copy.copy(self)
        other.shape, other.volume = rested(x, self.elements, self.shape, self.volume, FLAT)
        return other

    def compliant(self) -> tuple[Compliance, ...] | None:
        found = tet_compliance(self.material, self.parameters, self.elements, self.shape, self.volume)
        return None if found is None else (found,)

    def projected_hessians(self, x: Array) -> Array:
        return self._matrices(x, project=True)

    def _matrices(self, x: Array, project: bool) -> Array:
        matrices = np.empty((len(self.elements), 12, 12))
        tangent, change = self._tangent(project)
        geometry = self.elements, self.shape, self.volume

        def some(first: int, last: int) -> None:
            stiffness_part(first, last, tangent, self.parameters, x, *geometry, change, matrices)

        self._in_ranges(some, HESSIAN_TIME)
        return matrices

    def _in_ranges(self, kernel: Callable[[int, int], None], time: float) -> None:
        """kernel(first, last) for ranges of tets, concurrently; `time`: approximate time per tet on one thread [us]."""
        m, count = len(self.elements), threads()
        in_parts(lambda k: kernel(k * m // count, (k + 1) * m // count), count, time * m)

    def element_values(self, x: Array) -> Array:
        # by the loop that steps need anyway: the loop over arrays would be compiled for this purpose only
        m, one = len(self.elements), np.ones(1)
        values, unowned = np.empty(m), np.full(len(x), -1, dtype=np.int32)
        law, geometry = (self.material.law.response, self.parameters), (self.elements, self.shape, self.volume)
        everything = np.arange(m, dtype=np.int32)
        gradient_part(0, *law, x[None], one, one, *geometry, unowned, everything, values, np.empty((0, 3)))
        return values

    def element_gradients(self, x: Array) -> Array:
        return self._forces(self.material.stress(self.deformation_gradients(x)))

    def element_hessians(self, x: Array) -> Array:
        return self._matrices(x, project=False)

    def element_products(self, x: Array, move: Array) -> Array:
        # in the loop of add_product, with corners that no two tets share
        own, out, one = self.unshared(), np.zeros((self.elements.size, 3)), np.ones(1)
        given = pulls.apart(self, x)[None], one, pulls.apart(self, move)
        law, geometry = (self.material.law.tangent, self.parameters), (own.elements, self.shape, self.volume)
        owner, chosen = np.zeros(len(out), np.int32), np.arange(len(self.elements), dtype=np.int32)
        self._in_ranges(
            lambda first, last: product_part(0, *law, *given, *geometry, owner, chosen[first:last], out), HESSIAN_TIME
        )
        return out.reshape(*self.elements.shape, 3)

    def element_works(self, samples: Samples, lam: Array) -> Array:
        out = np.empty(len(self.elements))
        law, geometry = (self.material.law.response, self.parameters), (self.elements, self.shape, self.volume)
        given = samples.x, samples.force, np.ascontiguousarray(lam)
        self._in_ranges(lambda first, last: work_part(first, last, *law, *given, *geometry, out), GRADIENT_TIME)
        return out

    def element_mean_gradients(self, x0: Array, x1: Array) -> Array:
        if self.midpoint_is_exact:  # linear elasticity, which is not a function of C
            return super().element_mean_gradients(x0, x1)
        F0, F1 = self.deformation_gradients(x0), self.deformation_gradients(x1)
        return self._forces(mean_stress(self.material, F0, F1))

    def element_mean_jacobians(self, x0: Array, x1: Array) -> Array:
        if self.midpoint_is_exact:
            return super().element_mean_jacobians(x0, x1)
        F0, F1 = self.deformation_gradients(x0), self.deformation_gradients(x1)
        return self._stiffness(mean_tangent(self.material, F0, F1))

    def add_mean_gradient(self, x0: Array, x1: Array, parts: Parts, gradient: Array) -> None:
        if self.midpoint_is_exact:
            super().add_mean_gradient(x0, x1, parts, gradient)
            return
        given, geometry = (*self._strain_law(), self.parameters, x0, x1), (self.elements, self.shape, self.volume)
        flat = np.zeros(parts.count, np.int64)

        def part(k: int) -> None:
            flat[k] = mean_gradient_part(k, *given, *geometry, parts.owner, parts.chosen(k), gradient)

        in_parts(part, parts.count, MEAN_TIME * len(self.elements))
        refuse_flat(int(flat.sum()))

    def add_mean_jacobian(self, x0: Array, x1: Array, place: Placement, values: Array) -> None:
        if self.midpoint_is_exact:
            super().add_mean_jacobian(x0, x1, place, values)
            return
        given, geometry = (*self._strain_law(), self.parameters, x0, x1), (self.elements, self.shape, self.volume)
        parts, rows = place.parts, (place.unknowns, place.square.row_length, place.square_slots)
        flat = np.zeros(parts.count, np.int64)

        def part(k: int) -> None:
            flat[k] = mean_jacobian_part(k, *given, *geometry, parts.owner, parts.chosen(k), *rows, values)

        in_parts(part, parts.count, HESSIAN_TIME * len(self.elements))
        refuse_flat(int(flat.sum()))

    def _strain_law(self) -> tuple[int, int, bool]:
        law = self.material.law
        return law.response, law.tangent, self.material.quadratic_in_strain

    def element_parameter_gradients(self, x: Array, name: str) -> Array:
        """(m, 4, 3) derivatives of `element_gradients` with respect to that constant of the material, for each tet."""
        law = self.material
        if not isinstance(law, FormulaMaterial):
            raise SuppleError(
                f"{law.name}: only materials defined by formulas have derivatives with respect to their constants"
            )
        if name not in law.constants():
            raise SuppleError(f"{law.name}: unknown constant '{name}'; it has {', '.join(law.constants())}")
        return self._forces(law.sensitivity(self.deformation_gradients(x))[name][1])

    def parameter_gradient(self, x: Array, name: str) -> Array:
        """(n, 3) derivative of the gradient of V with respect to a constant of all tets: minus the change of force."""
        total = np.zeros_like(x)
        np.add.at(total, self.elements, self.element_parameter_gradients(x, name))
        return total

    def _forces(self, P: Array) -> Array:
        """(m, 4, 3) from stresses."""
        return np.einsum("m,mij,maj->mai", self.volume, P, self._corner_shape())

    def _stiffness(self, C: Array) -> Array:
        """(m, 12, 12) from derivatives of the stresses."""
        g = self._corner_shape()
        K = np.einsum("m,maj,mijkl,mbl->maibk", self.volume, g, C, g, optimize=True)
        return K.reshape(len(self.elements), 12, 12)

    def _corner_shape(self) -> Array:
        return np.concatenate([-self.shape.sum(axis=1, keepdims=True), self.shape], axis=1)

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        values = np.empty(len(self.elements))
        law, geometry = (self.material.law.response, self.parameters), (self.elements, self.shape, self.volume)
        given = samples.x, samples.energy, samples.force

        def part(k: int) -> None:
            gradient_part(k, *law, *given, *geometry, parts.owner, parts.chosen(k), values, gradient)

        in_parts(part, parts.count, GRADIENT_TIME * len(self.elements))
        return float(values.sum())

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        tangent, change = self._tangent(project)
        given, geometry = (self.parameters, samples.x, samples.curvature), (self.elements, self.shape, self.volume)
        parts, rows = place.parts, (place.unknowns, place.row_length, place.slots)

        def part(k: int) -> None:
            hessian_part(k, tangent, *given, *geometry, parts.owner, parts.chosen(k), *rows, change, values)

        in_parts(part, parts.count, HESSIAN_TIME * len(self.elements))

    def add_product(self, samples: Samples, parts: Parts, move: Array, out: Array) -> None:
        law, geometry = (self.material.law.tangent, self.parameters), (self.elements, self.shape, self.volume)
        given = samples.x, samples.curvature, np.ascontiguousarray(move)

        def part(k: int) -> None:
            product_part(k, *law, *given, *geometry, parts.owner, parts.chosen(k), out)

        in_parts(part, parts.count, HESSIAN_TIME * len(self.elements))

    def constants(self) -> dict[str, Array]:
        """The constants of the material except fibre directions, one per tet."""
        names = self.material.constants()
        return {name: self.parameters[:, k] for k, name in enumerate(names) if name not in DIRECTIONS}

    def _set_constant(self, name: str, values: Array) -> None:
        self.material = self.material.with_constant(name, values)
        self.parameters = self.material.parameters(len(self.elements))

    def pull(self, samples: Samples, lam: Array) -> dict[str, Array]:
        """Exact, by the law's own derivatives; by differences for a law that is not a formula."""
        law = self.material.law
        sensitivity = law.sensitivity if isinstance(law, FormulaLaw | PrincipalLaw) else 0
        by_constants, corners = np.zeros_like(self.parameters), np.empty((*self.elements.shape, 3))
        given = self.parameters, samples.x, samples.force, np.ascontiguousarray(lam)
        addresses, geometry = (law.response, law.tangent, sensitivity), (self.elements, self.shape, self.volume)
        self._in_ranges(
            lambda first, last: pull_part(first, last, addresses, *given, *geometry, by_constants, corners), PULL_TIME
        )
        constants = self.constants()
        names = list(self.material.constants())
        found = (
            {name: by_constants[:, names.index(name)].copy() for name in constants}
            if sensitivity
            else pulls.by_constants(self, constants, samples, lam)
        )
        return {**found, "rest": pulls.at_vertices(self.elements, corners, len(lam))}

    def _tangent(self, project: bool) -> tuple[int, int]:
        """Addresses of the tangent and of its projection; 0 where the tangent is already positive semidefinite."""
        law = self.material.law
        if project and isinstance(law, PrincipalLaw):
            return law.projected, 0
        return law.tangent, projection(project)


def _measured(corners: Array) -> tuple[Array, Array]:
    """Shape gradients (m, 3, 3) and volumes (m,) of tets with corners (m, 4, 3)."""
    edges = np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2)  # columns X_a - X_0
    signed = np.linalg.det(edges) / 6.0
    bad = np.flatnonzero(~(np.abs(signed) > 0.0))
    if len(bad):
        raise MeshError(f"{len(bad)} tets have no volume, the first is tet {bad[0]}; remove or remesh them")
    return np.ascontiguousarray(np.linalg.inv(edges)), np.abs(signed)
