"""Damping of sheets in proportion to stiffness, with a time for stretching and one for bending.

Stretching is stiff and turns with the sheet. At steps of frames, stiffness damping of it resists the turning itself, since its
matrix is frozen at the predicted middle of the step: a swing that steps of 1/480 s keep dies at 1/60 s. So what a sheet may
lose by stretching is far less than by bending, whose matrix turns nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from supple.damping.damper import Damped, Dampers, Damping
from supple.damping.rayleigh import StiffnessDamping
from supple.energies.membranes.membrane import Membrane
from supple.values import NotNegative


@dataclass(frozen=True)
class SheetDamping(Damping):
    """What sheets lose by stretching and by bending; materials by words bring it along."""

    stretch: NotNegative = 0.0
    """Damping over stiffness of the membrane [s]."""
    bend: NotNegative = 0.0
    """The same of all that resists bending [s]."""

    name: ClassVar[str] = "sheet"
    times: ClassVar[tuple[str, ...]] = ("stretch", "bend")

    def on(self, bodies: Damped) -> Dampers:
        each = [(term, self.stretch if isinstance(term, Membrane) else self.bend) for term in bodies.elastic]
        return Dampers(tuple(StiffnessDamping(term, time) for term, time in each if time > 0.0))
