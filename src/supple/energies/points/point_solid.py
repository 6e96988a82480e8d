"""The elastic energy of particles as a function of node positions: a cell is an element, its particles are the quadrature points.

F' = sum_i y_i B_i^T with B_i = F^T grad w_i, so F' = F at the current nodes (sum x_i grad w_i^T = I).  F' is linear in
the positions y, and psi along a step is a polynomial of the material's degree: quadrature rules are as exact as for
tets.
    V = sum_p V_p psi(F'_p),   gradient at node i: V_p P B_i,   Hessian: V_p B_aj C_ijkl B_bl
The gradients of weights add up to zero; node positions are taken relative to the cell's first node, so bodies far from
the origin lose no digits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import ClassVar

import numpy as np

from supple.energies.points.kernels import gradient_part, hessian_part, stress_part, tangent_part
from supple.energies.samples import Samples
from supple.energies.solids.projection import projection
from supple.energies.solids.strain_form import mean_stress, mean_tangent
from supple.energies.term import EnergyTerm, Placement
from supple.linalg.parts import Parts
from supple.linalg.pool import in_parts
from supple.linalg.threads import threads
from supple.materials.law import Law
from supple.materials.material import Material
from supple.types import Array, Ints


class PointSolid(EnergyTerm):
    """Particles of one material, sorted by cells."""

    group: ClassVar[str] = "elastic"

    def __init__(
        self,
        corners: Ints,
        start: Ints,
        B: Callable[[], Array],
        volume: Array,
        material: Material,
        parameters: Array,
    ) -> None:
        """corners (m, k) nodes of the cells, ascending; particles start[e]:start[e + 1] are in cell e; B() (n, k, 3) [1/m],
        volume (n,) [m^3] and the law's constants parameters (n, c) in that order."""
        self.material = material
        self.degree = material.degree
        self.elements = np.ascontiguousarray(corners, dtype=np.int32)
        self.start = np.ascontiguousarray(start, dtype=np.int32)
        self.cell = np.repeat(np.arange(len(corners)), np.diff(self.start)).astype(np.int32)
        self._B, self.volume, self.parameters = B, volume, np.ascontiguousarray(parameters)

    @cached_property
    def B(self) -> Array:
        """(n, k, 3) F^T grad w [1/m]."""
        return np.ascontiguousarray(self._B())

    def deformation_gradients(self, x: Array) -> Array:
        """(n, 3, 3) F' of every particle."""
        y = x[self.elements] - x[self.elements[:, :1]]
        return np.einsum("pki,pkj->pij", y[self.cell], self.B)

    def element_values(self, x: Array) -> Array:
        return self._summed(self.volume * self._law().density(self.deformation_gradients(x)))

    def element_gradients(self, x: Array) -> Array:
        return self._forces(self._law().stress(self.deformation_gradients(x)))

    def element_hessians(self, x: Array) -> Array:
        return self._stiffness(self._law().tangent(self.deformation_gradients(x)))

    def element_mean_gradients(self, x0: Array, x1: Array) -> Array:
        if self.midpoint_is_exact:  # linear elasticity, which is not a function of C
            return super().element_mean_gradients(x0, x1)
        F0, F1 = self.deformation_gradients(x0), self.deformation_gradients(x1)
        return self._forces(mean_stress(self._law(), F0, F1))

    def element_mean_jacobians(self, x0: Array, x1: Array) -> Array:
        if self.midpoint_is_exact:
            return super().element_mean_jacobians(x0, x1)
        F0, F1 = self.deformation_gradients(x0), self.deformation_gradients(x1)
        return self._stiffness(mean_tangent(self._law(), F0, F1))

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        n, count = len(self.volume), threads()
        values, stress = np.empty(n), np.empty((n, 9))
        law = self.material.law.response, self.parameters

        def particles(k: int) -> None:
            given = samples.x, samples.energy, samples.force, self.elements, self.cell, self.B, self.volume
            stress_part(k * n // count, (k + 1) * n // count, *law, *given, values, stress)

        in_parts(particles, count)

        def cells(k: int) -> None:
            gradient_part(k, self.elements, self.start, self.B, stress, parts.owner, parts.chosen(k), gradient)

        in_parts(cells, parts.count)
        return float(values.sum())

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        n, count = len(self.volume), threads()
        tangents = np.empty((n, 45))
        law, change = (self.material.law.tangent, self.parameters), projection(project)

        def particles(k: int) -> None:
            given = samples.x, samples.curvature, self.elements, self.cell, self.B, self.volume
            tangent_part(k * n // count, (k + 1) * n // count, *law, *given, change, tangents)

        in_parts(particles, count)
        parts, rows = place.parts, (place.unknowns, place.row_length, place.slots)

        def cells(k: int) -> None:
            given = self.elements, self.start, self.B, tangents
            hessian_part(k, *given, parts.owner, parts.chosen(k), *rows, values)

        in_parts(cells, parts.count)

    def _law(self) -> Material:
        """The material with the constants of the particles in their order by cells."""
        return _Tabled(self.material, self.parameters)

    def _summed(self, values: Array) -> Array:
        """Sums over the particles of each cell."""
        return np.add.reduceat(values, self.start[:-1], axis=0)

    def _forces(self, P: Array) -> Array:
        """(m, k, 3) from stresses (n, 3, 3)."""
        return self._summed(np.einsum("p,pij,pkj->pki", self.volume, P, self.B))

    def _stiffness(self, C: Array) -> Array:
        """(m, 3k, 3k) from derivatives of the stresses (n, 3, 3, 3, 3)."""
        size = 3 * self.elements.shape[1]
        K = np.einsum("p,paj,pijkl,pbl->paibk", self.volume, self.B, C, self.B, optimize=True)
        return self._summed(K.reshape(-1, size, size))


class _Tabled(Material):
    """A material with given constants of each element."""

    def __init__(self, of: Material, parameters: Array) -> None:
        self._of, self._parameters = of, parameters
        self.quadratic_in_strain = of.quadratic_in_strain  # type: ignore[misc]

    @property
    def law(self) -> Law:
        return self._of.law

    def parameters(self, m: int) -> Array:
        return self._parameters
