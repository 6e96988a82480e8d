"""Materials whose energy density is a formula: stress, tangent, degree and domain follow from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Self

import numpy as np

from supple.errors import SuppleError
from supple.materials.formula import FormulaLaw, formula_law
from supple.materials.material import Material, Modulus
from supple.materials.options import fields_of, with_values
from supple.types import Array

UNRESTED = 1e-10
"""Density and stress at rest, over the stiffness there, above which a formula is refused."""
ENTRY_1122, ENTRY_1212 = 4, 9
"""Places in the packed dP/dF of dP11/dF22 and dP12/dF12, the Lame constants of an isotropic body at rest."""


class _Found:
    """A property of the formula, known to the class if its energy is."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, material: Any, cls: type[FormulaMaterial]) -> Any:
        law = material.law if material is not None else formula_law(cls.energy, _names(cls))
        return getattr(law.density, self.name)


class FormulaMaterial(Material):
    """A frozen dataclass of constants with the `energy` density in them and in the variables of variables.py:
    I1, I2, J (or what they exceed 3, 3 and 1 by: i1, i2, j), E11 ... E23, F11 ... F33."""

    energy: ClassVar[str]
    """[J/m^3]"""
    degree = _Found("degree")
    quadratic_in_strain = _Found("quadratic_in_strain")

    @property
    def law(self) -> FormulaLaw:
        return formula_law(self.energy, _names(type(self)))


def _names(cls: Any) -> tuple[str, ...]:
    found: tuple[str, ...] = _field_names(cls)
    return found


@cache
def _field_names(cls: Any) -> tuple[str, ...]:
    return tuple(f.name for f in fields_of(cls))


@dataclass(frozen=True)
class OwnMaterial(FormulaMaterial):
    """A material made by `material`."""

    name: str  # type: ignore[misc]
    energy: str  # type: ignore[misc]
    values: tuple[tuple[str, Modulus], ...]
    """Constants by name."""

    def __post_init__(self) -> None:
        for name, value in self.values:
            if not np.isfinite(value).all():
                raise SuppleError(f"{self.name}.{name}: input should be a finite number, found {value}")
        try:
            self._demand_rest()
        except ValueError as error:
            raise SuppleError(f"{self.name}.energy: {error}") from None

    @property
    def law(self) -> FormulaLaw:
        return formula_law(self.energy, tuple(name for name, _ in self.values))

    def constants(self) -> dict[str, Modulus]:
        return dict(self.values)

    @property
    def about_young(self) -> float:
        """From the stiffness at rest as if it were isotropic: mu (3 lam + 2 mu)/(lam + mu) [Pa]."""
        C = self._at_rest()[2]
        lam, mu = C[ENTRY_1122], C[ENTRY_1212]
        return float(mu * (3 * lam + 2 * mu) / (lam + mu)) if lam + mu > 0 else 0.0

    def scaled(self, factor: float) -> Self:
        return with_values(self, energy=f"{factor!r} * ({self.energy})")

    def _at_rest(self) -> tuple[float, Array, Array]:
        """psi, P (9,) and the packed dP/dF (45,) with the constants of the first tet."""
        first = {name: float(np.ravel(value)[0]) for name, value in self.values}
        psi, P, C = self.law.walk(first, np.eye(3)[None])
        return float(psi[0]), P[0], C[0]

    def _demand_rest(self) -> None:
        """A body must store nothing and press nowhere before it is deformed."""
        psi, P, C = self._at_rest()
        if not (np.isfinite(psi) and np.isfinite(P).all() and np.isfinite(C).all()):
            raise SuppleError(f"{self.name}.energy: it is not defined at rest, where F is the identity")
        stiffness = float(np.abs(C).max())
        for offset, noun, unit in ((psi, "energy density", "J/m^3"), (P[np.abs(P).argmax()], "stress", "Pa")):
            if not abs(offset) <= UNRESTED * stiffness:
                raise SuppleError(
                    f"{self.name}.energy: at rest the {noun} should be zero, found {offset:g} {unit}; "
                    + ("subtract it" if noun == "energy density" else "add a term that balances it")
                )


def material(name: str, energy: str, **constants: Modulus) -> OwnMaterial:
    """A material of one's own from its energy density [J/m^3]; constants are numbers, or arrays with one entry a tet.

    material("gent", "-mu/2*Jm*log(1 - (I1 - 3)/Jm) - mu*log(J) + lam/2*log(J)^2", mu=1e5, lam=4e5, Jm=30.0)
    """
    return OwnMaterial(name, energy, tuple(constants.items()))
