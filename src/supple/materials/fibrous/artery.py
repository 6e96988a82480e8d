"""Layers of arteries, and other tissue with two families of fibres (Holzapfel, Gasser and Ogden 2000; with dispersion
Gasser, Ogden and Holzapfel 2006).

psi = mu/2 (I1' - 3) + bulk/2 ((J^2 - 1)/2 - log J) + sum over both families of k1/(2 k2) (exp(k2 <e>^2) - 1)
e = dispersion (I1' - 3) + (1 - 3 dispersion) (I4' - 1),  <e> = max(e, 0),  I1' = J^-2/3 I1,  I4' = J^-2/3 |F a|^2
Fibres act in extension only. This is the compressible form with isochoric invariants; for J <= 0 the density is +inf.
Known limit of this form: hydrostatic load changes the size of a body but not its shape, whatever its fibres (Nolan et
al. 2014), so bulk should be large compared with mu and k1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

from annotated_types import Ge, Gt, Le

from supple.materials import MATERIALS
from supple.materials.fibrous.directions import Fibre
from supple.materials.formula_material import FormulaMaterial
from supple.materials.lame import bulk_and_shear
from supple.materials.material import STRESSES, Modulus

_FAMILY = "k1/(2*k2)*(exp(k2*max(dispersion*(J^(-2/3)*I1 - 3) + (1 - 3*dispersion)*(J^(-2/3)*{square} - 1), 0)^2) - 1)"


@MATERIALS("holzapfel-gasser-ogden")
@dataclass(frozen=True)
class HolzapfelGasserOgden(FormulaMaterial):
    """Arteries and other soft tissue: a neo-Hookean matrix and two families of fibres that stiffen in extension.

    Slack fibres do not contribute. Use it for walls of arteries, skin, tendon sheaths and heart valves, with
    directions that may depend on position. AVF adapts to the kink where fibres go slack and conserves the energy to
    about 1e-5 there.

    Source: G. A. Holzapfel, T. C. Gasser, R. W. Ogden, A new constitutive framework for arterial wall mechanics, Journal of
    Elasticity 61, 2000; T. C. Gasser, R. W. Ogden, G. A. Holzapfel, Hyperelastic modelling of arterial layers with distributed
    collagen fibre orientations, Journal of the Royal Society Interface 3, 2006.
    """

    mu: Annotated[float, Gt(0)]
    """Shear modulus of the matrix [Pa]."""
    bulk: Annotated[float, Gt(0)]
    """Bulk modulus [Pa]."""
    k1: Annotated[float, Ge(0)] = 0.0
    """Stiffness of the first family of fibres [Pa]; 0: none."""
    k2: Annotated[float, Gt(0)] = 1.0
    """Exponent of the fibres [-]: how early they stiffen."""
    dispersion: Annotated[float, Ge(0), Le(0.333334)] = 0.0
    """Spread of the fibres about their direction [-]: 0 if all are parallel, 1/3 if isotropic."""
    second: Annotated[float, Ge(0)] = 1.0
    """Stiffness ratio of the second family to the first [-]; 0: one family only."""
    fibre: Fibre = (1.0, 0.0, 0.0)
    """Direction of the first family at rest; its length is ignored."""
    fibre2: Fibre = (0.0, 1.0, 0.0)
    """Direction of the second family at rest."""

    energy: ClassVar[str] = (
        "mu/2*(J^(-2/3)*I1 - 3) + bulk/2*((J^2 - 1)/2 - log(J))"
        f" + {_FAMILY.format(square='I4')} + second*{_FAMILY.format(square='I6')}"
    )
    stresses: ClassVar[frozenset[str]] = STRESSES | {"k1"}

    @classmethod
    def from_young(cls, young: Modulus, poisson: Modulus) -> Self:
        """The matrix alone, without fibres."""
        bulk, shear = bulk_and_shear(young, poisson)
        return cls(mu=shear, bulk=bulk)
