"""A configuration as used by rules: its potential energy W, grad W and Hessian products, each computed once."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from supple.dynamics.system import System
from supple.energies.samples import one_sample
from supple.linalg.krylov import symmetric_product
from supple.linalg.reduce import dot
from supple.types import Array


class Place:
    """A configuration of the system, such as a trial position in the middle of a step."""

    def __init__(self, system: System, x: Array, energy: float, v: Array | None = None) -> None:
        """energy: total energy at the start of the run [J]; v: velocities (n, 3), if the configuration belongs to a state."""
        self.system, self.x, self.energy, self.v = system, x, energy, v

    @cached_property
    def mass(self) -> float:
        """Mass of the free vertices; infinite if there are none, since nothing moves then [kg]."""
        return float(self.system.mass[self.system.free].sum()) or math.inf

    @property
    def potential(self) -> float:
        """W [J]."""
        return self._sums[0]

    @property
    def gradient(self) -> Array:
        """grad W (n, 3), zero on prescribed vertices [N]."""
        return self._sums[1]

    @property
    def elastic(self) -> float:
        """The elastic part of W [J]."""
        return self._sums[2]

    @property
    def elastic_gradient(self) -> Array:
        return self._sums[3]

    @cached_property
    def stiffness(self) -> Array:
        """Entries of the Hessian of W in the system's pattern [N/m]."""
        values = np.zeros(self.system.pattern.nnz)
        self.system.potential.add_hessian(one_sample(self.x), values)
        return values

    def product(self, r: Array) -> Array:
        """The Hessian of W times a field (n, 3) that is zero on prescribed vertices."""
        return multiplied(self.system, self.stiffness, r)

    @property
    def squared_speed(self) -> float:
        """2 (E0 - W)/m: the mean square velocity of a motion with constant energy [m^2/s^2]."""
        return 2.0 * (self.energy - self.potential) / self.mass

    @cached_property
    def acceleration(self) -> Array:
        """M^-1 grad W (n, 3) [m/s^2]."""
        return self.gradient / self.system.mass[:, None]

    @property
    def squared_acceleration(self) -> float:
        """The mass-weighted mean square acceleration [m^2/s^4]."""
        return dot(self.gradient, self.acceleration) / self.mass

    @property
    def squared_acceleration_gradient(self) -> Array:
        return 2.0 / self.mass * self.product(self.acceleration)

    @cached_property
    def _sums(self) -> tuple[float, Array, float, Array]:
        value, gradient, elastic, elastic_gradient = 0.0, np.zeros_like(self.x), 0.0, np.zeros_like(self.x)
        for term, v, g in self.system.potential.contributions(one_sample(self.x)):
            value, gradient = value + v, gradient + g
            if term.group == "elastic":
                elastic, elastic_gradient = elastic + v, elastic_gradient + g
        return value, self.system.on_free(gradient), elastic, self.system.on_free(elastic_gradient)


def multiplied(system: System, values: Array, r: Array) -> Array:
    """A matrix, given by its entries in the system's pattern, times a field (n, 3) that is zero on prescribed vertices."""
    pattern, out = system.pattern, np.zeros_like(r)
    product = symmetric_product(pattern.indptr, pattern.indices, values, r[system.free].ravel())
    out[system.free] = product.reshape(-1, 3)
    return out
