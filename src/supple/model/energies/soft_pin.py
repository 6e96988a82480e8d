"""Springs of rest length zero that hold vertices where they start."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from supple.energies.springs.anchor import Anchors
from supple.energies.term import EnergyTerm
from supple.model.energies.energy import ENERGIES, Energy
from supple.model.placed import Placed
from supple.model.places import place
from supple.types import Array
from supple.values import Positive


@ENERGIES("soft-pin")
@dataclass(frozen=True)
class SoftPin(Energy):
    """A pin that gives way: a spring from each vertex to where it starts."""

    vertices: str
    """`body`, or `body.group`."""
    stiffness: Positive
    """Of each spring [N/m]."""

    def terms(self, placed: Sequence[Placed], x: Array, path: str) -> Iterable[EnergyTerm]:
        vertices, _ = place(self.vertices, placed, f"{path}.vertices")
        stiffness = np.zeros(len(x))
        stiffness[vertices] = self.stiffness
        yield Anchors(x, stiffness)
