"""Directing factors: changes to the motion of a body, or of a whole scene, in a director's terms.

Each key is a factor on a physical quantity, 1 if absent. Factors of the scene and of a body multiply. With the
stiffness factor s and the mass factor m the frequencies of a body change by sqrt(s/m). Its damping is scaled to
keep the damping ratios: the same motion, faster or slower.
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
"""Remaining fraction of the amplitude at which a body counts as settled."""
PACE = ("stops_sooner", "livelier")
"""Factors on damping, which `settle` determines itself."""


@checked
@dataclass(frozen=True)
class Directions:
    """Directing factors. 1 leaves the motion unchanged, 2 doubles the effect, 0.5 halves it."""

    stiffer: Positive = 1.0
    """Factor on all stiffnesses, including bending; damping ratios are kept [-]."""
    softer: Positive = 1.0
    """Divides all stiffnesses: the inverse of `stiffer` [-]."""
    floppier: Positive = 1.0
    """Divides the bending stiffness of sheets, ropes and rods; stretching is unchanged [-]."""
    heavier: Positive = 1.0
    """Factor on the mass; stiffnesses and damping ratios are kept, so a body sags more and moves more slowly [-]."""
    livelier: Positive = 1.0
    """Divides the damping: motion lasts longer [-]."""
    stops_sooner: Positive = 1.0
    """Factor on the damping of materials and dampers: the inverse of `livelier`; air drag is unchanged [-]."""
    settle: Positive | None = None
    """Time after which 5 % of the amplitude of the slowest motion remains [s]; damping is chosen accordingly."""
    bouncier: Annotated[float, Ge(1)] = 1.0
    """Divides the energy lost between two bounces; for the whole scene only [-]."""

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
        """Whether it leaves bodies unchanged."""
        return self.settle is None and all(getattr(self, key) == 1.0 for key in FACTORS)

    @property
    def decay(self) -> float | None:
        """Target decay rate of amplitudes [1/s]."""
        return None if self.settle is None else -math.log(LEFT) / self.settle

    def within(self, scene: Directions | None) -> Directions:
        """The direction of a body combined with that of the scene: factors multiply, and the body's own `settle`
        takes precedence."""
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
"""Keys that are factors on quantities of a body."""
