"""One kind of energy over many small elements, and how its elements enter global sums.

A term writes the mathematics of one element, over whole arrays: `element_values`, `element_gradients`,
`element_hessians`. Summation comes with this class; a term whose elements are many overrides `add_value_gradient` and
`add_hessian` with fused kernels that never store element matrices. Mean gradients over a step, which keep the energy,
come with it too; a term that can keep angular momentum as well overrides them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from supple.energies.chord import NEGLIGIBLE, REACH, WEIGHT, remainder
from supple.energies.compliant import Compliance
from supple.energies.instant import Instant
from supple.energies.samples import Samples
from supple.energies.touch import Touch
from supple.linalg.parts import Parts
from supple.linalg.psd import clamp_negative
from supple.linalg.quadrature import Rule
from supple.linalg.scatter import add_gradients, add_hessians
from supple.types import Array, Ints


@dataclass(frozen=True)
class Placement:
    """Where the elements of one term stand in the global matrix."""

    parts: Parts
    unknowns: Ints
    """Vertex -> number among the unknowns, -1 for a held vertex."""
    row_length: Ints
    """Length of the first scalar row of each unknown vertex."""
    slots: Ints
    """(m, k(k+1)/2) slots of the blocks a <= b."""


class EnergyTerm:
    """A potential V(x) = sum over elements; also used for dissipation potentials of velocities."""

    group: ClassVar[str] = "other"
    """Column of the energy ledger: elastic, gravity or other."""
    elements: Ints
    """(m, k) corners of each element."""
    degree: int | None = None
    """Degree of V along a straight line if it is a polynomial, else None."""
    frozen_in_steps: ClassVar[bool] = False
    """Whether `freeze` gives another term in every step."""
    torque_free: ClassVar[bool] = False
    """Of a dissipation that is frozen: it turns nothing about the configuration at which it was frozen."""

    loose: ClassVar[bool] = False
    """Whether the term couples vertices that change from one configuration to the next, as contact does. Such a term has
    no elements; its Hessian comes from `loose_blocks`."""

    keeps_apart: bool = False
    """Whether the energy is infinite behind a surface: steps have to end before it, and `max_step` says where."""

    rule: ClassVar[Rule | None] = None
    """Quadrature along a step that this term needs, whatever rule the method takes for the others."""
    averages: ClassVar[bool] = False
    """Whether `averaged` gives the mean along a step in closed form, but for the turning of normals on the way."""
    flat: ClassVar[bool] = False
    """Of a term that averages: nothing turns, so that the closed form is exact."""

    def averaged(self, x0: Array) -> EnergyTerm:
        """Psi(x1) whose gradient is the mean of this term's along the straight path from x0 to x1, exactly if it is flat."""
        raise TypeError(f"{type(self).__name__} does not know its mean along a step")

    def loose_blocks(self, samples: Samples, project: bool) -> Sequence[tuple[Ints, Array]]:
        """Corners (m, k) and weighted second derivatives (m, 3k, 3k) of a loose term; `project`: each made PSD."""
        return ()

    def loose_means(self, x0: Array, x1: Array) -> Sequence[tuple[Ints, Array]]:
        """Corners (m, k) and discrete gradients (m, k, 3) of a loose term over a step (see `element_mean_gradients`)."""
        return ()

    def loose_mean_jacobians(self, x0: Array, x1: Array) -> Sequence[tuple[Ints, Array]]:
        """Corners (m, k) and derivatives (m, 3k, 3k) of `loose_means` with respect to x1; in general not symmetric."""
        return ()

    wide: bool = False
    """Whether the energy is a function of a sum over all elements, so that each vertex feels every other. `add_hessian` gives
    the part that stays between neighbours, `outer_products` the rest."""

    def outer_products(self, samples: Samples) -> Sequence[tuple[float, Array]]:
        """Numbers w and fields a (n, 3) of a wide term: its Hessian has the part w a a^T for each of them."""
        return ()

    def loose_blocks_safe(self, samples: Samples, project: bool) -> Sequence[tuple[Ints, Array]]:
        """As `loose_blocks`, for the next iteration of Newton's method far from the minimum, where second derivatives may promise
        too little resistance to a long step. A term that is frozen in a step may look at the iterations before."""
        return self.loose_blocks(samples, project)

    def loose_couplings(self, v: Array) -> Sequence[tuple[Ints, Array]]:
        """Corners (m, k) and matrices (m, 3k, 3k) of a dissipation whose strength follows the end of the step: derivatives of
        its force at the velocities v with respect to the end positions, through that strength alone."""
        return ()

    def touches(self, x: Array) -> Sequence[Touch]:
        """What presses on what at a configuration, if the term is a contact."""
        return ()

    def presses(self, x0: Array, x1: Array) -> Sequence[Touch]:
        """What presses on what over a step, with the mean force that acts in it, if the term is a contact."""
        return self.touches(0.5 * (x0 + x1))

    def max_step(self, x: Array, p: Array) -> float:
        """Largest multiple of p by which x may move without passing through something; infinite where nothing is hit."""
        return math.inf

    def clipped(self, x: Array, p: Array) -> Array:
        """The move p with every vertex that would pass through something stopped before it, p itself where none would."""
        return p

    def passes(self, x0: Array, x1: Array) -> bool:
        """Whether a body that goes straight from x0 to x1, both allowed, would pass through something on its way."""
        return False

    driven: ClassVar[bool] = False
    """Of a dissipation: air that moves may drive the body. Once frozen, `heat` tells what of its work is lost."""

    def heat(self, v: Array) -> float:
        """Power that a driven dissipation turns into heat, (v - w) . D'(v) with the velocity w of the air [W]."""
        raise TypeError(f"{type(self).__name__} does not know its heat")

    lagged: ClassVar[bool] = False
    """Of a dissipation that is frozen: it wants to be frozen again where the step went, and the step solved again."""

    def freeze(self, instant: Instant) -> EnergyTerm:
        """The term as it is during one step, over the same elements."""
        return self

    def resting_at(self, x: Array) -> EnergyTerm | None:
        """The same elastic body with x as its rest configuration; None for terms that are not elastic."""
        return None

    def compliant(self) -> Sequence[Compliance] | None:
        """The same energy, but for a constant, as squares of constraints; None if it is no such thing."""
        return None

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

        The gradient at the midpoint, to which energies of degree above 2 add a part along the step (Gonzalez 1996),
        element by element. That keeps the energy; terms that know their strain override it and keep angular momentum.
        """
        gradient = self.element_gradients(0.5 * (x0 + x1))
        if self.midpoint_is_exact:
            return gradient
        d, alpha, _ = self._correction(x0, x1, gradient)
        return gradient + alpha[:, None, None] * d

    def element_mean_jacobians(self, x0: Array, x1: Array) -> Array:
        """(m, 3k, 3k) derivatives of `element_mean_gradients` with respect to x1; in general not symmetric."""
        middle = 0.5 * (x0 + x1)
        half = 0.5 * self.element_hessians(middle)
        if self.midpoint_is_exact:
            return half
        gradient = self.element_gradients(middle)
        d, alpha, weight = self._correction(x0, x1, gradient)
        m, k = half.shape[:2]
        flat = d.reshape(m, k)
        # d alpha/dx1 = [V'(x1) - V'(middle) - V''(middle) d/2 - 2 alpha d] / (d . d)
        slope = (self.element_gradients(x1) - gradient).reshape(m, k) - np.einsum("mij,mj->mi", half, flat)
        slope = weight[:, None] * (slope - 2.0 * alpha[:, None] * flat)
        return half + alpha[:, None, None] * np.eye(k) + flat[:, :, None] * slope[:, None, :]

    def _correction(self, x0: Array, x1: Array, gradient: Array) -> tuple[Array, Array, Array]:
        """d = x1 - x0 of each element, alpha = (V(x1) - V(x0) - gradient . d)/(d . d), and 1/(d . d) or 0 if negligible."""
        d, ends = (x1 - x0)[self.elements], x1[self.elements]
        square, span = np.einsum("mai,mai->m", d, d), np.einsum("mai,mai->m", ends, ends)
        matters = square > NEGLIGIBLE**2 * span
        weight = np.where(matters, 1.0, 0.0) / np.where(matters, square, 1.0)
        along = np.einsum("mai,mai->m", gradient, d)
        middle, reach = 0.5 * (x0 + x1), REACH * (x1 - x0)
        ahead, behind = self.element_gradients(middle + reach), self.element_gradients(middle - reach)
        sampled = WEIGHT * np.einsum("mai,mai->m", ahead + behind - 2.0 * gradient, d)
        before, after = self.element_values(x0), self.element_values(x1)
        # a term may subtract energies as large as its curvature times the squared positions
        curvature = np.sqrt(weight * np.einsum("mai,mai->m", ahead - behind, ahead - behind))
        size = np.abs(before) + np.abs(after) + np.abs(along) + curvature * span
        return d, weight * remainder(after - before - along, sampled, size), weight

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
        """Add the weighted Hessian to the entries of the global upper triangle; `project`: element by element made PSD."""
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
