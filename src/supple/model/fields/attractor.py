"""An attractor: a conservative force towards a point, a line or a plane, or away from it; a potential energy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from supple.energies.drive import DrivenConstants
from supple.energies.fields.attraction import Attraction
from supple.energies.fields.falloff import Falloff, Gaussian, Power
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError
from supple.formulas.curves import Changing, changes
from supple.model.changing.drives import driven
from supple.model.fields.field import FIELDS, ForceField, Per, Reached, at_place
from supple.types import Array
from supple.values import Direction, Positive, Vector


@FIELDS("attractor")
@dataclass(frozen=True)
class Attractor(ForceField):
    """A force towards a point, a line or a plane, or away from it."""

    strength: Changing = 10.0
    """Force at the distance `size`, towards the centre if positive, away if negative: per kg [N/kg], or as given by `per`."""
    centre: Vector = (0.0, 0.0, 0.0)
    """The point, or a point of the line or plane [m]."""
    to: Literal["point", "line", "plane"] = "point"
    """Target of the pull."""
    axis: Direction = (0.0, 1.0, 0.0)
    """Direction of the line, or normal of the plane; need not have length 1."""
    falloff: Literal["power", "gaussian"] = "power"
    """Dependence of the force on the distance: (distance/size)^-power, or a bell curve with its maximum at `size`."""
    power: float = 2.0
    """0: constant; 1, 2: decreases with the distance or its square; -1: a spring."""
    size: Positive = 1.0
    """Distance at which the force equals `strength` [m]."""
    core: Positive = 0.05
    """Distance within which the force is softened to stay finite at the centre [m]."""
    range: Positive | None = None
    """Distance beyond which the force is zero; unlimited if absent [m]."""
    per: Per = "mass"
    """Strength per kg of mass, per body as a whole [N], or per vertex [N]."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.falloff == "gaussian" and self.range is not None:
            raise SuppleError(
                'attractor: a gaussian has a finite range itself; leave out range, or take falloff = "power"'
            )

    def terms(self, reached: Reached, column: str) -> Iterable[EnergyTerm]:
        a = np.asarray(self.axis, dtype=np.float64)
        along = np.outer(a, a) / (a @ a)
        across = {"point": np.eye(3), "line": np.eye(3) - along, "plane": along}[self.to]
        core = 0.0 if self.falloff == "gaussian" else self.core
        strength, centre = self._strength(0.0)["strength"][0], np.asarray(self.centre)
        pull = Attraction(reached.weights(self.per), strength, centre, across, self._falloff, core)
        steady = self.lasts and not changes(self.strength)

        def strengths(t: float) -> dict[str, Array]:
            with at_place(column):
                return self._strength(t)

        yield driven(pull, None if steady else DrivenConstants(column, strengths))

    def _strength(self, t: float) -> dict[str, Array]:
        return {"strength": np.array([self.presence(t) * self.now("strength", t)])}

    @property
    def _falloff(self) -> Falloff:
        if self.falloff == "gaussian":
            return Gaussian(self.size)
        reach = None if self.range is None else float(np.hypot(self.range, self.core))
        return Power(self.size, self.power, reach)
