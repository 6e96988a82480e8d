"""St. Venant-Kirchhoff: the simplest rotation-invariant solid, quartic in F, so AVF conserves its energy exactly.

psi = mu E:E + lam/2 tr(E)^2,  E = (F^T F - I)/2
Limits: weak in strong compression, elements may invert.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from annotated_types import Gt

from supple.materials import MATERIALS
from supple.materials.formula_material import FormulaMaterial


@MATERIALS("stvk")
@dataclass(frozen=True)
class StVK(FormulaMaterial):
    """St. Venant-Kirchhoff solid.

    A linear law in Green's strain, quartic in F, so AVF conserves its energy exactly. Use it for stiff bodies with
    large rotations and small strains. It weakens in compression: a bar collapses at 1/sqrt(3) of its length, and
    elements may invert.

    Source: J. Bonet, R. D. Wood, Nonlinear Continuum Mechanics for Finite Element Analysis, Cambridge 2008.
    """

    mu: Annotated[float, Gt(0)]
    """Shear modulus [Pa]."""
    lam: float
    """First Lame constant [Pa]."""

    energy: ClassVar[str] = "mu*(E11^2 + E22^2 + E33^2 + 2*(E12^2 + E13^2 + E23^2)) + lam/2*(E11 + E22 + E33)^2"
