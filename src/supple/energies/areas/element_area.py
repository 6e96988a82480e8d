"""Triangles that keep their area: V = k sum (1 - A/A0)^2 A0, the second of the energies of discrete shells.

A is positive in either orientation; a triangle of no area has no direction in which to grow.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from supple.energies.areas import element_area_kernels
from supple.energies.areas.element_area_kernels import Areas
from supple.energies.areas.element_measure import ElementMeasures
from supple.energies.areas.measures import AREA, Measure
from supple.energies.samples import Samples
from supple.energies.springs.kernels import Place
from supple.energies.term import Placement
from supple.linalg.parts import Parts
from supple.types import Array


class ElementAreas(ElementMeasures):
    """Triangles (m, 3); stiffness k [N/m]."""

    measure: ClassVar[Measure] = AREA
    noun: ClassVar[str] = "triangles"

    def projected_hessians(self, x: Array) -> Array:
        """With the parts of A'' left out that can be negative (element_area_kernels.py)."""
        out = np.empty((len(self.elements), 9, 9))
        element_area_kernels.element_hessians(self._areas(), np.ascontiguousarray(x), True, out)
        return out

    def _areas(self) -> Areas:
        return Areas(self.elements, self.stiffness, self.rest_size)

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        values = np.empty(len(self.elements))
        element_area_kernels.gradient(
            self._areas(),
            samples.x,
            samples.energy,
            samples.force,
            parts.owner,
            parts.start,
            parts.elements,
            values,
            gradient,
        )
        return float(values.sum())

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        p = place.parts
        where = Place(p.owner, place.unknowns, place.row_length, place.slots)
        element_area_kernels.hessian(
            self._areas(), samples.x, samples.curvature, where, p.start, p.elements, project, values
        )
