"""Highly compressible foam of Ogden, Hill and Storakers, for elastomer foams, sponge and cork.

psi = sum_k 2 mu_k/alpha_k^2 (l_1^alpha_k + l_2^alpha_k + l_3^alpha_k - 3 + (J^(-alpha_k beta_k) - 1)/beta_k)
                                                                                     (Hill 1978; Storakers 1986)
Moduli at rest: shear sum_k mu_k, bulk sum_k 2 mu_k (1/3 + beta_k); beta_k = nu_k/(1 - 2 nu_k) for a Poisson's ratio nu_k.
With alpha = -2 and beta = 1/2 it is the foam of Blatz and Ko. For J <= 0 the density is +inf.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

from annotated_types import Gt

from supple.materials import MATERIALS
from supple.materials.lame import bulk_and_shear
from supple.materials.material import Modulus
from supple.materials.principal.terms import TermsMaterial, summed

TYPICAL = 8.0
"""Exponent of from_young [-]: without lateral contraction, compression to half the length takes half of Hooke's stress."""


@MATERIALS("hyperfoam")
@dataclass(frozen=True)
class Hyperfoam(TermsMaterial):
    """Foam of up to three terms that can be compressed to a fraction of its volume; from Young and Poisson alpha is 8.

    The shear modulus at rest is the sum of mu_k. Use it for elastomer foams, sponge and cork, with beta = 0 if a
    compressed bar does not become wider. Large alpha gives the stress plateau of collapsing cells.

    Source: B. Storakers, On material representation and constitutive branching in finite compressible elasticity, Journal of the
    Mechanics and Physics of Solids 34, 1986.
    """

    mu1: float
    """Shear modulus of the first term [Pa]."""
    alpha1: float
    """Exponent of the first term [-]."""
    beta1: Annotated[float, Gt(-0.33333)]
    """Lateral contraction of the first term, nu/(1 - 2 nu) [-]; 0 for none."""
    mu2: float = 0.0
    """Shear modulus of the second term [Pa]."""
    alpha2: float = -2.0
    """Exponent of the second term [-]."""
    beta2: Annotated[float, Gt(-0.33333)] = 0.0
    """Lateral contraction of the second term [-]."""
    mu3: float = 0.0
    """Shear modulus of the third term [Pa]."""
    alpha3: float = 2.0
    """Exponent of the third term [-]."""
    beta3: Annotated[float, Gt(-0.33333)] = 0.0
    """Lateral contraction of the third term [-]."""

    term: ClassVar[str] = (
        "2*mu#/alpha#^2*(l1^alpha# + l2^alpha# + l3^alpha# - 3 + where(abs(beta#) < 1e-6, -alpha#*log(J)"
        "*(1 - (1/2)*alpha#*beta#*log(J)*(1 - (1/3)*alpha#*beta#*log(J)*(1 - (1/4)*alpha#*beta#*log(J)))),"
        " (J^(-alpha#*beta#) - 1)/where(abs(beta#) < 1e-6, 1, beta#)))"
    )
    """Small beta by a series, since (J^(-alpha beta) - 1)/beta has a limit for beta = 0 but loses all digits near it."""
    energy: ClassVar[str] = summed(term)

    @property
    def shear(self) -> Any:
        return self.mu1 + self.mu2 + self.mu3

    @classmethod
    def from_young(cls, young: Modulus, poisson: Modulus) -> Self:
        shear, beta = bulk_and_shear(young, poisson)[1], poisson / (1 - 2 * poisson)
        return cls(mu1=shear, alpha1=TYPICAL, beta1=beta)  # type: ignore[arg-type]
