"""How a body, or a whole scene, should move otherwise: factors in the words of a director.

Each word is a factor on a physical quantity, 1 if absent. Those of the scene and of a body multiply. With the stiffness
factor s and the mass factor m the frequencies of a body change by sqrt(s/m), and its damping follows so that the damping
ratios stay: the same motion, faster or slower.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Annotated

from annotated_types import Ge

from supple.checks import checked
from supple.errors import SuppleError
from supple.values import Positive

LEFT = 0.05
"""Part of the amplitude that is left when a body counts as settled."""
PACE = ("stops_sooner", "livelier")
"""Words for damping, which `settle` decides on its own."""


@checked
@dataclass(frozen=True)
class Directions:
    """Words of a director. Each is a factor; 1 leaves things as they are, 2 doubles the effect, 0.5 reverses it."""

    stiffer: Positive = 1.0
    """Factor on all stiffnesses, bending included; damping ratios stay [-]."""
    softer: Positive = 1.0
    """Divides all stiffnesses: the inverse of `stiffer` [-]."""
    floppier: Positive = 1.0
    """Divides the resistance to bending of sheets, ropes and rods; stretching stays as it is [-]."""
    heavier: Positive = 1.0
    """Factor on the mass; stiffnesses and damping ratios stay, so that a body sags more and moves more slowly [-]."""
    livelier: Positive = 1.0
    """Divides the damping: motion lasts longer [-]."""
    stops_sooner: Positive = 1.0
    """Factor on the damping of materials and dampers: the inverse of `livelier`; air is left as it is [-]."""
    settle: Positive | None = None
    """Time after which 5 % of the amplitude of the slowest motion is left [s]; damping is chosen to fit."""
    bouncier: Annotated[float, Ge(1)] = 1.0
    """Divides the energy that bodies lose between two bounces; for the whole scene only [-]."""

    def __post_init__(self) -> None:
        given = [key for key in PACE if getattr(self, key) != 1.0]
        if self.settle is not None and given:
            raise SuppleError(
                f"settle chooses the damping, which {' and '.join(given)} would change again: give one of them"
            )

    @property
    def stiffness(self) -> float:
        """Factor on stiffnesses [-]."""
        return self.stiffer / self.softer

    @property
    def damping(self) -> float:
        """Factor on damping at the same frequencies [-]."""
        return self.stops_sooner / self.livelier

    @property
    def is_plain(self) -> bool:
        """Whether it leaves bodies as they are."""
        return self.settle is None and all(getattr(self, key) == 1.0 for key in FACTORS)

    @property
    def decay(self) -> float | None:
        """Rate at which amplitudes are to decay [1/s]."""
        return None if self.settle is None else -math.log(LEFT) / self.settle

    def within(self, scene: Directions | None) -> Directions:
        """The direction of a body in a scene that has one as well: factors multiply, and the body's own `settle` counts."""
        if scene is None:
            return self
        factors = {key: getattr(self, key) * getattr(scene, key) for key in FACTORS}
        if self.settle is not None:
            return Directions(**{**factors, **dict.fromkeys(PACE, 1.0)}, settle=self.settle)
        if scene.settle is not None:
            pace = dict.fromkeys(PACE, 1.0)
            return Directions(**{**factors, **pace}, settle=scene.settle / self.damping)
        return Directions(**factors)


FACTORS = tuple(f.name for f in fields(Directions) if f.name not in ("settle", "bouncier"))
"""Words that are factors on quantities of a body."""
