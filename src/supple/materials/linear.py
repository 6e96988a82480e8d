"""Linear elasticity: small strains only, not rotation invariant.

psi = mu e:e + lam/2 tr(e)^2,  e = (F + F^T)/2 - I
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from annotated_types import Gt

from supple.materials import MATERIALS
from supple.materials.formula_material import FormulaMaterial


@MATERIALS("linear")
@dataclass(frozen=True)
class Linear(FormulaMaterial):
    """Hooke's law for small strains; the fastest law, but bodies swell under rotation.

    Use it for comparison with small-strain formulas, such as frequencies and beams, never for rotating bodies.

    Source: J. Bonet, R. D. Wood, Nonlinear Continuum Mechanics for Finite Element Analysis, Cambridge 2008.
    """

    mu: Annotated[float, Gt(0)]
    """Shear modulus [Pa]."""
    lam: float
    """First Lame constant [Pa]."""

    energy: ClassVar[str] = (
        "mu*((F11 - 1)^2 + (F22 - 1)^2 + (F33 - 1)^2 + ((F12 + F21)^2 + (F13 + F31)^2 + (F23 + F32)^2)/2)"
        " + lam/2*(F11 + F22 + F33 - 3)^2"
    )
