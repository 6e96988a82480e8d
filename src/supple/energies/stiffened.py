"""Another term with its energy multiplied by a number: all stiffnesses of it at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from supple.energies.compliant import Compliance
from supple.energies.samples import Samples
from supple.energies.term import EnergyTerm, Placement
from supple.errors import SuppleError
from supple.linalg.parts import Parts
from supple.types import Array


class Stiffened(EnergyTerm):
    """factor * V(x) of an elastic term."""

    group: ClassVar[str] = "elastic"

    def __init__(self, term: EnergyTerm, factor: float) -> None:
        if term.group != self.group:
            raise SuppleError(f"{type(term).__name__} is no elastic term, whose stiffness could be changed")
        self.inner, self.factor = term, factor
        self.elements, self.degree = term.elements, term.degree
        self.wide = term.wide

    def resting_at(self, x: Array) -> EnergyTerm | None:
        resting = self.inner.resting_at(x)
        return None if resting is None else Stiffened(resting, self.factor)

    def compliant(self) -> tuple[Compliance, ...] | None:
        inner = self.inner.compliant()
        return None if inner is None else tuple(replace(c, stiffness=self.factor * c.stiffness) for c in inner)

    def element_values(self, x: Array) -> Array:
        return self.factor * self.inner.element_values(x)

    def element_gradients(self, x: Array) -> Array:
        return self.factor * self.inner.element_gradients(x)

    def element_hessians(self, x: Array) -> Array:
        return self.factor * self.inner.element_hessians(x)

    def projected_hessians(self, x: Array) -> Array:
        return self.factor * self.inner.projected_hessians(x)

    def element_mean_gradients(self, x0: Array, x1: Array) -> Array:
        return self.factor * self.inner.element_mean_gradients(x0, x1)

    def element_mean_jacobians(self, x0: Array, x1: Array) -> Array:
        return self.factor * self.inner.element_mean_jacobians(x0, x1)

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        return self.inner.add_value_gradient(self._scaled(samples), parts, gradient)

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        self.inner.add_hessian(self._scaled(samples), place, values, project)

    def outer_products(self, samples: Samples) -> Sequence[tuple[float, Array]]:
        return self.inner.outer_products(self._scaled(samples))

    def _scaled(self, samples: Samples) -> Samples:
        f = self.factor
        return Samples(samples.x, f * samples.energy, f * samples.force, f * samples.curvature)
