"""Laws of membranes by Young's modulus Y and Poisson's ratio nu in plane stress.

Small strains agree with Hooke's law: under a uniaxial stress s, an isotropic sheet extends by s/Y and contracts
laterally by nu s/Y.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from annotated_types import Gt, Lt

from supple.materials import MEMBRANES
from supple.materials.membranes.membrane import MembraneLaw


@MEMBRANES("stvk-membrane")
@dataclass(frozen=True)
class StVKMembrane(MembraneLaw):
    """St. Venant-Kirchhoff: a quadratic function of strain, exact under AVF; wrinkles easily."""

    young: Annotated[float, Gt(0)]
    """Young's modulus [Pa]."""
    poisson: Annotated[float, Gt(-1), Lt(0.5)] = 0.3
    """Poisson's ratio [-]."""

    energy: ClassVar[str] = "young/(2*(1 - poisson^2))*(E11^2 + E22^2 + 2*poisson*E11*E22 + 2*(1 - poisson)*E12^2)"


@MEMBRANES("neo-hookean-membrane")
@dataclass(frozen=True)
class NeoHookeanMembrane(MembraneLaw):
    """Neo-Hookean with log det C: no triangle can collapse to zero area."""

    young: Annotated[float, Gt(0)]
    """Young's modulus [Pa]."""
    poisson: Annotated[float, Gt(-1), Lt(0.5)] = 0.3
    """Poisson's ratio [-]."""

    # mu/2 (I1 - 2 - log I2) + lam/8 log(I2)^2, with lam of plane stress: 2 mu lam/(lam + 2 mu) of the solid
    energy: ClassVar[str] = "young/(4*(1 + poisson))*(I1 - 2 - log(I2)) + young*poisson/(8*(1 - poisson^2))*log(I2)^2"


@MEMBRANES("rubber-membrane")
@dataclass(frozen=True)
class RubberMembrane(MembraneLaw):
    """Incompressible neo-Hookean rubber, which thins when stretched: balloons."""

    young: Annotated[float, Gt(0)]
    """Young's modulus [Pa], three times the shear modulus."""

    energy: ClassVar[str] = "young/6*(I1 + 1/I2 - 3)"
