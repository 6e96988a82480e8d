"""Neo-Hookean solids that stay finite when elements collapse or invert.

log-free:    psi = mu/2 (I1 - 3) - mu (J - 1) + (lam + mu)/2 (J - 1)^2, a polynomial of degree 6: exact under AVF
Smith et al. 2018:
             psi = a/2 (I1 - 3) + b/2 (J - c)^2 - a/2 log(I1 + 1) + const,
             a = 4/3 mu, b = lam + 5/6 mu, c = 1 + 3 a / (4 b), so that mu and lam are the moduli at rest; with the
             constant that makes psi vanish there, b/2 (J - c)^2 is b/2 (J - 1)^2 - mu (J - 1)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from annotated_types import Gt

from supple.materials import MATERIALS
from supple.materials.formula_material import FormulaMaterial


@MATERIALS("stable-neo-hookean")
@dataclass(frozen=True)
class StableNeoHookean(FormulaMaterial):
    """Stable neo-Hookean without logarithm: energy exact under AVF with Gauss-3.

    The recommended default: flesh, jelly and rubber at moderate stretches, with elements that may collapse, invert
    and recover. A polynomial of degree 6, so AVF conserves its energy exactly.

    Source: the log-free form of B. Smith, F. de Goes, T. Kim, Stable neo-Hookean flesh simulation, ACM Transactions on Graphics
    37, 2018.
    """

    mu: Annotated[float, Gt(0)]
    """Shear modulus [Pa]."""
    lam: float
    """First Lame constant [Pa]."""

    energy: ClassVar[str] = "mu/2*(I1 - 3) - mu*(J - 1) + (lam + mu)/2*(J - 1)^2"


@MATERIALS("stable-neo-hookean-log")
@dataclass(frozen=True)
class StableNeoHookeanLog(FormulaMaterial):
    """Stable neo-Hookean of Smith, De Goes and Kim (2018).

    Use it to compare with programs that provide it. The logarithm is of I1, so the energy stays finite at zero volume
    too.

    Source: B. Smith, F. de Goes, T. Kim, Stable neo-Hookean flesh simulation, ACM Transactions on Graphics 37, 2018.
    """

    mu: Annotated[float, Gt(0)]
    """Shear modulus at rest [Pa]."""
    lam: float
    """First Lame constant at rest [Pa]."""

    energy: ClassVar[str] = "2/3*mu*(I1 - 3 - log((I1 + 1)/4)) - mu*(J - 1) + (lam + 5/6*mu)/2*(J - 1)^2"
