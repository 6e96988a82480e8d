"""Ogden's rubber, in isochoric stretches s_a = J^(-1/3) l_a, with a bulk term.

psi = sum_k mu_k/alpha_k (s_1^alpha_k + s_2^alpha_k + s_3^alpha_k - 3) + bulk/2 (J - 1)^2              (Ogden 1972)
Shear modulus at rest: sum_k mu_k alpha_k / 2. (Some programs write 2 mu_k/alpha_k^2 instead: their mu_k are alpha_k/2 times
these.) One term with alpha = 2 is the modified neo-Hookean solid, terms with 2 and -2 are Mooney-Rivlin.
Limits: the bulk term is weak in strong compression, as in Mooney-Rivlin. For J <= 0 the density is +inf.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

from annotated_types import Gt

from supple.materials import MATERIALS
from supple.materials.lame import bulk_and_shear
from supple.materials.material import Modulus
from supple.materials.principal.terms import TermsMaterial, summed

TRELOAR = ((0.63e6, 1.3), (0.0012e6, 5.0), (-0.01e6, -2.0))
"""mu [Pa] and alpha of Ogden's fit to Treloar's data of vulcanised rubber."""


@MATERIALS("ogden")
@dataclass(frozen=True)
class Ogden(TermsMaterial):
    """Ogden's rubber of up to three terms; from Young and Poisson with the proportions of Treloar's rubber.

    The shear modulus at rest is half the sum of mu_k alpha_k. Use it for data of several tests up to large stretches:
    with three terms it fits them more closely than any other law here. One term with alpha = 2 is neo-Hookean.

    Source: R. W. Ogden, Large deformation isotropic elasticity: on the correlation of theory and experiment for incompressible
    rubberlike solids, Proceedings of the Royal Society A 326, 1972.
    """

    mu1: float
    """Strength of the first term [Pa]; mu1 alpha1 is usually positive."""
    alpha1: float
    """Exponent of the first term [-]."""
    bulk: Annotated[float, Gt(0)]
    """Bulk modulus [Pa]."""
    mu2: float = 0.0
    """Strength of the second term [Pa]."""
    alpha2: float = 2.0
    """Exponent of the second term [-]."""
    mu3: float = 0.0
    """Strength of the third term [Pa]."""
    alpha3: float = -2.0
    """Exponent of the third term [-]."""

    term: ClassVar[str] = (
        "mu#/alpha#*(exp(alpha#*(log(l1) - (log(l1) + log(l2) + log(l3))/3))"
        " + exp(alpha#*(log(l2) - (log(l1) + log(l2) + log(l3))/3))"
        " + exp(alpha#*(log(l3) - (log(l1) + log(l2) + log(l3))/3)) - 3)"
    )
    rest: ClassVar[str] = "bulk/2*(J - 1)^2"
    energy: ClassVar[str] = summed(term, rest)

    @property
    def shear(self) -> Any:
        return 0.5 * (self.mu1 * self.alpha1 + self.mu2 * self.alpha2 + self.mu3 * self.alpha3)

    @classmethod
    def from_young(cls, young: Modulus, poisson: Modulus) -> Self:
        bulk, shear = bulk_and_shear(young, poisson)
        whole = 0.5 * sum(mu * alpha for mu, alpha in TRELOAR)
        strengths = {f"mu{k}": shear * (mu / whole) for k, (mu, _) in enumerate(TRELOAR, 1)}
        return cls(bulk=bulk, **strengths, **{f"alpha{k}": alpha for k, (_, alpha) in enumerate(TRELOAR, 1)})
