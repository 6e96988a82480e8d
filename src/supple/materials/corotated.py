"""Corotated elasticity with the polar rotation R of F = R S, and its special case lam = 0, as-rigid-as-possible.

psi = mu |S - I|^2 + lam/2 tr(S - I)^2, with the principal stretches l1, l2, l3 the eigenvalues of S
The tangent contains 1/(l_a + l_b), which is singular where an element inverts through a rotation by pi, and is capped
there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

from annotated_types import Gt

from supple.materials import MATERIALS
from supple.materials.formula_material import FormulaMaterial
from supple.materials.lame import bulk_and_shear
from supple.materials.material import Modulus


@MATERIALS("corotated")
@dataclass(frozen=True)
class Corotated(FormulaMaterial):
    """Corotated linear elasticity with exact derivatives.

    Linear in the stretches, so a bar follows Hooke's law at any length, and it stays finite when elements collapse or
    invert. Use it for stiff bodies with large rotations, and in place of the corotated elements common in animation.

    Source: M. Mueller, M. Gross, Interactive virtual materials, Graphics Interface 2004; exact derivatives as in A. McAdams et
    al., Efficient elasticity for character skinning with contact and collisions, ACM Transactions on Graphics 30, 2011.
    """

    mu: Annotated[float, Gt(0)]
    """Shear modulus [Pa]."""
    lam: float
    """First Lame constant [Pa]."""

    energy: ClassVar[str] = "mu*((l1 - 1)^2 + (l2 - 1)^2 + (l3 - 1)^2) + lam/2*(l1 + l2 + l3 - 3)^2"


@MATERIALS("arap")
@dataclass(frozen=True)
class ARAP(FormulaMaterial):
    """As-rigid-as-possible: psi = mu |F - R|^2.

    One constant, and no volumetric stiffness beyond that of the edges: Poisson's ratio is zero. Use it for shape
    editing rather than for measured bodies.

    Source: O. Sorkine, M. Alexa, As-rigid-as-possible surface modeling, Symposium on Geometry Processing 2007.
    """

    mu: Annotated[float, Gt(0)]
    """Shear modulus [Pa]."""

    energy: ClassVar[str] = "mu*((l1 - 1)^2 + (l2 - 1)^2 + (l3 - 1)^2)"

    @classmethod
    def from_young(cls, young: Modulus, poisson: Modulus) -> Self:
        return cls(mu=bulk_and_shear(young, poisson)[1])
