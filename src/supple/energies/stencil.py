"""Energies of fixed combinations of vertices: r = sum_a c_a x_a with sum_a c_a = 0, psi = kappa/2 (|r| - l)^2.

With l = 0 they are quadratic: a constant Hessian, and energy conserved exactly by AVF and by the midpoint rule. As
sum_a x_a x (c_a r) = r x r = 0, they exert no torque. Bending is of this kind, with l = 0 for bodies that are flat or
straight at rest; l > 0 serves increments from a bent configuration, which change where |r| does.

Over a step the mean gradient is q c_a (r0 + r1), q = (psi1 - psi0)/(r1 . r1 - r0 . r0): it conserves energy and angular
momentum.
"""

from __future__ import annotations

import copy
from typing import ClassVar

import numpy as np

from supple.energies.compliant import Compliance, combinations
from supple.energies.fused import FusedTerm
from supple.energies.roles.compliant import CompliantTerm
from supple.energies.roles.elastic import Elastic
from supple.energies.roles.measured_at_rest import MeasuredAtRest
from supple.energies.springs.springs import hooke, hooke_mean
from supple.energies.stencil_kernels import Stencil
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError
from supple.types import Array, Ints


def checked_stiffness(what: str, value: float | Array, count: int) -> Array:
    """(count,) finite, non-negative values; otherwise an error naming them."""
    stiffness = np.broadcast_to(np.asarray(value, dtype=np.float64), (count,))
    if not (np.isfinite(stiffness) & (stiffness >= 0)).all():
        raise SuppleError(f"{what}: must be finite and not negative")
    return np.ascontiguousarray(stiffness)


class Stencils(FusedTerm, Elastic, CompliantTerm, MeasuredAtRest):
    """Combinations of equally many vertices."""

    group: ClassVar[str] = "elastic"
    proportional_to: ClassVar[frozenset[str]] = frozenset({"kappa"})

    def __init__(self, elements: Ints, c: Array, kappa: Array) -> None:
        """elements (m, k), coefficients c (m, k), kappa (m,)."""
        self.elements = np.ascontiguousarray(elements, dtype=np.int32)
        self.c = np.ascontiguousarray(c)
        self.kappa = np.ascontiguousarray(kappa)
        self.rest_size = np.zeros(len(elements))
        self.degree = 2

    def combinations(self, x: Array) -> Array:
        """(m, 3) r."""
        # differences from one corner, so distance from the origin causes no round-off
        corners = x[self.elements]
        return np.einsum("mk,mki->mi", self.c[:, 1:], corners[:, 1:] - corners[:, :1])

    def constants(self) -> dict[str, Array]:
        return {"kappa": self.kappa}

    def measured(self, corners: Array) -> dict[str, Array]:
        """|r| of a body with another rest configuration; subclasses also measure their coefficients."""
        r = np.einsum("mk,mki->mi", self.c[:, 1:], corners[:, 1:] - corners[:, :1])
        return {"rest_size": np.linalg.norm(r, axis=1)}

    def resting_at(self, x: Array) -> EnergyTerm:
        other = copy.copy(self)
        other.rest_at(x)
        other.rest_size = np.linalg.norm(self.combinations(x), axis=1)
        other.degree = None
        return other

    def _squares(self, x: Array) -> tuple[Array, Array]:
        r = self.combinations(x)
        return r, np.einsum("mi,mi->m", r, r)

    def compliant(self) -> tuple[Compliance, ...]:
        return (combinations(self.elements, self.c, self.rest_size, self.kappa),)

    def element_values(self, x: Array) -> Array:
        return hooke(self._squares(x)[1], self.kappa, self.rest_size)[0]

    def element_gradients(self, x: Array) -> Array:
        r, s = self._squares(x)
        return 2.0 * np.einsum("m,mk,mi->mki", hooke(s, self.kappa, self.rest_size)[1], self.c, r)

    def element_hessians(self, x: Array) -> Array:
        r, s = self._squares(x)
        _, slope, curvature = hooke(s, self.kappa, self.rest_size)
        return self._spread(_block(r, slope, curvature))

    def element_products(self, x: Array, move: Array) -> Array:
        r, s = self._squares(x)
        _, slope, curvature = hooke(s, self.kappa, self.rest_size)
        p = self.combinations(move)
        pull = 2.0 * slope[:, None] * p + (4.0 * curvature * np.einsum("mi,mi->m", r, p))[:, None] * r
        return self.c[:, :, None] * pull[:, None, :]

    def projected_hessians(self, x: Array) -> Array:
        r, s = self._squares(x)
        _, slope, curvature = hooke(s, self.kappa, self.rest_size)
        # eigenvalues of the block: 2 slope across r, 2 slope + 4 curvature s = kappa along it
        pushed = slope < 0.0
        along = np.where(pushed, 0.25 * self.kappa / np.where(s > 0.0, s, 1.0), curvature)
        return self._spread(_block(r, np.maximum(slope, 0.0), along))

    def element_mean_gradients(self, x0: Array, x1: Array) -> Array:
        (r0, s0), (r1, s1) = self._squares(x0), self._squares(x1)
        q = hooke_mean(s0, s1, self.kappa, self.rest_size)[0]
        return np.einsum("m,mk,mi->mki", q, self.c, r0 + r1)

    def element_mean_jacobians(self, x0: Array, x1: Array) -> Array:
        (r0, s0), (r1, s1) = self._squares(x0), self._squares(x1)
        q, slope = hooke_mean(s0, s1, self.kappa, self.rest_size)
        block = q[:, None, None] * np.eye(3) + slope[:, None, None] * (r0 + r1)[:, :, None] * r1[:, None, :]
        return self._spread(block)

    def _spread(self, block: Array) -> Array:
        """(m, 3k, 3k) c_a c_b B."""
        size = 3 * self.elements.shape[1]
        return np.einsum("ma,mb,mij->maibj", self.c, self.c, block, optimize=True).reshape(-1, size, size)

    def described(self) -> Stencil:
        return Stencil(self.elements, self.c, self.kappa, self.rest_size)


def _block(r: Array, slope: Array, curvature: Array) -> Array:
    return 2.0 * slope[:, None, None] * np.eye(3) + 4.0 * curvature[:, None, None] * r[:, :, None] * r[:, None, :]
