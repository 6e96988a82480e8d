"""Neo-Hookean with logarithm: the textbook solid, infinite energy at zero volume.

psi = mu/2 (I1 - 3) - mu log J + lam/2 log(J)^2. Where J <= 0 the density is +inf, and line searches stay away.
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

    The textbook solid for moderate strains, with infinite energy at zero volume. Take it where elements must not invert. Its
    squared logarithm resists strong dilation less and less.

    Source: J. Bonet, R. D. Wood, Nonlinear Continuum Mechanics for Finite Element Analysis, Cambridge 2008.
    """

    mu: Annotated[float, Gt(0)]
    """Shear modulus [Pa]."""
    lam: float
    """First Lame constant [Pa]."""

    energy: ClassVar[str] = "mu/2*(I1 - 3) - mu*log(J) + lam/2*log(J)^2"
