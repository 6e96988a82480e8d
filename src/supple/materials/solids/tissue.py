"""Soft tissue: densities that are exponentials of a strain measure, soft at first and stiff where collagen is stretched.

Volume has the energy of rubber.py. For J <= 0 the density is +inf.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

from annotated_types import Gt

from supple.materials import MATERIALS
from supple.materials.formula_material import FormulaMaterial
from supple.materials.lame import bulk_and_shear
from supple.materials.material import Modulus
from supple.materials.solids.rubber import SECOND, SHAPE, VOLUME


@MATERIALS("fung")
@dataclass(frozen=True)
class Fung(FormulaMaterial):
    """Fung's exponential in the isotropic form of Demiray.

    mu is the shear modulus at rest; b sets how early the tissue stiffens. Use it for tissue without a preferred
    direction, or if none is known: liver, brain, fat, skin in a first model.

    Source: H. Demiray, A note on the elasticity of soft biological tissues, Journal of Biomechanics 5, 1972.
    """

    mu: Annotated[float, Gt(0)]
    """Shear modulus at rest [Pa]."""
    bulk: Annotated[float, Gt(0)]
    """Bulk modulus [Pa]."""
    b: Annotated[float, Gt(0)] = 3.0
    """Exponent per unit of J^(-2/3) I1 - 3 [-]; 0.5 to 20 for tissue."""

    energy: ClassVar[str] = f"mu/(2*b)*(exp(b*({SHAPE} - 3)) - 1) + {VOLUME}"

    @classmethod
    def from_young(cls, young: Modulus, poisson: Modulus) -> Self:
        bulk, mu = bulk_and_shear(young, poisson)
        return cls(mu=mu, bulk=bulk)


@MATERIALS("veronda-westmann")
@dataclass(frozen=True)
class VerondaWestmann(FormulaMaterial):
    """Veronda and Westmann's skin: an exponential of the first invariant minus half of the second.

    mu is the shear modulus at rest; the constants of the paper are c1 = mu/b and c2 = b. Use it for skin, breast and
    other tissue measured in uniaxial and biaxial tension.

    Source: D. R. Veronda, R. A. Westmann, Mechanical characterization of skin: finite deformations, Journal of Biomechanics 3,
    1970.
    """

    mu: Annotated[float, Gt(0)]
    """Shear modulus at rest [Pa]."""
    bulk: Annotated[float, Gt(0)]
    """Bulk modulus [Pa]."""
    b: Annotated[float, Gt(0)] = 3.0
    """Exponent per unit of J^(-2/3) I1 - 3 [-]."""

    energy: ClassVar[str] = f"mu/b*(exp(b*({SHAPE} - 3)) - 1) - mu/2*({SECOND} - 3) + {VOLUME}"

    @classmethod
    def from_young(cls, young: Modulus, poisson: Modulus) -> Self:
        bulk, mu = bulk_and_shear(young, poisson)
        return cls(mu=mu, bulk=bulk)
