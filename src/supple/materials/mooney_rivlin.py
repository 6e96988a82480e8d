"""Mooney-Rivlin in isochoric invariants, and its special case c2 = 0, the modified neo-Hookean of Kharevych's thesis.

psi = c1 (J^-2/3 I1 - 3) + c2 (J^-4/3 I2 - 3) + bulk/2 (J - 1)^2,  I1 = tr C, I2 = (I1^2 - tr C^2)/2
Moduli at rest: shear 2 (c1 + c2), bulk `bulk`. For J <= 0 the density is +inf.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

from annotated_types import Ge, Gt

from supple.materials import MATERIALS
from supple.materials.formula_material import FormulaMaterial
from supple.materials.lame import bulk_and_shear
from supple.materials.material import Modulus


@MATERIALS("mooney-rivlin")
@dataclass(frozen=True)
class MooneyRivlin(FormulaMaterial):
    """Mooney-Rivlin rubber; from Young and Poisson c2 is a quarter of c1.

    The shear modulus at rest is 2 (c1 + c2). Use it for rubber up to about twice its length: it follows uniaxial data
    better than neo-Hookean laws. Too much c2 stiffens biaxial tension, however, and no constants give the upturn at
    large stretches.

    Source: M. Mooney, A theory of large elastic deformation, Journal of Applied Physics 11, 1940; R. S. Rivlin, Large elastic
    deformations of isotropic materials IV, Philosophical Transactions of the Royal Society A 241, 1948.
    """

    c1: Annotated[float, Gt(0)]
    """Weight of the first isochoric invariant [Pa]."""
    c2: Annotated[float, Ge(0)]
    """Weight of the second isochoric invariant [Pa]."""
    bulk: Annotated[float, Gt(0)]
    """Bulk modulus [Pa]."""

    energy: ClassVar[str] = "c1*(J^(-2/3)*I1 - 3) + c2*(J^(-4/3)*I2 - 3) + bulk/2*(J - 1)^2"

    @classmethod
    def from_young(cls, young: Modulus, poisson: Modulus) -> Self:
        bulk, shear = bulk_and_shear(young, poisson)
        return cls(c1=0.4 * shear, c2=0.1 * shear, bulk=bulk)


@MATERIALS("modified-neo-hookean")
@dataclass(frozen=True)
class ModifiedNeoHookean(FormulaMaterial):
    """psi = mu (J^-2/3 tr C - 3) + kappa/2 (J - 1)^2; mu is HALF the shear modulus at rest.

    Mooney-Rivlin rubber without its second term. Use it to reproduce figures of the thesis it is from.

    Source: L. Kharevych, Geometric Interpretation of Physical Systems for Improved Elasticity Simulations, PhD thesis, California
    Institute of Technology 2010.
    """

    mu: Annotated[float, Gt(0)]
    """Half the shear modulus [Pa]."""
    kappa: Annotated[float, Gt(0)]
    """Bulk modulus [Pa]."""

    energy: ClassVar[str] = "mu*(J^(-2/3)*I1 - 3) + kappa/2*(J - 1)^2"

    @classmethod
    def from_young(cls, young: Modulus, poisson: Modulus) -> Self:
        kappa, shear = bulk_and_shear(young, poisson)
        return cls(mu=shear / 2, kappa=kappa)
