"""Flat bodies in plane strain: a slice of a long body, with constant thickness.

The out-of-plane stretch is 1, so the density is that of the solid with F = diag(F of the plane, 1). By contrast,
membranes have free faces (plane stress): for small strains a slice with E and nu is as stiff as a membrane with E/(1
- nu^2) and nu/(1 - nu). Springs keep the vertices in their initial plane: without them a compressed slice would
buckle out of it like a membrane. Forces in the plane do not load these springs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from annotated_types import Gt, Lt

from supple.materials import MEMBRANES
from supple.materials.membranes.membrane import MembraneLaw


@MEMBRANES("stvk-plane-strain")
@dataclass(frozen=True)
class StVKPlaneStrain(MembraneLaw):
    """St. Venant-Kirchhoff in plane strain: a slice of a long solid; a quadratic function of strain."""

    flat: ClassVar[bool] = True

    young: Annotated[float, Gt(0)]
    """Young's modulus of the solid [Pa]."""
    poisson: Annotated[float, Gt(-1), Lt(0.5)] = 0.3
    """Poisson's ratio of the solid [-]."""

    # mu (E11^2 + E22^2 + 2 E12^2) + lam/2 (E11 + E22)^2
    energy: ClassVar[str] = (
        "young/(2*(1 + poisson))*(E11^2 + E22^2 + 2*E12^2)"
        " + young*poisson/(2*(1 + poisson)*(1 - 2*poisson))*(E11 + E22)^2"
    )


@MEMBRANES("neo-hookean-plane-strain")
@dataclass(frozen=True)
class NeoHookeanPlaneStrain(MembraneLaw):
    """Neo-Hookean in plane strain: a slice of a long solid that cannot collapse to zero area."""

    flat: ClassVar[bool] = True

    young: Annotated[float, Gt(0)]
    """Young's modulus of the solid [Pa]."""
    poisson: Annotated[float, Gt(-1), Lt(0.5)] = 0.3
    """Poisson's ratio of the solid [-]."""

    # mu/2 (I1 + 1 - 3) - mu log J + lam/2 log(J)^2, with I1 of the plane and log J = log(I2)/2
    energy: ClassVar[str] = (
        "young/(4*(1 + poisson))*(I1 - 2 - log(I2)) + young*poisson/(8*(1 + poisson)*(1 - 2*poisson))*log(I2)^2"
    )
