"""Rubbers: isotropic, nearly incompressible, stiffening as their chains straighten.

The isochoric invariants J^(-2/3) I1 and J^(-4/3) I2 depend on the shape alone. Volume has a separate energy, bulk/4
(J^2 - 1 - 2 log J) of Simo and Taylor (1982): convex, infinite at zero volume. For J <= 0 the density is +inf.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

import numpy as np
from annotated_types import Ge, Gt

from supple.materials import MATERIALS
from supple.materials.formula_material import FormulaMaterial
from supple.materials.lame import bulk_and_shear
from supple.materials.material import Modulus

SHAPE = "J^(-2/3)*I1"
SECOND = "J^(-4/3)*I2"
VOLUME = "bulk/4*(J^2 - 1 - 2*log(J))"


@MATERIALS("gent")
@dataclass(frozen=True)
class Gent(FormulaMaterial):
    """Gent's rubber: two constants, and chains that lock.

    Stress grows without bound as J^(-2/3) I1 - 3 approaches Jm, and the density is infinite beyond. Use it for
    unfilled rubber and silicone at large stretches: it needs little data and extrapolates well beyond them.

    Source: A. N. Gent, A new constitutive relation for rubber, Rubber Chemistry and Technology 69, 1996.
    """

    mu: Annotated[float, Gt(0)]
    """Shear modulus [Pa]."""
    bulk: Annotated[float, Gt(0)]
    """Bulk modulus [Pa]."""
    Jm: Annotated[float, Gt(0)] = 80.0
    """Value of J^(-2/3) I1 - 3 at which the chains lock [-]; 30 to 100 for rubber."""

    energy: ClassVar[str] = f"-mu/2*Jm*log(1 - ({SHAPE} - 3)/Jm) + {VOLUME}"

    @classmethod
    def from_young(cls, young: Modulus, poisson: Modulus) -> Self:
        bulk, mu = bulk_and_shear(young, poisson)
        return cls(mu=mu, bulk=bulk)


@MATERIALS("gent-gent")
@dataclass(frozen=True)
class GentGent(FormulaMaterial):
    """Gent's rubber with a logarithm of the second invariant; from Young and Poisson c2 is 0.3 of the shear modulus.

    The shear modulus at rest is mu + 2/3 c2. Use it if one set of constants must fit uniaxial and biaxial data: the
    second term improves Gent's density at small and moderate stretches.

    Source: E. Pucci, G. Saccomandi, A note on the Gent model for rubber-like materials, Rubber Chemistry and Technology 75,
    2002.
    """

    mu: Annotated[float, Gt(0)]
    """Weight of Gent's term [Pa]."""
    c2: Annotated[float, Ge(0)]
    """Weight of the logarithm of the second invariant [Pa]."""
    bulk: Annotated[float, Gt(0)]
    """Bulk modulus [Pa]."""
    Jm: Annotated[float, Gt(0)] = 80.0
    """Value of J^(-2/3) I1 - 3 at which the chains lock [-]."""

    energy: ClassVar[str] = f"-mu/2*Jm*log(1 - ({SHAPE} - 3)/Jm) + c2*log({SECOND}/3) + {VOLUME}"

    @classmethod
    def from_young(cls, young: Modulus, poisson: Modulus) -> Self:
        bulk, shear = bulk_and_shear(young, poisson)
        return cls(mu=0.8 * shear, c2=0.3 * shear, bulk=bulk)


@MATERIALS("yeoh")
@dataclass(frozen=True)
class Yeoh(FormulaMaterial):
    """Yeoh's cubic of the first invariant; from Young and Poisson c2 is -1/100 and c3 1/4000 of c1, as in natural rubber.

    The shear modulus at rest is 2 c1. A negative c2 softens at moderate stretches, a positive c3 stiffens at large
    ones. Use it for filled rubber, and if only uniaxial data are available: other modes are predicted well.

    Source: O. H. Yeoh, Some forms of the strain energy function for rubber, Rubber Chemistry and Technology 66, 1993.
    """

    c1: Annotated[float, Gt(0)]
    """Weight of the first power of J^(-2/3) I1 - 3, half the shear modulus [Pa]."""
    c2: float
    """Weight of the second power [Pa]."""
    c3: Annotated[float, Ge(0)]
    """Weight of the third power [Pa]."""
    bulk: Annotated[float, Gt(0)]
    """Bulk modulus [Pa]."""

    energy: ClassVar[str] = f"c1*({SHAPE} - 3) + c2*({SHAPE} - 3)^2 + c3*({SHAPE} - 3)^3 + {VOLUME}"

    @classmethod
    def from_young(cls, young: Modulus, poisson: Modulus) -> Self:
        bulk, shear = bulk_and_shear(young, poisson)
        return cls(c1=shear / 2, c2=-shear / 200, c3=shear / 8000, bulk=bulk)


@MATERIALS("arruda-boyce")
@dataclass(frozen=True)
class ArrudaBoyce(FormulaMaterial):
    """Arruda and Boyce's network of eight chains, the series of five terms.

    mu is the shear modulus at rest; the n k T of the paper is mu over the sum in the denominator. Use it for rubber
    and elastomers with few data: both constants have a meaning in the network. The series stiffens near the locking
    stretch but stays finite beyond it.

    Source: E. M. Arruda, M. C. Boyce, A three-dimensional constitutive model for the large stretch behavior of rubber elastic
    materials, Journal of the Mechanics and Physics of Solids 41, 1993.
    """

    mu: Annotated[float, Gt(0)]
    """Shear modulus at rest [Pa]."""
    bulk: Annotated[float, Gt(0)]
    """Bulk modulus [Pa]."""
    locking: Annotated[float, Gt(1)] = 5.0
    """Stretch at which a chain is straight, the square root of its number of links [-]."""

    energy: ClassVar[str] = (
        f"mu*(({SHAPE} - 3)/2 + (({SHAPE})^2 - 9)/(20*locking^2) + 11*(({SHAPE})^3 - 27)/(1050*locking^4)"
        f" + 19*(({SHAPE})^4 - 81)/(7000*locking^6) + 519*(({SHAPE})^5 - 243)/(673750*locking^8))"
        "/(1 + 3/(5*locking^2) + 99/(175*locking^4) + 513/(875*locking^6) + 42039/(67375*locking^8))"
        f" + {VOLUME}"
    )

    @classmethod
    def from_young(cls, young: Modulus, poisson: Modulus) -> Self:
        bulk, mu = bulk_and_shear(young, poisson)
        return cls(mu=mu, bulk=bulk)


@MATERIALS("lopez-pamies")
@dataclass(frozen=True)
class LopezPamies(FormulaMaterial):
    """Lopez-Pamies's two powers of the first invariant; from Young and Poisson, the second has a tenth of the modulus.

    The shear modulus at rest is mu1 + mu2. A power below 1 softens, one above 1 stiffens. Use it to fit measured
    curves of elastomers closely with a density that is simple and strongly elliptic.

    Source: O. Lopez-Pamies, A new I1-based hyperelastic model for rubber elastic materials, Comptes Rendus Mecanique 338, 2010.
    """

    mu1: Annotated[float, Gt(0)]
    """Part of the shear modulus with the power a1 [Pa]."""
    mu2: Annotated[float, Ge(0)]
    """Part of the shear modulus with the power a2 [Pa]."""
    bulk: Annotated[float, Gt(0)]
    """Bulk modulus [Pa]."""
    a1: Annotated[float, Gt(0)] = 0.7
    """First power of J^(-2/3) I1 [-]."""
    a2: Annotated[float, Gt(0)] = 3.0
    """Second power of J^(-2/3) I1 [-]."""

    energy: ClassVar[str] = f"3*mu1/(2*a1)*(({SHAPE}/3)^a1 - 1) + 3*mu2/(2*a2)*(({SHAPE}/3)^a2 - 1) + {VOLUME}"

    @classmethod
    def from_young(cls, young: Modulus, poisson: Modulus) -> Self:
        bulk, shear = bulk_and_shear(young, poisson)
        return cls(mu1=0.9 * shear, mu2=0.1 * shear, bulk=bulk)

    @property
    def about_young(self) -> float:
        return float(3.0 * np.max(self.mu1 + self.mu2))
