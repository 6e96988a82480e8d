"""A material by an everyday word: `rubber`, `jelly`, `silk`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from supple.checks import checked
from supple.errors import did_you_mean
from supple.model.presets.published import Published, published
from supple.values import Check, NotNegative, Positive


def known_word(word: str) -> str:
    """The word, if the table has it."""
    if word not in published():
        raise ValueError(f"unknown preset '{word}'{did_you_mean(word, published())} known: {', '.join(published())}")
    return word


Word = Annotated[str, Check(known_word)]


@checked
@dataclass(frozen=True)
class Preset:
    """A material by a word, with published or typical values: its law, density and damping, and thickness and bending of sheets.

    Keys of the body that say otherwise (density, mass, thickness, bending) count.
    """

    name: Word
    """What the body is made of; `supple presets` lists the words."""
    stiffer: Positive = 1.0
    """Factor on all stiffnesses, bending included [-]: 2 is twice as stiff."""
    denser: Positive = 1.0
    """Factor on the density [-]."""
    damping: NotNegative = 1.0
    """Factor on the damping [-]; 0: none."""

    @property
    def row(self) -> Published:
        """What is published."""
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
        """The same, so many times stiffer."""
        return replace(self, stiffer=factor * self.stiffer)

    def with_density(self, factor: float) -> Preset:
        """The same, so many times denser."""
        return replace(self, denser=factor * self.denser)


def preset(name: str, *, stiffer: float = 1.0, denser: float = 1.0, damping: float = 1.0) -> Preset:
    """A material by a word: `preset("rubber", stiffer=2)` is twice as stiff as the rubber of the table."""
    return Preset(name, stiffer, denser, damping)
