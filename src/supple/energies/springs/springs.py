"""Springs between pairs of vertices, d = x_j - x_i, l = |d|, rest length r.

Hooke:  psi = k/2 (l - r)^2;       gradient k (1 - r/l) d;      Hessian k [(1 - r/l) I + (r/l) u u^T], u = d/l
StVK:   psi = k/2 (l^2 - r^2)^2;   gradient 2k (l^2 - r^2) d;   Hessian 2k [(l^2 - r^2) I + 2 d d^T]
The StVK spring is quartic, so that AVF conserves its energy exactly; its k is in N/m^3. A Hooke spring of length zero
pushes in no direction: it is treated as a spring of rest length zero there.

Over a step from d0 to d1 the mean gradient is q (d0 + d1), q = (psi(s1) - psi(s0))/(s1 - s0), s = l^2: it keeps energy
and angular momentum. Hooke: q = k/2 (1 - 2r/(l0 + l1)).  StVK: q = k/2 (s0 + s1 - 2 r^2).
"""

from __future__ import annotations

import copy
from typing import ClassVar

import numpy as np

from supple.energies.compliant import Compliance, Kind
from supple.energies.fused import FusedTerm
from supple.energies.roles.compliant import CompliantTerm
from supple.energies.roles.elastic import Elastic
from supple.energies.springs.kernels import HOOKE, STVK, Net
from supple.energies.springs.links import Links, straight_lengths, straight_links
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError
from supple.types import Array, Ints


def hooke(s: Array, k: Array, r: Array) -> tuple[Array, Array, Array]:
    """psi, d psi/ds, d2 psi/ds2 of linear springs at s = l^2."""
    length = np.sqrt(s)
    safe = np.where(length > 0.0, length, 1.0)
    ratio = np.where(length > 0.0, r / safe, 0.0)
    # psi(s) = k/2 (sqrt(s) - r)^2: psi' = k/2 (1 - r/l), psi'' = k r / (4 l^3)
    return 0.5 * k * (length - r) ** 2, 0.5 * k * (1.0 - ratio), 0.25 * k * ratio / safe**2


def hooke_mean(s0: Array, s1: Array, k: Array, r: Array) -> tuple[Array, Array]:
    """q = (psi(s1) - psi(s0))/(s1 - s0) of linear springs without cancellation, and 2 dq/ds1."""
    l1 = np.sqrt(s1)
    both = np.sqrt(s0) + l1
    safe, end = np.where(both > 0.0, both, 1.0), np.where(l1 > 0.0, l1, 1.0)
    ratio = np.where(both > 0.0, r / safe, 0.0)
    # dl1/ds1 = 1/(2 l1): 2 dq/ds1 = k r / (l1 (l0 + l1)^2)
    return 0.5 * k * (1.0 - 2.0 * ratio), np.where(l1 > 0.0, k * ratio / (safe * end), 0.0)


class _Springs(FusedTerm, Elastic, CompliantTerm):
    """What both laws share: psi as a function of s = l^2, with psi' and psi'' with respect to s."""

    group: ClassVar[str] = "elastic"
    law: ClassVar[int]
    """The number of the law in the compiled loops."""
    constraint: ClassVar[Kind]
    """What the energy is the square of."""

    def __init__(self, rest: Array, edges: Ints, stiffness: float | Array) -> None:
        """rest (n, 3) rest positions [m], edges (m, 2), stiffness: one number or one a spring."""
        stiffness = np.broadcast_to(np.asarray(stiffness, dtype=np.float64), (len(edges),))
        if not (np.isfinite(stiffness) & (stiffness >= 0)).all():
            raise SuppleError("spring stiffness: must be finite and not negative")
        self.elements = np.ascontiguousarray(edges, dtype=np.int32)
        self.stiffness = np.ascontiguousarray(stiffness)
        self.rest_length = np.linalg.norm(rest[edges[:, 1]] - rest[edges[:, 0]], axis=1)

    def _law(self, s: Array) -> tuple[Array, Array, Array]:
        """psi, d psi/ds, d2 psi/ds2 at s = l^2."""
        raise TypeError(f"{type(self).__name__} does not define its law")

    def _mean_law(self, s0: Array, s1: Array) -> tuple[Array, Array]:
        """q = (psi(s1) - psi(s0))/(s1 - s0) without cancellation, and 2 dq/ds1."""
        raise TypeError(f"{type(self).__name__} does not define its mean law")

    def _ends(self, x: Array) -> tuple[Array, Array]:
        d = x[self.elements[:, 1]] - x[self.elements[:, 0]]
        return d, np.einsum("ij,ij->i", d, d)

    def resting_at(self, x: Array) -> EnergyTerm:
        other = copy.copy(self)
        other.rest_length = np.sqrt(self._ends(x)[1])
        return other

    def compliant(self) -> tuple[Compliance, ...]:
        return (Compliance(self.constraint, self.elements, self.rest_length[:, None], self.stiffness),)

    def element_values(self, x: Array) -> Array:
        return self._law(self._ends(x)[1])[0]

    def element_gradients(self, x: Array) -> Array:
        d, s = self._ends(x)
        pull = 2.0 * self._law(s)[1][:, None] * d  # ds/dx_j = 2 d
        return np.stack([-pull, pull], axis=1)

    def element_hessians(self, x: Array) -> Array:
        d, s = self._ends(x)
        _, slope, curvature = self._law(s)
        return self._blocks(d, slope, curvature)

    def projected_hessians(self, x: Array) -> Array:
        d, s = self._ends(x)
        _, slope, curvature = self._law(s)
        # eigenvalues of the block: 2 slope across the spring, 2 slope + 4 curvature s along it
        across = np.maximum(slope, 0.0)
        along = np.maximum(slope + 2.0 * curvature * s, 0.0)
        return self._blocks(d, across, np.where(s > 0.0, 0.5 * (along - across) / np.where(s > 0.0, s, 1.0), 0.0))

    def described(self) -> Net:
        return Net(self.law, self.elements, self.stiffness, self.rest_length)

    @staticmethod
    def _blocks(d: Array, slope: Array, curvature: Array) -> Array:
        block = 2.0 * slope[:, None, None] * np.eye(3) + 4.0 * curvature[:, None, None] * d[:, :, None] * d[:, None, :]
        return np.block([[block, -block], [-block, block]])

    def element_mean_gradients(self, x0: Array, x1: Array) -> Array:
        (d0, s0), (d1, s1) = self._ends(x0), self._ends(x1)
        pull = self._mean_law(s0, s1)[0][:, None] * (d0 + d1)
        return np.stack([-pull, pull], axis=1)

    def element_mean_jacobians(self, x0: Array, x1: Array) -> Array:
        (d0, s0), (d1, s1) = self._ends(x0), self._ends(x1)
        q, slope = self._mean_law(s0, s1)
        block = q[:, None, None] * np.eye(3) + slope[:, None, None] * (d0 + d1)[:, :, None] * d1[:, None, :]
        return np.block([[block, -block], [-block, block]])


class HookeSprings(_Springs):
    """Linear springs; stiffness in N/m."""

    law = HOOKE
    constraint: ClassVar[Kind] = "length"

    def _law(self, s: Array) -> tuple[Array, Array, Array]:
        return hooke(s, self.stiffness, self.rest_length)

    def _mean_law(self, s0: Array, s1: Array) -> tuple[Array, Array]:
        return hooke_mean(s0, s1, self.stiffness, self.rest_length)

    def links(self, x: Array) -> Links:
        """Each spring as a link along itself; one of rest length zero as three, along the axes."""
        d, s = self._ends(x)
        c = np.broadcast_to([-1.0, 1.0], self.elements.shape)
        return straight_links(self.elements, c, d, np.sqrt(s), self.rest_length, self.stiffness)

    def lengths_after(self, x0: Array, x1: Array) -> Array:
        d, s = self._ends(x1)
        return straight_lengths(d, np.sqrt(s), self.rest_length)


class StVKSprings(_Springs):
    """Springs in the squared length; stiffness in N/m^3."""

    degree = 4
    law = STVK
    constraint: ClassVar[Kind] = "squared-length"

    def _law(self, s: Array) -> tuple[Array, Array, Array]:
        k, strain = self.stiffness, s - self.rest_length**2
        return 0.5 * k * strain**2, k * strain, k

    def _mean_law(self, s0: Array, s1: Array) -> tuple[Array, Array]:
        return 0.5 * self.stiffness * (s0 + s1 - 2.0 * self.rest_length**2), self.stiffness
