"""Uniform gravity: V = -sum_i m_i g . x_i, measured from the height zero."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

import numpy as np

from supple.energies.samples import Samples
from supple.energies.term import EnergyTerm, Placement
from supple.linalg.fields import weigh
from supple.linalg.parts import Parts
from supple.types import Array


class Gravity(EnergyTerm):
    """Weight of every vertex; linear, so its Hessian vanishes."""

    group: ClassVar[str] = "gravity"
    degree = 1

    def __init__(self, mass: Array, g: Array) -> None:
        """mass (n,) [kg], g (3,) [m/s^2]."""
        self.elements = np.arange(len(mass), dtype=np.int32)[:, None]
        self.mass, self.g = mass, np.asarray(g, dtype=np.float64)

    @cached_property
    def _weight(self) -> Array:
        """(n, 3) -m g [N]."""
        return np.ascontiguousarray(-self.mass[:, None] * self.g[None, :])

    def constants(self) -> dict[str, Array]:
        """(n,) `mass` and (3,) `g`."""
        return {"mass": self.mass, "g": self.g}

    def _set_constant(self, name: str, values: Array) -> None:
        super()._set_constant(name, values)
        self.__dict__.pop("_weight", None)

    def pull(self, samples: Samples, lam: Array) -> dict[str, Array]:
        lam = samples.force.sum() * lam
        return {"mass": -lam @ self.g, "g": -self.mass @ lam}

    def element_values(self, x: Array) -> Array:
        return np.einsum("ij,ij->i", self._weight, x)

    def element_gradients(self, x: Array) -> Array:
        return self._weight[:, None, :]

    def element_hessians(self, x: Array) -> Array:
        return np.zeros((len(self.elements), 3, 3))

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        return float(weigh(self._weight, samples.x, samples.energy, samples.force.sum(), gradient))

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        """Nothing to add."""

    def add_product(self, samples: Samples, parts: Parts, move: Array, out: Array) -> None:
        """Nothing to add."""
