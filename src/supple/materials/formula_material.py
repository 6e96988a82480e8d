"""Materials whose energy density is a formula: stress, tangent, degree and domain follow from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, Self

import numpy as np

from supple.errors import SuppleError, WrongOption
from supple.formulas.curves import Curve
from supple.formulas.graph import leaves
from supple.formulas.parse import parse
from supple.formulas.places.fields import Field, changes, of_curve, option_at, varies
from supple.formulas.source import cut
from supple.materials import FORMULAS
from supple.materials.fibrous.directions import Fibre, components
from supple.materials.formula import NAMES, FormulaLaw, formula_law
from supple.materials.material import Material, Modulus
from supple.materials.options import fields_of, unchecked, with_values
from supple.materials.principal.law import PrincipalLaw
from supple.materials.rest.at_rest import AtRest, at_rest, distinct
from supple.materials.rest.demand import demand_rest
from supple.materials.variables import DIRECTIONS, FIBRES, direction
from supple.types import Array
from supple.values import FREE_KEYS, Deferred
from supple.wording import shown

Constant = float | str | Field | Array
"""A number, an expression in the rest position, or an array with one entry per tet."""


class _Found:
    """A property of the formula, available on the class if its energy is."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, material: Any, cls: type[FormulaMaterial]) -> Any:
        law = material.law if material is not None else formula_law(cls.energy, law_names(cls))
        return getattr(law.density, self.name)


class FormulaMaterial(Material):
    """A frozen dataclass of constants, with the `energy` density as a formula in them and in the variables of
    variables.py: I1, I2, J (or their excess over 3, 3 and 1: i1, i2, j), E11 ... E23, F11 ... F33; or in the
    stretches l1, l2, l3. Fields `fibre` and `fibre2` are directions, for energies with I4 and I6."""

    energy: ClassVar[str]
    """[J/m^3]"""
    degree = _Found("degree")
    quadratic_in_strain = _Found("quadratic_in_strain")

    @property
    def law(self) -> FormulaLaw | PrincipalLaw:
        return formula_law(self.energy, law_names(type(self)))

    @property
    def label(self) -> str:
        """Name used in messages."""
        return str(getattr(self, "name", type(self).__name__))

    def constants(self) -> dict[str, Modulus]:
        found: dict[str, Modulus] = {}
        for f in fields_of(self):
            value = getattr(self, f.name)
            found |= components(self.label, f.name, value) if f.name in FIBRES else {f.name: value}
        return found

    def checked_rest(self, table: Array) -> AtRest:
        """The material at rest with each row of constants; a formula with energy or stress at rest is rejected."""
        rows = distinct(table)
        rest = at_rest(self, rows)
        demand_rest(self.label, tuple(self.constants()), rows, rest)
        return rest

    def sensitivity(self, F: Array) -> dict[str, tuple[Array, Array]]:
        """Derivatives of densities (m,) and stresses (m, 3, 3) of (m, 3, 3) deformation gradients by each constant.

        Zero where the density is not defined. Fibre directions have a fixed length and are not constants here.
        """
        from supple.materials.batches import sensitivities

        F = np.ascontiguousarray(F, dtype=np.float64)
        names, table = list(self.constants()), self.parameters(len(F))
        density, stress = np.empty(table.shape), np.empty((*table.shape, 9))
        sensitivities(self.law.sensitivity, table, F.reshape(-1, 9), density, stress)
        by_name = {name: (density[:, k].copy(), stress[:, k].reshape(-1, 3, 3)) for k, name in enumerate(names)}
        return {name: found for name, found in by_name.items() if name not in DIRECTIONS}


def law_names(cls: Any) -> tuple[str, ...]:
    """Constants of the law of a class, with directions as components."""
    found: tuple[str, ...] = _law_names(cls)
    return found


@cache
def _law_names(cls: Any) -> tuple[str, ...]:
    return tuple(name for f in fields_of(cls) for name in (direction(f.name) if f.name in FIBRES else (f.name,)))


@FORMULAS("formula")
@dataclass(frozen=True)
class Formula(FormulaMaterial):
    """A user-defined material: an energy density, and a constant for each further key."""

    energy: str  # type: ignore[misc]
    """Energy density [J/m^3] in the invariants I1, I2, J, I4, I6, in Green's strain E11 ... E23, or in F11 ... F33."""
    values: tuple[tuple[str, Any], ...] = field(default=(), metadata=FREE_KEYS)
    """Constants by name."""
    title: str = ""
    """Name used in messages."""
    fibre: Fibre | None = None
    """Direction of fibres at rest, along which I4 is the squared stretch; its length is ignored."""
    fibre2: Fibre | None = None
    """Direction of a second family, with I6."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", tuple((name, self._constant(name, value)) for name, value in self.values))
        try:
            self.law.demand_size()
            self._demand_use()
        except ValueError as error:
            raise WrongOption(self.label, "energy", str(error)) from None
        if not self.varies:
            m = max((np.size(value) for value in self.constants().values()), default=1)
            self.checked_rest(self.parameters(m))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Formula) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[Any, ...]:
        given = (*self.values, ("fibre", self.fibre), ("fibre2", self.fibre2))
        return self.energy, tuple((k, v.tobytes() if isinstance(v, np.ndarray) else v) for k, v in given)

    @property
    def label(self) -> str:
        return self.title or self.name

    @property
    def law(self) -> FormulaLaw | PrincipalLaw:
        directions = (name for key in FIBRES if getattr(self, key) is not None for name in direction(key))
        return formula_law(self.energy, (*(name for name, _ in self.values), *directions))

    @property
    def varies(self) -> bool:
        """Whether it has constants that depend on position."""
        return any(map(varies, (*dict(self.values).values(), self.fibre, self.fibre2)))

    def constants(self) -> dict[str, Modulus]:
        found: dict[str, Modulus] = dict(self.values)
        for key in FIBRES:
            if getattr(self, key) is not None:
                found |= components(self.label, key, getattr(self, key))
        return found

    def with_constant(self, name: str, values: Modulus) -> Self:
        if name not in dict(self.values):
            raise SuppleError(f"{self.label}: unknown constant '{name}'; it has {', '.join(dict(self.values))}")
        return unchecked(self, values=tuple((key, values if key == name else old) for key, old in self.values))

    @property
    def changes(self) -> bool:
        return any(map(changes, (*dict(self.values).values(), self.fibre, self.fibre2)))

    def at(self, points: Array, t: float = 0.0) -> Self:
        values = tuple((name, option_at(self.label, name, value, points, t)) for name, value in self.values)
        fibres = {key: option_at(self.label, key, getattr(self, key), points, t) for key in FIBRES}
        return with_values(self, values=values, **fibres)

    @property
    def about_young(self) -> float:
        """The largest uniaxial modulus at rest along an axis [Pa]."""
        rows = distinct(self.parameters(max(np.size(value) for value in self.constants().values())))
        return float(at_rest(self, rows).young.max())

    def scaled(self, factor: float) -> Self:
        return with_values(self, energy=f"{factor!r} * ({self.energy})")

    def _demand_use(self) -> None:
        names = [name for name, _ in self.values]
        used = leaves([parse(self.energy, (*NAMES, *names), {})])
        for name in names:
            if name not in used:
                raise WrongOption(self.label, name, f"the energy '{cut(self.energy)}' does not depend on it")

    def _constant(self, name: str, value: Any) -> Any:
        if isinstance(value, str):
            try:
                return Field(value)
            except ValueError as error:
                raise WrongOption(self.label, name, str(error)) from None
        if isinstance(value, Curve):
            return of_curve(value)
        if isinstance(value, Deferred):
            return value
        array = np.asarray(value) if isinstance(value, np.ndarray | list | tuple | np.number | float | int) else None
        if array is None or isinstance(value, bool) or array.dtype.kind not in "iuf":
            raise WrongOption(
                self.label, name, f"input should be a number or an expression of X, Y, Z, found {shown(value)}"
            )
        if not np.isfinite(array).all():
            found = array[~np.isfinite(array)].flat[0]
            raise WrongOption(self.label, name, f"input should be a finite number, found {found}")
        return array.astype(np.float64) if array.ndim else float(array)


def material(name: str, energy: str, *, fibre: Any = None, fibre2: Any = None, **constants: Constant) -> Formula:
    """A user-defined material from its energy density [J/m^3]; constants are numbers, expressions in the rest
    position X, Y, Z, or arrays with one entry per tet.

    material("gent", "-mu/2*Jm*log(1 - (I1 - 3)/Jm) - mu*log(J) + lam/2*log(J)^2", mu=1e5, lam=4e5, Jm=30.0)
    """
    return Formula(energy, tuple(constants.items()), name, fibre, fibre2)
