"""Triangles that keep their area: V = k sum (1 - A/A0)^2 A0, the second of the energies of discrete shells.

A is positive in either orientation; a triangle of no area has no direction in which to grow.
"""

from __future__ import annotations

from typing import ClassVar

from supple.energies.compliant import Kind
from supple.energies.element_measure import ElementMeasures
from supple.energies.measures import AREA, Measure


class ElementAreas(ElementMeasures):
    """Triangles (m, 3); stiffness k [N/m]."""

    measure: ClassVar[Measure] = AREA
    noun: ClassVar[str] = "triangles"
    constraint: ClassVar[Kind] = "area"
