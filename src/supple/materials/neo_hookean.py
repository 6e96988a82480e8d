"""Neo-Hookean with logarithm: the textbook solid, infinite energy at zero volume.

psi = mu/2 (I1 - 3) - mu log J + lam/2 log(J)^2. For J <= 0 the density is +inf, and line searches reject the point.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from annotated_types import Gt

from supple.materials import MATERIALS
from supple.materials.formula_material import FormulaMaterial


@MATERIALS("neo-hookean")
@dataclass(frozen=True)
class NeoHookean(FormulaMaterial):
    """Neo-Hookean solid with log(J); elements can never invert.

    The textbook solid for moderate strains, with infinite energy at zero volume. Use it if elements must not invert.
    The resistance of its squared logarithm decreases under strong dilation.

    Source: J. Bonet, R. D. Wood, Nonlinear Continuum Mechanics for Finite Element Analysis, Cambridge 2008.
    """

    mu: Annotated[float, Gt(0)]
    """Shear modulus [Pa]."""
    lam: float
    """First Lame constant [Pa]."""

    energy: ClassVar[str] = "mu/2*(I1 - 3) - mu*log(J) + lam/2*log(J)^2"
