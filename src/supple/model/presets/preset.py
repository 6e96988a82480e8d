"""A preset material with an everyday name: `rubber`, `jelly`, `silk`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from supple.checks import checked
from supple.errors import did_you_mean
from supple.model.presets.published import Published, published
from supple.values import Check, NotNegative, Positive


def known_word(word: str) -> str:
    """The name, if it is a preset."""
    if word not in published():
        raise ValueError(f"unknown preset '{word}'{did_you_mean(word, published())} known: {', '.join(published())}")
    return word


Word = Annotated[str, Check(known_word)]


@checked
@dataclass(frozen=True)
class Preset:
    """A preset with published or typical values: law, density and damping, and thickness and bending of sheets.

    Keys of the body (density, mass, thickness, bending) override these values.
    """

    name: Word
    """Name of the preset; `supple presets` lists them."""
    stiffer: Positive = 1.0
    """Factor on all stiffnesses, including bending [-]: 2 is twice as stiff."""
    denser: Positive = 1.0
    """Factor on the density [-]."""
    damping: NotNegative = 1.0
    """Factor on the damping [-]; 0: none."""

    @property
    def row(self) -> Published:
        """The published values."""
        return published()[self.name]

    @property
    def density(self) -> float:
        """[kg/m^3]"""
        return self.denser * self.row.density

    @property
    def retardation(self) -> float:
        """Viscosity over stiffness [s]."""
        return self.damping * self.row.retardation

    def scaled(self, factor: float) -> Preset:
        """The same with its stiffness scaled by a factor."""
        return replace(self, stiffer=factor * self.stiffer)

    def with_density(self, factor: float) -> Preset:
        """The same with its density scaled by a factor."""
        return replace(self, denser=factor * self.denser)


def preset(name: str, *, stiffer: float = 1.0, denser: float = 1.0, damping: float = 1.0) -> Preset:
    """A preset material: `preset("rubber", stiffer=2)` is twice as stiff as the rubber of the table."""
    return Preset(name, stiffer, denser, damping)
