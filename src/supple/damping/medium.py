"""Drag in a medium at rest that fills part of space, such as water: linear and quadratic in the velocity.

D(v) = sum_i m_i s(x_i, t) (a/2 |v_i|^2 + b/3 |v_i|^3), force -m s (a + b |v|) v. The fraction s of a vertex in the
medium is frozen in the step; the dependence on velocity is not, so a method keeps its order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from supple.energies.frozen_pulls import by_constants, by_instant
from supple.energies.instant import Instant
from supple.energies.roles.frozen import FrozenInSteps
from supple.energies.samples import Samples
from supple.energies.term import EnergyTerm
from supple.types import Array

Share: TypeAlias = Callable[[Array, float], Array]
"""Positions (m, 3) [m] and time [s] -> fractions (m,) from 0 to 1, times a time-dependent strength."""


class Medium(EnergyTerm, FrozenInSteps):
    """Vertices that may be in a medium."""

    def __init__(self, mass: Array, linear: float, quadratic: float, share: Share) -> None:
        """mass (n,), zero for vertices without drag [kg]; linear [1/s], quadratic [1/m]."""
        self.elements = np.flatnonzero(mass).astype(np.int32)[:, None]
        self.mass: Array = np.ascontiguousarray(mass[self.elements[:, 0]], dtype=np.float64)
        self.linear, self.quadratic = np.array([float(linear)]), np.array([float(quadratic)])
        self._share = share
        self.degree = None if quadratic else 2

    def freeze(self, instant: Instant) -> EnergyTerm:
        share = self._share(instant.place[self.elements[:, 0]], instant.t)
        return SteadyMedium(self, self.mass * share)

    def constants(self) -> dict[str, Array]:
        """(1,) `linear` and `quadratic`, and (m,) `mass`."""
        return {"linear": self.linear, "quadratic": self.quadratic, "mass": self.mass}

    def pull_place(self, instant: Instant, samples: Samples, lam: Array) -> Array:
        return by_instant(self, "place", instant, samples, lam)

    def pull_frozen(self, instant: Instant, samples: Samples, lam: Array) -> dict[str, Array]:
        return by_constants(self, self.constants(), instant, samples, lam)


class SteadyMedium(EnergyTerm):
    """The same with known fractions."""

    def __init__(self, of: Medium, weights: Array) -> None:
        """weights (m,): masses times fractions [kg]."""
        self.elements, self.degree = of.elements, of.degree
        self._a, self._b = weights * of.linear, weights * of.quadratic

    def element_values(self, v: Array) -> Array:
        speed = np.linalg.norm(v[self.elements[:, 0]], axis=1)
        return speed * speed * (self._a / 2.0 + self._b / 3.0 * speed)

    def element_gradients(self, v: Array) -> Array:
        u = v[self.elements[:, 0]]
        speed = np.linalg.norm(u, axis=1)
        return ((self._a + self._b * speed)[:, None] * u)[:, None, :]

    def element_hessians(self, v: Array) -> Array:
        u = v[self.elements[:, 0]]
        speed = np.linalg.norm(u, axis=1)
        d = u / np.where(speed > 0.0, speed, 1.0)[:, None]
        along = (self._b * speed)[:, None, None] * (d[:, :, None] * d[:, None, :])  # b |v| d d^T
        return (self._a + self._b * speed)[:, None, None] * np.eye(3) + along
