"""Laws of contact: the energy phi of a gap d, and its means over a step in which the gap goes from d0 to d1.

Along a gap that changes linearly, as for a plane, the mean of phi' is the quotient

    Q(d0, d1) = (phi(d1) - phi(d0)) / (d1 - d0),   dQ/dd1 = int_0^1 s phi''(d0 + s (d1 - d0)) ds >= 0
and Q is itself the derivative of a convex function Psi(d1): AVF minimises Psi and conserves energy through impacts.

All laws vanish beyond their reach r. With m = min(d, r), R = (m1 - m0)/(d1 - d0) is 1 where both ends are within reach
and 0 where neither is, and Q = R q(m0, m1), where q is the quotient of the law below its reach. Each law gives q and
dq/dm1 as sums of terms of one sign, so nothing cancels, however short the step. Psi is measured from d1 = r:

    d1 >= r > d0:  Q = -phi(d0)/(d1 - d0),  Psi = -phi(d0) ln((d1 - d0)/(r - d0))
    d0, d1 >= r:   Psi = 0
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from supple.errors import SuppleError
from supple.linalg.quadrature import gauss
from supple.types import Array

GAUSS = gauss(8)
CLOSE = 0.3
"""|u| below which Gauss-8 integrates t^n/(1 + u t) and t/(1 + u t)^2 over [0, 1] to round-off."""


class Law:
    """phi(d) >= 0, decreasing and convex, zero for d >= reach. Subclasses are frozen dataclasses of their parameters."""

    keeps_apart: ClassVar[bool] = False
    """Whether phi is infinite for d <= 0, so steps must stop before the surface."""

    @property
    def reach(self) -> float:
        """Gap beyond which there is no force [m]."""
        return 0.0

    def value(self, d: Array) -> Array:
        """phi [J for a weight of 1]."""
        raise TypeError(f"{type(self).__name__} does not define value")

    def slope(self, d: Array) -> Array:
        """phi' <= 0; zero where phi is infinite."""
        raise TypeError(f"{type(self).__name__} does not define slope")

    def curvature(self, d: Array) -> Array:
        """phi'' >= 0; zero where phi is infinite."""
        raise TypeError(f"{type(self).__name__} does not define curvature")

    def quotient(self, m0: Array, m1: Array) -> tuple[Array, Array]:
        """q and dq/dm1 for m0, m1 <= reach."""
        raise TypeError(f"{type(self).__name__} does not define quotient")

    def within(self, d0: Array, d1: Array) -> Array:
        """Psi for d1 < reach."""
        raise TypeError(f"{type(self).__name__} does not define within")

    def mean_slope(self, d0: Array, d1: Array) -> Array:
        """Q(d0, d1)."""
        r = self.reach
        q, _ = self.quotient(np.minimum(d0, r), np.minimum(d1, r))
        return q * _share(d0 - r, d1 - r)

    def mean_curvature(self, d0: Array, d1: Array) -> Array:
        """dQ/dd1 = R dq/dm1 dm1/dd1 + q dR/dd1."""
        r = self.reach
        q, dq = self.quotient(np.minimum(d0, r), np.minimum(d1, r))
        crosses = (d0 < r) != (d1 < r)
        # one end within reach: R = (r - d0)/(d1 - d0) or 1 - (r - d0)/(d1 - d0), which falls with d1 either way
        dR = -np.where(crosses, np.abs(d0 - r), 0.0) / np.where(crosses, d1 - d0, 1.0) ** 2
        return np.where(d1 < r, dq, 0.0) * _share(d0 - r, d1 - r) + q * dR

    def potential_of_mean(self, d0: Array, d1: Array) -> Array:
        """Psi(d1) with dPsi/dd1 = Q(d0, d1) and Psi(reach) = 0; infinite where phi is."""
        r = self.reach
        out = np.zeros_like(d1)
        inside, leaves = d1 < r, (d0 < r) & (d1 >= r)
        out[inside] = self.within(d0[inside], d1[inside])
        left = d0[leaves]
        out[leaves] = -self.value(left) * np.log1p((d1[leaves] - r) / (r - left))
        return out


@dataclass(frozen=True)
class Quadratic(Law):
    """One-sided quadratic penalty, phi = k min(d, 0)^2; its stiffness jumps at d = 0."""

    k: float
    """Half the stiffness of a vertex of weight 1 [N/m]."""

    def __post_init__(self) -> None:
        positive("quadratic.k", self.k)

    def value(self, d: Array) -> Array:
        return self.k * np.minimum(d, 0.0) ** 2

    def slope(self, d: Array) -> Array:
        return 2.0 * self.k * np.minimum(d, 0.0)

    def curvature(self, d: Array) -> Array:
        return np.where(d < 0.0, 2.0 * self.k, 0.0)

    def quotient(self, m0: Array, m1: Array) -> tuple[Array, Array]:
        return self.k * (m0 + m1), np.full_like(m1, self.k)

    def within(self, d0: Array, d1: Array) -> Array:
        # d0 < 0: k (d1^2/2 + d0 d1);  d0 >= 0: Q = k d1^2/(d1 - d0)
        return self.k * np.where(d0 < 0.0, 0.5 * d1 * d1 + np.minimum(d0, 0.0) * d1, _tail(2, d0, -d1))


@dataclass(frozen=True)
class Cubic(Law):
    """One-sided cubic penalty, phi = (k/3) max(-d, 0)^3; twice continuously differentiable."""

    k: float
    """Force at a depth of 1 m of a vertex of weight 1 [N/m^2]."""

    def __post_init__(self) -> None:
        positive("cubic.k", self.k)

    def value(self, d: Array) -> Array:
        return self.k / 3.0 * np.maximum(-d, 0.0) ** 3

    def slope(self, d: Array) -> Array:
        return -self.k * np.maximum(-d, 0.0) ** 2

    def curvature(self, d: Array) -> Array:
        return 2.0 * self.k * np.maximum(-d, 0.0)

    def quotient(self, m0: Array, m1: Array) -> tuple[Array, Array]:
        return -self.k / 3.0 * (m0 * m0 + m0 * m1 + m1 * m1), -self.k / 3.0 * (m0 + 2.0 * m1)

    def within(self, d0: Array, d1: Array) -> Array:
        # d0 < 0, p = -d: (k/3) (p0^2 p + p0 p^2/2 + p^3/3);  d0 >= 0: Q = (k/3) p^3/(d1 - d0)
        p0, p = np.maximum(-d0, 0.0), -d1
        return self.k / 3.0 * np.where(d0 < 0.0, p * (p0 * p0 + p * (0.5 * p0 + p / 3.0)), _tail(3, d0, p))


def positive(where: str, value: float) -> None:
    """Reject invalid parameters."""
    if not (math.isfinite(value) and value > 0.0):
        raise SuppleError(f"{where}: found {value!r}; must be a finite number above 0")


def _share(e0: Array, e1: Array) -> Array:
    """R: the fraction of the path from e0 to e1 that is below 0."""
    crosses = (e0 < 0.0) != (e1 < 0.0)
    part = (np.minimum(e1, 0.0) - np.minimum(e0, 0.0)) / np.where(crosses, e1 - e0, 1.0)
    return np.where(crosses, part, np.where(e0 < 0.0, 1.0, 0.0))


def _tail(n: int, a: Array, p: Array) -> Array:
    """int_0^p t^n/(t + a) dt for a, p >= 0, n = 2 or 3; zero where one of them is negative."""
    a, p = np.where(p > 0.0, np.maximum(a, 0.0), 1.0), np.maximum(p, 0.0)
    far = p >= CLOSE * a
    u = np.where(far, 0.0, p) / np.where(far, 1.0, a)
    near = sum(w * c**n / (1.0 + u * c) for c, w in zip(GAUSS.nodes, GAUSS.weights, strict=True)) * u * p**n
    logarithm = np.log1p(p / np.where(far & (a > 0.0), a, 1.0))
    if n == 2:
        return np.where(far, p * (0.5 * p - a) + a * a * logarithm, near)
    return np.where(far, p * (p * (p / 3.0 - 0.5 * a) + a * a) - a**3 * logarithm, near)
