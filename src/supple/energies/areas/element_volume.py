"""Tets that keep their volume: V = k sum (1 - V/V0)^2 V0; of degree 6, as volumes are cubic.

Volumes have a sign, so that a tet that is turned inside out is pushed back.
"""

from __future__ import annotations

from typing import ClassVar

from supple.energies.areas.element_measure import ElementMeasures
from supple.energies.areas.measures import VOLUME, Measure


class ElementVolumes(ElementMeasures):
    """Tets (m, 4), in any orientation; stiffness k [Pa]."""

    measure: ClassVar[Measure] = VOLUME
    noun: ClassVar[str] = "tets"
