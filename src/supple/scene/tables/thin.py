"""What thin bodies have beside their material: `body.bending`, `body.pressure`, `body.area`, `body.volume`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, Strict, model_validator

from supple.energies.areas.whole_measure import ConstantPressure, Gas, Law
from supple.scene.tables.fields import NotNegative, Number, Positive
from supple.scene.text.registry_models import Table

AIR = 101_325.0
"""Pressure of the air at sea level [Pa]."""


class Bending(Table):
    """What resists bending of a surface of triangles."""

    model: Literal["dihedral", "quadratic"] = "quadratic"
    """`dihedral`: angles between neighbouring triangles, for any bend and for surfaces that are curved at rest; `quadratic`:
    flat sheets that stretch little, with a constant matrix, exact under avf."""
    rigidity: Positive | None = None
    """Flexural rigidity of a strip, EI over its width [N m]. If absent: E t^3/12 of a membrane with a thickness."""


class Pressure(Table):
    """What presses on a closed surface from inside."""

    law: Literal["constant", "gas"] = "gas"
    """`constant`: the same whatever the volume; `gas`: an amount of gas, whose pressure falls as the volume grows."""
    pressure: Number
    """Over that outside, in the volume at rest [Pa]; negative: suction."""
    ambient: NotNegative = AIR
    """Pressure outside, for `gas` [Pa]."""
    exponent: Annotated[Number, Field(ge=1)] = 1.0
    """For `gas`: 1 at one temperature (slow), 1.4 without exchange of heat (fast, air) [-]."""

    @model_validator(mode="after")
    def _some_gas(self) -> Pressure:
        if self.law == "gas" and self.pressure + self.ambient <= 0.0:
            raise ValueError(
                f"there would be no gas: pressure {self.pressure:g} and ambient {self.ambient:g} add up to "
                f"{self.pressure + self.ambient:g} Pa inside, which must be above 0"
            )
        return self

    def make(self) -> Law:
        """The law of the volume."""
        if self.law == "constant":
            return ConstantPressure(self.pressure)
        return Gas(self.pressure + self.ambient, self.ambient, self.exponent)


class Kept(Table):
    """An area or a volume that resists change: energy k (1 - m/m0)^2 m0."""

    stiffness: Positive
    """k; of areas [N/m], of volumes [Pa]."""
    whole: Annotated[bool, Strict()] = False
    """Whether only the sum counts: elements may change if others make up for it. Otherwise each element keeps its own."""


def one_number(value: Any) -> Any:
    """A bare stiffness stands for a table with it."""
    return {"stiffness": value} if isinstance(value, int | float) and not isinstance(value, bool) else value
