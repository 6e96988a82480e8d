"""Materials of thin bodies: `body.material` of surfaces and ropes.

Membranes come from their registry; discrete shells are springs, areas and angles with weights of their own; rods are chains
of springs that resist bending.
"""

from __future__ import annotations

import math
from typing import Literal

from pydantic import model_validator

from supple.scene.tables.fields import NotNegative, Positive
from supple.scene.text.registry_models import Table


class ShellMaterial(Table):
    """A discrete shell (Grinspun et al. 2003): edges, areas and angles each keep what they have at rest."""

    name: Literal["discrete-shell"]
    """Energy k_l sum (1 - l/l0)^2 l0 + k_A sum (1 - A/A0)^2 A0 + k_b sum (theta - theta0)^2 |e|/h_e."""
    stretch: Positive
    """k_l of all edges [N]."""
    area: NotNegative = 0.0
    """k_A of all triangles [N/m]."""
    bend: NotNegative = 0.0
    """k_b of all inner edges [N m]; 3/16 of the rigidity of a strip of equilateral triangles."""


class RodMaterial(Table):
    """A rope or rod: springs along it, and bending between neighbouring edges."""

    name: Literal["rod"]
    """Energy EA/2 strain^2 and EI/2 curvature^2 over the length; straight at rest."""
    young: Positive | None = None
    """Young's modulus of a round rod [Pa], with `radius`."""
    radius: Positive | None = None
    """[m]"""
    axial: Positive | None = None
    """Resistance EA against stretching [N], instead of `young` and `radius`."""
    rigidity: NotNegative | None = None
    """Flexural rigidity EI [N m^2]; of a round rod E pi r^4/4 if absent, 0 for a rope without."""
    springs: Literal["hooke", "stvk"] = "stvk"
    """Law of the springs: linear in the length, or in its square, exact under avf."""

    @model_validator(mode="after")
    def _one_way(self) -> RodMaterial:
        round_rod = [key for key in ("young", "radius") if getattr(self, key) is not None]
        if (self.axial is None) == (not round_rod) or len(round_rod) == 1:
            found = ", ".join([*round_rod, *(["axial"] if self.axial is not None else [])]) or "none of them"
            raise ValueError(f"give either young and radius, or axial (and rigidity), found {found}")
        return self

    @property
    def resistance(self) -> float:
        """EA [N]."""
        if self.axial is not None or self.young is None or self.radius is None:
            return float(self.axial or 0.0)
        return self.young * math.pi * self.radius**2

    @property
    def bending(self) -> float:
        """EI [N m^2]."""
        if self.rigidity is not None:
            return self.rigidity
        return self.resistance * self.radius**2 / 4.0 if self.radius is not None else 0.0
