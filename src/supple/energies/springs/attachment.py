"""Springs between fixed combinations of vertices: a vertex and a point on a triangle, two vertices, two points.

V = k/2 (|d| - r)^2,  d = sum_i c_i x_i,  sum_i c_i = 0:  gradient k (1 - r/l) c_i d,  l = |d|,  u = d/l
Hessian k c_i c_j [(1 - r/l) I + (r/l) u u^T]
Forces act along d, with zero resultant and zero torque. With rest length zero V is quadratic, and every AVF quadrature
is exact. Over a step the mean gradient is q c_i (d0 + d1), with the q of Hooke's springs (spring.py).
"""

from __future__ import annotations

import copy
from typing import ClassVar

import numpy as np

from supple.energies.compliant import Compliance, combinations
from supple.energies.roles.compliant import CompliantTerm
from supple.energies.roles.elastic import Elastic
from supple.energies.roles.measured_at_rest import MeasuredAtRest
from supple.energies.springs.links import Links, straight_lengths, straight_links
from supple.energies.springs.springs import hooke, hooke_mean
from supple.energies.term import EnergyTerm
from supple.errors import MeshError, SuppleError
from supple.types import Array, Ints

BALANCED = 1e-9
"""Sum of the coefficients of an attachment, relative to the largest, that counts as zero."""


class Attachments(EnergyTerm, Elastic, CompliantTerm, MeasuredAtRest):
    """Linear springs between points of bodies."""

    group: ClassVar[str] = "elastic"
    proportional_to: ClassVar[frozenset[str]] = frozenset({"stiffness"})

    def __init__(
        self, elements: Ints, coefficients: Array, rest_length: float | Array, stiffness: float | Array
    ) -> None:
        """elements (m, k) vertices, coefficients (m, k) of d = sum_i c_i x_i [-]; rest_length [m] and stiffness [N/m]:
        a scalar or one value pern attachment."""
        self.elements = np.ascontiguousarray(elements, dtype=np.int32)
        self.coefficients = np.ascontiguousarray(coefficients, dtype=np.float64)
        self.rest_length = _numbers(rest_length, len(self.elements), "rest length")
        self.stiffness = _numbers(stiffness, len(self.elements), "stiffness")
        _check_balance(self.elements, self.coefficients)
        self.degree = None if self.rest_length.any() else 2

    def _between(self, x: Array) -> tuple[Array, Array]:
        """d (m, 3) and s = d . d."""
        d = np.einsum("mk,mki->mi", self.coefficients, x[self.elements])
        return d, np.einsum("mi,mi->m", d, d)

    def constants(self) -> dict[str, Array]:
        return {"stiffness": self.stiffness, "rest_length": self.rest_length}

    def measured(self, corners: Array) -> dict[str, Array]:
        return {"rest_length": np.linalg.norm(np.einsum("mk,mki->mi", self.coefficients, corners), axis=1)}

    def resting_at(self, x: Array) -> EnergyTerm:
        other = copy.copy(self)
        other.rest_at(x)
        other.rest_length = np.sqrt(self._between(x)[1])
        other.degree = None if other.rest_length.any() else 2
        return other

    def compliant(self) -> tuple[Compliance, ...]:
        return (combinations(self.elements, self.coefficients, self.rest_length, self.stiffness),)

    def element_values(self, x: Array) -> Array:
        return hooke(self._between(x)[1], self.stiffness, self.rest_length)[0]

    def element_gradients(self, x: Array) -> Array:
        d, s = self._between(x)
        return self._spread(2.0 * hooke(s, self.stiffness, self.rest_length)[1][:, None] * d)

    def element_hessians(self, x: Array) -> Array:
        d, s = self._between(x)
        _, slope, curvature = hooke(s, self.stiffness, self.rest_length)
        return self._spread_both(2.0 * slope, 4.0 * curvature, d, d)

    def element_products(self, x: Array, move: Array) -> Array:
        d, s = self._between(x)
        _, slope, curvature = hooke(s, self.stiffness, self.rest_length)
        p = self._between(move)[0]
        return self._spread(2.0 * slope[:, None] * p + (4.0 * curvature * np.einsum("mi,mi->m", d, p))[:, None] * d)

    def projected_hessians(self, x: Array) -> Array:
        d, s = self._between(x)
        _, slope, curvature = hooke(s, self.stiffness, self.rest_length)
        # eigenvalues of the block: 2 slope across d, 2 slope + 4 curvature s = k along it
        across = np.maximum(slope, 0.0)
        along = (slope + 2.0 * curvature * s - across) / np.where(s > 0.0, s, 1.0)
        return self._spread_both(2.0 * across, 2.0 * along, d, d)

    def element_mean_gradients(self, x0: Array, x1: Array) -> Array:
        (d0, s0), (d1, s1) = self._between(x0), self._between(x1)
        q = hooke_mean(s0, s1, self.stiffness, self.rest_length)[0]
        return self._spread(q[:, None] * (d0 + d1))

    def element_mean_jacobians(self, x0: Array, x1: Array) -> Array:
        (d0, s0), (d1, s1) = self._between(x0), self._between(x1)
        q, slope = hooke_mean(s0, s1, self.stiffness, self.rest_length)
        return self._spread_both(q, slope, d0 + d1, d1)

    def links(self, x: Array) -> Links:
        """Each attachment as a link along itself; one of rest length zero as three, along the axes."""
        d, s = self._between(x)
        return straight_links(self.elements, self.coefficients, d, np.sqrt(s), self.rest_length, self.stiffness)

    def lengths_after(self, x0: Array, x1: Array) -> Array:
        d, s = self._between(x1)
        return straight_lengths(d, np.sqrt(s), self.rest_length)

    def _spread(self, pull: Array) -> Array:
        """(m, 3) -> c_i pull (m, k, 3)."""
        return self.coefficients[:, :, None] * pull[:, None, :]

    def _spread_both(self, a: Array, b: Array, left: Array, right: Array) -> Array:
        """(m, 3k, 3k) blocks c_i c_j [a I + b left right^T]."""
        block = a[:, None, None] * np.eye(3) + b[:, None, None] * left[:, :, None] * right[:, None, :]
        m, k = self.elements.shape
        c = self.coefficients
        return np.einsum("ma,mb,mij->maibj", c, c, block).reshape(m, 3 * k, 3 * k)


def _numbers(value: float | Array, m: int, what: str) -> Array:
    """(m,) finite, non-negative values."""
    numbers = np.broadcast_to(np.asarray(value, dtype=np.float64), (m,))
    if not (np.isfinite(numbers) & (numbers >= 0.0)).all():
        raise SuppleError(f"{what} of attachments: must be finite and not negative")
    return np.ascontiguousarray(numbers)


def _check_balance(elements: Ints, c: Array) -> None:
    if c.shape != elements.shape:
        raise MeshError(
            f"attachments: coefficients must have the shape {elements.shape} of the vertices, found {c.shape}"
        )
    bad = np.flatnonzero(~(np.abs(c.sum(axis=1)) <= BALANCED * np.abs(c).max(axis=1, initial=0.0)))
    if len(bad):
        raise MeshError(
            f"the coefficients of {len(bad)} attachments do not add up to zero, the first is attachment {bad[0]}: "
            f"{c[bad[0]].tolist()}; points on both sides have weights that add up to 1 and to -1"
        )
