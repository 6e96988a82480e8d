"""Densities that are sums of up to three terms of the same form, with constants numbered from 1."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from supple.errors import SuppleError
from supple.materials.formula_material import FormulaMaterial
from supple.materials.options import fields_of
from supple.materials.principal.density import PrincipalDensity
from supple.materials.principal.law import PrincipalLaw
from supple.types import Array

MOST_TERMS = 3


def summed(term: str, rest: str = "") -> str:
    """The energy with all terms; `#` in a term stands for its number."""
    return " + ".join([*(term.replace("#", str(k + 1)) for k in range(MOST_TERMS)), *([rest] if rest else [])])


class TermsMaterial(FormulaMaterial):
    """A term with mu = 0 has no cost; exponents must not be zero."""

    term: ClassVar[str]
    rest: ClassVar[str] = ""

    def __post_init__(self) -> None:
        for k in range(1, MOST_TERMS + 1):
            if not np.all(np.asarray(getattr(self, f"alpha{k}")) != 0.0):
                raise SuppleError(
                    f"{self.name}.alpha{k}: input should not be 0, because the term is divided by it; "
                    f"set mu{k} to 0 to leave the term out"
                )
        if not np.all(np.asarray(self.shear) > 0.0):
            raise SuppleError(
                f"{self.name}: the shear modulus at rest should be positive, found {np.min(self.shear):g} Pa; "
                "it is the sum over all terms"
            )

    @property
    def shear(self) -> Any:
        """Shear modulus at rest [Pa]."""
        raise TypeError(f"{type(self).__name__} does not define its shear modulus")

    @property
    def about_young(self) -> float:
        return super().about_young if self.moduli is not None else float(3.0 * np.max(self.shear))

    @property
    def law(self) -> PrincipalLaw:
        used = [self.term.replace("#", str(k)) for k in range(1, MOST_TERMS + 1) if np.any(getattr(self, f"mu{k}"))]
        energy = " + ".join([*used, *([self.rest] if self.rest else [])])
        return _law(energy, self.energy, tuple(f.name for f in fields_of(type(self))))


@dataclass(frozen=True, eq=False)
class _ShortLaw(PrincipalLaw):
    """A law without the terms whose mu is zero; derivatives with respect to constants are those of the full law."""

    whole: PrincipalLaw

    @property
    def sensitivity(self) -> int:
        return self.whole.sensitivity

    def walk_sensitivity(self, constants: dict[str, float], F: Array) -> tuple[Array, Array]:
        return self.whole.walk_sensitivity(constants, F)


@cache
def _law(energy: str, whole: str, names: tuple[str, ...]) -> PrincipalLaw:
    law = PrincipalLaw(PrincipalDensity(whole, names))
    return law if energy == whole else _ShortLaw(PrincipalDensity(energy, names), law)
