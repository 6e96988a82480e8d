"""Solids with one family of fibres: the standard reinforcing model (Qiu and Pence 1997).

psi = mu/2 (I1 - 3) - mu (J - 1) + (lam + mu)/2 (J - 1)^2 + along/8 (I4 - 1)^2,  I4 = |F a|^2
A stable neo-Hookean matrix, and fibres along a that resist extension and compression equally. For small strains
I4 - 1 is twice the strain along them, so `along` adds to the modulus in that direction. A polynomial of degree 6: exact
under AVF.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from annotated_types import Ge, Gt

from supple.materials import MATERIALS
from supple.materials.fibrous.directions import Fibre
from supple.materials.formula_material import FormulaMaterial
from supple.materials.material import STRESSES


@MATERIALS("transversely-isotropic")
@dataclass(frozen=True)
class TransverselyIsotropic(FormulaMaterial):
    """Stable neo-Hookean solid with fibres along one direction, which resist extension and compression.

    A polynomial, so AVF conserves its energy to round-off. Use it in animation for muscle, reinforced rubber and
    wood-like bodies, where fibres need not go slack.

    Source: G. Y. Qiu, T. J. Pence, Remarks on the behavior of simple directionally reinforced incompressible nonlinearly elastic
    solids, Journal of Elasticity 49, 1997.
    """

    mu: Annotated[float, Gt(0)]
    """Shear modulus [Pa]."""
    lam: float
    """First Lame constant of the matrix [Pa]."""
    along: Annotated[float, Ge(0)] = 0.0
    """Additional stiffness along the fibres [Pa]."""
    fibre: Fibre = (1.0, 0.0, 0.0)
    """Direction of the fibres at rest; its length is ignored."""

    energy: ClassVar[str] = "mu/2*(I1 - 3) - mu*(J - 1) + (lam + mu)/2*(J - 1)^2 + along/8*(I4 - 1)^2"
    stresses: ClassVar[frozenset[str]] = STRESSES | {"along"}
