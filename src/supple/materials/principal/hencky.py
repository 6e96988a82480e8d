"""Hencky's solid: quadratic in the logarithmic strain, symmetric in extension and compression by the same factor.

psi = mu sum_a log(l_a)^2 + lam/2 log(J)^2                                     (Hencky 1928; Anand 1979)
Limits: for moderate strains; beyond a stretch of about e the stress falls. For J <= 0 the density is +inf.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from annotated_types import Gt

from supple.materials import MATERIALS
from supple.materials.formula_material import FormulaMaterial


@MATERIALS("hencky")
@dataclass(frozen=True)
class Hencky(FormulaMaterial):
    """Hencky's solid: linear elasticity in logarithmic strains, which resists collapse.

    Extension to twice the length and compression to half of it store the same energy. Use it for metals and polymers
    at moderate strains, and as the elastic part of plastic laws. It softens in strong tension and loses ellipticity
    there.

    Source: H. Hencky, Ueber die Form des Elastizitaetsgesetzes bei ideal elastischen Stoffen, Zeitschrift fuer technische Physik
    9, 1928; L. Anand, On H. Hencky's approximate strain-energy function for moderate deformations, Journal of Applied Mechanics
    46, 1979.
    """

    mu: Annotated[float, Gt(0)]
    """Shear modulus [Pa]."""
    lam: float
    """First Lame constant [Pa]."""

    energy: ClassVar[str] = "mu*(log(l1)^2 + log(l2)^2 + log(l3)^2) + lam/2*(log(l1) + log(l2) + log(l3))^2"
