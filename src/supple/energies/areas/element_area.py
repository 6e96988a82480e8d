"""Triangles that keep their area: V = k sum (1 - A/A0)^2 A0, the second of the energies of discrete shells.

A is positive in either orientation; a triangle of zero area has no direction in which to grow.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from supple.energies.areas.element_area_kernels import Areas, element_hessians
from supple.energies.areas.element_measure import ElementMeasures
from supple.energies.areas.measures import AREA, Measure
from supple.energies.fused import FusedTerm
from supple.types import Array


class ElementAreas(FusedTerm, ElementMeasures):
    """Triangles (m, 3); stiffness k [N/m]."""

    measure: ClassVar[Measure] = AREA
    noun: ClassVar[str] = "triangles"

    def projected_hessians(self, x: Array) -> Array:
        """With the parts of A'' left out that can be negative (element_area_kernels.py)."""
        out = np.empty((len(self.elements), 9, 9))
        element_hessians(self.described(), np.ascontiguousarray(x), True, out)
        return out

    def described(self) -> Areas:
        return Areas(self.elements, self.stiffness, self.rest_size)
