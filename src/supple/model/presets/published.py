"""Values of everyday materials, published or typical, from words.toml."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from supple.materials import MATERIALS, MEMBRANES

if TYPE_CHECKING:
    from supple.materials.material import Material
    from supple.materials.membranes.membrane import MembraneLaw

SEEN = 5.0
"""Frequency at which bodies have the loss factor of the table [Hz]: typical of visible motion."""


@dataclass(frozen=True)
class Published:
    """The values of one preset."""

    word: str
    what: str
    """Description of the substance."""
    law: str
    """Name of a solid or, for sheets, of a membrane."""
    constants: Mapping[str, float]
    """Constants of the law; for a solid young [Pa] and poisson [-]."""
    density: float
    """[kg/m^3]"""
    loss: float
    """Loss factor, the tangent of the phase lead of stress over strain [-]."""
    source: str
    """Source of the values."""
    spread: str
    """Range of other samples."""
    thickness: float | None = None
    """Thickness of a sheet [m]; solids have none."""
    rigidity: float | None = None
    """Flexural rigidity of a sheet, EI per unit width [N m]; if absent, from the membrane and the thickness."""
    sheet: str = ""
    """Name of the membrane for a surface made of a solid; empty if not applicable."""

    @property
    def is_sheet(self) -> bool:
        return self.thickness is not None

    @property
    def retardation(self) -> float:
        """Viscosity over stiffness, tau with tan delta = omega tau at the frequency SEEN [s]."""
        return self.loss / (2.0 * math.pi * SEEN)

    @property
    def moduli(self) -> tuple[float, float]:
        """Young's modulus [Pa] and Poisson's ratio [-] of a solid."""
        return self.constants["young"], self.constants["poisson"]

    def solid(self, stiffer: float) -> Material:
        """The law of a solid, with a factor on the stiffness of the table."""
        young, poisson = self.moduli
        made: Material = MATERIALS.find(self.law).from_young(stiffer * young, poisson)
        return made

    def membrane(self, stiffer: float) -> MembraneLaw:
        """The law of a sheet, with the same factor: the preset's own law, or the membrane of a solid."""
        if self.is_sheet:
            return MEMBRANES.find(self.law)(**self.constants).scaled(stiffer)
        law = MEMBRANES.find(self.sheet)
        given = {key: value for key, value in self.constants.items() if key in law.__dataclass_fields__}  # type: ignore[attr-defined]
        return law(**given).scaled(stiffer)

    def physics(self) -> dict[str, Any]:
        """All values that affect the motion."""
        told = ("what", "source", "spread")
        return {key: value for key, value in vars(self).items() if key not in told}

    def figures(self) -> dict[str, Any]:
        """The row of a table, for display and JSON."""
        return {
            "word": self.word,
            "what": self.what,
            "law": self.law,
            "young": self.constants.get("young", self.constants.get("young_warp")),
            "young_weft": self.constants.get("young_weft"),
            "poisson": self.constants.get("poisson"),
            "density": self.density,
            "thickness": self.thickness,
            "rigidity": self.rigidity,
            "loss": self.loss,
            "retardation": self.retardation,
            "spread": self.spread,
            "source": self.source,
        }


@cache
def published() -> dict[str, Published]:
    """All presets, in the order of the file."""
    text = Path(__file__).with_name("words.toml").read_text(encoding="utf-8")
    return {word: Published(word=word, **row) for word, row in tomllib.loads(text).items()}
