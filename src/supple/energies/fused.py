"""Terms whose sums over elements are computed by the shared compiled loops (loops.py)."""

from __future__ import annotations

from typing import Any

import numpy as np

from supple.energies import loops
from supple.energies.element_blocks import Place
from supple.energies.samples import Samples
from supple.energies.term import EnergyTerm, Placement
from supple.linalg.parts import Parts
from supple.types import Array


class FusedTerm(EnergyTerm):
    """A term that describes its elements to the loops, which never store element arrays."""

    def described(self) -> Any:
        """The NamedTuple of arrays for whose type the functions of one element are registered."""
        raise TypeError(f"{type(self).__name__} does not describe its elements")

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        values = np.empty(len(self.elements))
        x, energy, force = samples.x, samples.energy, samples.force
        chosen = parts.owner, parts.start, parts.elements
        loops.gradient(self.described(), x, energy, force, *chosen, values, gradient)
        return float(values.sum())

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        p = place.parts
        where = Place(p.owner, place.unknowns, place.row_length, place.slots)
        loops.hessian(self.described(), samples.x, samples.curvature, where, p.start, p.elements, project, values)
