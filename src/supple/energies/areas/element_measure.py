"""Elements that resist changes of size: V = k sum over elements of (1 - m/m0)^2 m0, m the area or the volume of an element.

gradient 2k (m/m0 - 1) m';   Hessian 2k [(m/m0 - 1) m'' + m' m'^T/m0]
"""

from __future__ import annotations

import copy
from typing import ClassVar

import numpy as np

from supple.energies.areas.measures import Measure
from supple.energies.compliant import Compliance, Kind
from supple.energies.objective import ObjectiveTerm
from supple.energies.roles.compliant import CompliantTerm
from supple.energies.roles.elastic import Elastic
from supple.energies.roles.measured_at_rest import MeasuredAtRest
from supple.energies.stencil import checked_stiffness
from supple.energies.term import EnergyTerm
from supple.errors import MeshError
from supple.types import Array, Ints

FLAT = 1e-9
"""Size over (longest edge)^dimension below which an element is rejected."""
PRESSED = 0.05
"""Fraction of its size below which an element cannot be a rest configuration for increments: it would be too stiff."""


class ElementMeasures(ObjectiveTerm, Elastic, CompliantTerm, MeasuredAtRest):
    """One measure for every element."""

    group: ClassVar[str] = "elastic"
    proportional_to: ClassVar[frozenset[str]] = frozenset({"stiffness"})
    measure: ClassVar[Measure]
    noun: ClassVar[str]

    def __init__(self, rest: Array, elements: Ints, stiffness: float | Array) -> None:
        """rest (n, 3) [m], elements (m, k), stiffness: a scalar, or one value pern element."""
        self.elements = np.ascontiguousarray(elements, dtype=np.int32)
        self.stiffness = checked_stiffness(f"{self.measure.noun} stiffness", stiffness, len(elements))
        self.rest = rest
        self.rest_size = self.measure.values(rest[self.elements])
        longest = np.ptp(rest[self.elements], axis=1).max(axis=1, initial=0.0)
        flat = ~(np.abs(self.rest_size) > FLAT * longest ** (elements.shape[1] - 1))
        if flat.any():
            raise MeshError(
                f"{flat.sum()} {self.noun} have no {self.measure.noun}, the first is number {np.flatnonzero(flat)[0]}; "
                "remove or remesh them"
            )
        self.degree = None if self.measure.degree is None else 2 * self.measure.degree

    def constants(self) -> dict[str, Array]:
        return {"stiffness": self.stiffness, "rest_size": self.rest_size}

    def measured(self, corners: Array) -> dict[str, Array]:
        return {"rest_size": self.measure.values(corners)}

    def resting_at(self, x: Array) -> EnergyTerm:
        other = copy.copy(self)
        other.rest_at(x)
        size = self.measure.values(x[self.elements])
        solid = np.abs(size) > PRESSED * np.abs(self.rest_size)
        other.rest_size = np.where(solid, size, self.rest_size)
        other.stiffness = np.where(solid, self.stiffness, 0.0)
        return other

    def _strain(self, y: Array) -> Array:
        return self.measure.values(y) / self.rest_size - 1.0

    def compliant(self) -> tuple[Compliance, ...]:
        kind: Kind = "area" if self.elements.shape[1] == 3 else "volume"
        stiffness = 2.0 * self.stiffness / np.abs(self.rest_size)
        return (Compliance(kind, self.elements, self.rest_size[:, None], stiffness),)

    def element_values(self, x: Array) -> Array:
        # a tet of opposite orientation has both sizes negative
        return self.stiffness * self._strain(x[self.elements]) ** 2 * np.abs(self.rest_size)

    def element_gradients(self, x: Array) -> Array:
        y = x[self.elements]
        pull = 2.0 * self.stiffness * np.sign(self.rest_size) * self._strain(y)
        return pull[:, None, None] * self.measure.gradients(y)

    def element_hessians(self, x: Array) -> Array:
        y = x[self.elements]
        pull = 2.0 * self.stiffness * np.sign(self.rest_size) * self._strain(y)
        slopes = self.measure.gradients(y).reshape(len(y), -1)
        stiff = 2.0 * self.stiffness / np.abs(self.rest_size)
        outer = stiff[:, None, None] * slopes[:, :, None] * slopes[:, None, :]
        return pull[:, None, None] * self.measure.hessians(y) + outer
