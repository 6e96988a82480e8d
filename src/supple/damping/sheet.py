"""Stiffness-proportional damping of sheets, with separate times for stretching and bending.

The stretching stiffness is large and rotates with the sheet. With steps of a frame, its damping resists the rotation
itself, since the matrix is frozen at the predicted middle of the step. A swing preserved with steps of 1/480 s dies
out with 1/60 s. The damping of stretching must therefore be much smaller than that of bending, whose matrix does not
resist rotation.
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
    """Damping of sheets in stretching and bending; included in materials given by name."""

    stretch: NotNegative = 0.0
    """Damping over stiffness of the membrane [s]."""
    bend: NotNegative = 0.0
    """Damping over stiffness of all bending terms [s]."""

    name: ClassVar[str] = "sheet"
    times: ClassVar[tuple[str, ...]] = ("stretch", "bend")

    def on(self, bodies: Damped) -> Dampers:
        each = [(term, self.stretch if isinstance(term, Membrane) else self.bend) for term in bodies.elastic]
        return Dampers(tuple(StiffnessDamping(term, time) for term, time in each if time > 0.0))
