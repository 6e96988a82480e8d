"""Tets that resist changes of volume: V = k sum (1 - V/V0)^2 V0; of degree 6, since volumes are cubic.

Volumes are signed, so an inverted tet is pushed back.
"""

from __future__ import annotations

from typing import ClassVar

from supple.energies.areas.element_measure import ElementMeasures
from supple.energies.areas.measures import VOLUME, Measure


class ElementVolumes(ElementMeasures):
    """Tets (m, 4), in any orientation; stiffness k [Pa]."""

    measure: ClassVar[Measure] = VOLUME
    noun: ClassVar[str] = "tets"
