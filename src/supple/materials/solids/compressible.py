"""Compressible solids: foams, and simple densities that resist crushing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from annotated_types import Ge, Gt, Le

from supple.errors import SuppleError
from supple.materials import MATERIALS
from supple.materials.formula_material import FormulaMaterial
from supple.materials.lame import lame
from supple.materials.material import Modulus
from supple.values import Deferred

SMALLEST_BETA = 1e-14
"""Substitute for a Poisson's ratio of zero, where the density has a limit but the formula is singular."""


@MATERIALS("blatz-ko")
@dataclass(frozen=True)
class BlatzKo(FormulaMaterial):
    """Blatz and Ko's foam: Poisson's ratio is constant at every stretch of a bar.

    Poisson's ratio at rest is beta/(1 + 2 beta). With f = 0 it is the foamed polyurethane of the paper, with f = 1 its solid
    rubber, and a mixture in between. Use it for foam and sponge with large volume changes. Foam (f = 0) loses strong
    ellipticity at moderate strains, at which bands of crushed cells form.

    Source: P. J. Blatz, W. L. Ko, Application of finite elastic theory to the deformation of rubbery materials, Transactions of
    the Society of Rheology 6, 1962.
    """

    mu: Annotated[float, Gt(0)]
    """Shear modulus [Pa]."""
    beta: Annotated[float, Gt(-0.33)]
    """nu/(1 - 2 nu) of Poisson's ratio nu [-]; 0.5 for nu = 1/4, not 0."""
    f: Annotated[float, Ge(0), Le(1)] = 0.0
    """Fraction of the first invariant, from foam to solid rubber [-]."""

    energy: ClassVar[str] = (
        "mu/2*f*(I1 - 3 + (J^(-2*beta) - 1)/beta) + mu/2*(1 - f)*(I2/J^2 - 3 + (J^(2*beta) - 1)/beta)"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not np.all(self.beta):
            raise SuppleError("blatz-ko.beta: must not be 0, found 0; take 1e-6 for a Poisson's ratio of almost zero")

    @classmethod
    def from_young(cls, young: Modulus, poisson: Modulus) -> Self:
        if isinstance(young, Deferred) or isinstance(poisson, Deferred):
            raise SuppleError(
                "blatz-ko: young and poisson must be numbers; give mu and beta, which may depend on position"
            )
        mu, lam = lame(young, poisson)
        beta: Any = np.where(np.abs(lam) < SMALLEST_BETA * mu, SMALLEST_BETA, lam / (2 * mu))
        return cls(mu=mu, beta=beta if beta.ndim else float(beta))


@MATERIALS("stvk-kikuuwe")
@dataclass(frozen=True)
class StVKKikuuwe(FormulaMaterial):
    """St. Venant-Kirchhoff with Kikuuwe's resistance to compression; from Young and Poisson, that of confined compression.

    Below J = 1 a pressure resistance/2 (1 - J)^2 is added, so the stiffness grows with compression instead of falling
    to zero. It stays finite, and elements can still invert. Use it where St. Venant-Kirchhoff would collapse.

    Source: R. Kikuuwe, H. Tabuchi, M. Yamamoto, An edge-based computationally efficient formulation of Saint Venant-Kirchhoff
    tetrahedral finite elements, ACM Transactions on Graphics 28, 2009.
    """

    mu: Annotated[float, Gt(0)]
    """Shear modulus [Pa]."""
    lam: float
    """First Lame constant [Pa]."""
    resistance: Annotated[float, Ge(0)]
    """Additional stiffness per unit of volume loss [Pa]."""

    energy: ClassVar[str] = (
        "mu*(E11^2 + E22^2 + E33^2 + 2*(E12^2 + E13^2 + E23^2)) + lam/2*(E11 + E22 + E33)^2"
        " + resistance/6*max(1 - J, 0)^3"
    )

    @classmethod
    def from_young(cls, young: Modulus, poisson: Modulus) -> Self:
        mu, lam = lame(young, poisson)
        return cls(mu=mu, lam=lam, resistance=lam + 2 * mu)


@MATERIALS("ciarlet-geymonat")
@dataclass(frozen=True)
class CiarletGeymonat(FormulaMaterial):
    """Ciarlet and Geymonat's compressible solid: polyconvex, infinite energy at zero volume.

    Its first terms are those of neo-Hookean rubber; the volumetric energy is convex, whereas a squared logarithm is
    not convex beyond J = e. Use it for large dilations, and if solutions must exist.

    Source: P. G. Ciarlet, G. Geymonat, Sur les lois de comportement en elasticite non lineaire compressible, Comptes Rendus de
    l'Academie des Sciences 295, 1982; without its second invariant.
    """

    mu: Annotated[float, Gt(0)]
    """Shear modulus [Pa]."""
    lam: float
    """First Lame constant [Pa]."""

    energy: ClassVar[str] = "mu/2*(I1 - 3 - 2*log(J)) + lam/4*(J^2 - 1 - 2*log(J))"
