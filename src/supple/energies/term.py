"""One kind of energy over many small elements, and how its elements enter global sums.

A term implements the mathematics of one element, over whole arrays: `element_values`, `element_gradients`,
`element_hessians`. This class provides summation; a term with many elements overrides `add_value_gradient` and
`add_hessian` with fused kernels that never store element matrices. It also provides mean gradients over a step, which
conserve energy; a term that can conserve angular momentum as well overrides them. Optional capabilities of terms are in
`roles`.

Sweeps over whole runs need two more derivatives: products V'' p at all vertices (`add_product`), and derivatives of the
forces' work with respect to the input parameters of a term (`pull`). A term names those parameters (`constants`) and
returns copies with other values (`with_constant`); the default then takes differences element by element (pulls.py).
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

import numpy as np

from supple.energies import midpoint, pulls
from supple.energies.drive import Drive
from supple.energies.roles.measured_at_rest import MeasuredAtRest
from supple.energies.samples import Samples
from supple.errors import SuppleError
from supple.linalg.parts import Parts
from supple.linalg.pattern import SymmetricPattern
from supple.linalg.psd import clamp_negative
from supple.linalg.scatter import add_gradients, add_hessians
from supple.linalg.square import SquarePattern, add_matrices, square_pattern
from supple.types import Array, Ints


@dataclass(frozen=True)
class Placement:
    """Positions of the elements of one term in the global matrix."""

    parts: Parts
    unknowns: Ints
    """Vertex -> index among the unknowns, -1 for a constrained vertex."""
    pattern: SymmetricPattern
    corners: Ints
    """(m, k) vertices of the elements."""

    @property
    def row_length(self) -> Ints:
        """Length of the first scalar row of each unknown vertex."""
        return self.pattern.row_length

    @cached_property
    def slots(self) -> Ints:
        """(m, k(k+1)/2) slots of the blocks a <= b."""
        return self.pattern.element_slots(self.unknowns[self.corners])

    @property
    def square(self) -> SquarePattern:
        """Positions of matrices that are not symmetric."""
        return square_pattern(self.pattern)

    @cached_property
    def square_slots(self) -> Ints:
        """(m, k k) slots of all blocks in the square pattern."""
        return self.square.element_slots(self.unknowns[self.corners])


class EnergyTerm:
    """A potential V(x) = sum over elements; also used for dissipation potentials of velocities."""

    group: ClassVar[str] = "other"
    """Column of the energy ledger: elastic, gravity or other."""
    elements: Ints
    """(m, k) corners of each element."""
    degree: int | None = None
    """Degree of V along a straight line if it is a polynomial, else None."""
    proportional_to: ClassVar[frozenset[str]] = frozenset()
    """Constants that all forces of an element are proportional to."""
    drive: Drive | None = None
    """How its parameters change with time; None if they are constant."""

    def element_values(self, x: Array) -> Array:
        """(m,) energies [J]."""
        raise TypeError(f"{type(self).__name__} does not define element_values")

    def element_gradients(self, x: Array) -> Array:
        """(m, k, 3) derivatives [N]."""
        raise TypeError(f"{type(self).__name__} does not define element_gradients")

    def element_hessians(self, x: Array) -> Array:
        """(m, 3k, 3k) second derivatives [N/m]."""
        raise TypeError(f"{type(self).__name__} does not define element_hessians")

    def projected_hessians(self, x: Array) -> Array:
        """(m, 3k, 3k) second derivatives, each made positive semidefinite [N/m]."""
        return clamp_negative(self.element_hessians(x))

    @property
    def midpoint_is_exact(self) -> bool:
        """Whether the gradient at the midpoint of a step is a discrete gradient."""
        return self.degree is not None and self.degree <= 2

    def element_mean_gradients(self, x0: Array, x1: Array) -> Array:
        """(m, k, 3) discrete gradients of a step: gbar . (x1 - x0) = V(x1) - V(x0), the same if x0 and x1 are exchanged.

        The default, by Gonzalez, conserves energy; terms with a strain measure override it and also conserve angular
        momentum.
        """
        return midpoint.mean_gradients(self, x0, x1)

    def element_mean_jacobians(self, x0: Array, x1: Array) -> Array:
        """(m, 3k, 3k) derivatives of `element_mean_gradients` with respect to x1; in general not symmetric."""
        return midpoint.mean_jacobians(self, x0, x1)

    def add_mean_gradient(self, x0: Array, x1: Array, parts: Parts, gradient: Array) -> None:
        """gradient (n, 3) += `element_mean_gradients` at the vertices."""
        means = self.element_mean_gradients(x0, x1)
        add_gradients(parts.owner, parts.start, parts.elements, self.elements, means, gradient)

    def add_mean_jacobian(self, x0: Array, x1: Array, place: Placement, values: Array) -> None:
        """values += `element_mean_jacobians` in the square pattern."""
        where = place.unknowns, place.square.row_length, place.square_slots
        add_matrices(place.parts, self.elements, *where, self.element_mean_jacobians(x0, x1), values)

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        """Add the weighted gradient to (n, 3) and return the weighted value."""
        values = np.zeros(len(self.elements))
        gradients = np.zeros((*self.elements.shape, 3))
        for x, energy, force in zip(samples.x, samples.energy, samples.force, strict=True):
            values += energy * self.element_values(x)
            gradients += force * self.element_gradients(x)
        add_gradients(parts.owner, parts.start, parts.elements, self.elements, gradients, gradient)
        return float(values.sum())

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        """Add the weighted Hessian to the entries of the global upper triangle; `project`: each element's part made PSD."""
        k = 3 * self.elements.shape[1]
        hessians = np.zeros((len(self.elements), k, k))
        for x, curvature in zip(samples.x, samples.curvature, strict=True):
            hessians += curvature * self.element_hessians(x)
        if project:
            hessians = clamp_negative(hessians)
        p = place.parts
        add_hessians(
            p.owner, p.start, p.elements, self.elements, place.unknowns, place.row_length, place.slots, hessians, values
        )

    def element_products(self, x: Array, move: Array) -> Array:
        """(m, k, 3) V'' move of every element [N], for a displacement `move` (n, 3) of the vertices [m]."""
        m, k = self.elements.shape
        flat = move[self.elements].reshape(m, 3 * k)
        return np.einsum("mij,mj->mi", self.element_hessians(x), flat).reshape(m, k, 3)

    def element_works(self, samples: Samples, lam: Array) -> Array:
        """(m,) sum_q force_q lam . V'(x_q) of every element [J], for a field lam (n, 3)."""
        total, move = np.zeros(len(self.elements)), lam[self.elements]
        for x, force in zip(samples.x, samples.force, strict=True):
            total += force * np.einsum("mai,mai->m", self.element_gradients(x), move)
        return total

    def add_product(self, samples: Samples, parts: Parts, move: Array, out: Array) -> None:
        """out (n, 3) += sum_q curvature_q V''(x_q) move, at all vertices, including constrained ones; never projected [N]."""
        if not len(self.elements):
            return
        products = np.zeros((*self.elements.shape, 3))
        for x, curvature in zip(samples.x, samples.curvature, strict=True):
            products += curvature * self.element_products(x, move)
        add_gradients(parts.owner, parts.start, parts.elements, self.elements, products, out)

    def constants(self) -> dict[str, Array]:
        """Input parameters of the term, by name: (m, ...) with one entry per element, (1,) for the whole term."""
        return {}

    def with_constant(self, name: str, values: Array) -> Self:
        """The same term with other values of that parameter, of the same shape; they are not checked."""
        other = copy.copy(self)
        other._set_constant(name, np.ascontiguousarray(values, dtype=np.float64))
        return other

    def scaled(self, factor: float) -> Self:
        """The same term with all energies and forces multiplied."""
        known = self.constants()
        name = next((name for name in sorted(self.proportional_to) if name in known), None)
        if name is None:
            raise SuppleError(f"{type(self).__name__}: its forces are not proportional to any of its constants")
        return self.with_constant(name, factor * known[name])

    def _set_constant(self, name: str, values: Array) -> None:
        """Change a copy of the term."""
        if not hasattr(self, name):
            known = ", ".join(self.constants()) or "no constants"
            raise SuppleError(f"{type(self).__name__}: unknown constant '{name}'; it has {known}")
        setattr(self, name, values)

    def pull(self, samples: Samples, lam: Array) -> dict[str, Array]:
        """Derivatives of sum_q force_q lam . V'(x_q) with respect to `constants`, shaped like them, and to the rest
        positions that the term was built from: `rest` (n, 3), if it has measured any of them. lam (n, 3)."""
        return pulls.pulled(self, samples, lam)

    def unshared(self) -> Self:
        """The same elements without shared corners: vertex k e + a is corner a of element e."""
        other = copy.copy(self)
        other.elements = np.arange(self.elements.size, dtype=np.int32).reshape(self.elements.shape)
        if isinstance(other, MeasuredAtRest):
            other.rest = None
        return other
