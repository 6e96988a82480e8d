"""Springs between pairs of vertices, d = x_j - x_i, l = |d|, rest length r.

Hooke:  psi = k/2 (l - r)^2;       gradient k (1 - r/l) d;      Hessian k [(1 - r/l) I + (r/l) u u^T], u = d/l
StVK:   psi = k/2 (l^2 - r^2)^2;   gradient 2k (l^2 - r^2) d;   Hessian 2k [(l^2 - r^2) I + 2 d d^T]
The StVK spring is quartic, so AVF conserves its energy exactly; its k is in N/m^3. A Hooke spring of zero length has no
direction: there it is treated as a spring of rest length zero.

Over a step (central.py) Hooke has q = k/2 (1 - 2r/(l0 + l1)), StVK q = k/2 (s0 + s1 - 2 r^2).
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from supple.energies.compliant import Compliance, Kind
from supple.energies.fused import FusedTerm
from supple.energies.roles.compliant import CompliantTerm
from supple.energies.springs.central import CentralSprings, checked_factors
from supple.energies.springs.kernels import HOOKE, STVK, Net
from supple.energies.springs.links import Links, straight_lengths, straight_links
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


class _Springs(FusedTerm, CentralSprings, CompliantTerm):
    """Springs with individual stiffness."""

    law: ClassVar[int]
    """The index of the law in the compiled loops."""
    constraint: ClassVar[Kind]
    """The kind of constraint whose square the energy is."""
    proportional_to: ClassVar[frozenset[str]] = frozenset({"stiffness"})

    def __init__(self, rest: Array, edges: Ints, stiffness: float | Array) -> None:
        """rest (n, 3) rest positions [m], edges (m, 2), stiffness: a scalar or one value per spring."""
        super().__init__(rest, edges)
        self.stiffness = checked_factors("spring stiffness", stiffness, len(edges))

    def constants(self) -> dict[str, Array]:
        return {"stiffness": self.stiffness, **super().constants()}

    def compliant(self) -> tuple[Compliance, ...]:
        return (Compliance(self.constraint, self.elements, self.rest_length[:, None], self.stiffness),)

    def described(self) -> Net:
        return Net(self.law, self.elements, self.stiffness, self.rest_length)


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
