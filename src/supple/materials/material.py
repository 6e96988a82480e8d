"""Interface of all strain-energy densities."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, TypeAlias, TypeVar

import numpy as np

from supple.errors import SuppleError
from supple.formulas.curves import times
from supple.formulas.places.fields import UNPLACED, changes, option_at, varies
from supple.materials.lame import check_lame, lame
from supple.materials.options import fields_of, multiplied, unchecked, with_values
from supple.types import Array

if TYPE_CHECKING:
    from supple.materials.law import Law
    from supple.materials.rest.at_rest import AtRest

Modulus: TypeAlias = float | Array
"""A number for the whole body or an array with one entry per element."""

STRESSES = frozenset(
    {
        "mu", "lam", "c1", "c2", "bulk", "kappa", "young",
        "c3", "mu1", "mu2", "mu3", "resistance", "E1", "E2", "E3", "G12", "G13", "G23", "c",
    }
)  # fmt: skip
"""Constants in which most densities are linear [Pa]."""
Moduli: TypeAlias = tuple[Modulus, Modulus]
"""Young's modulus [Pa] and Poisson's ratio [-]."""
T_co = TypeVar("T_co", covariant=True)


class SolidPlace(Protocol[T_co]):
    """A positioned body, which turns a density into energy terms over its tets."""

    def solid(self, law: Material) -> Iterable[T_co]: ...


def _remembering(make: Callable[..., Any]) -> Any:
    """A `from_young` whose result stores the moduli it was made from."""

    @wraps(make)
    def from_young(cls: type[Any], young: Modulus, poisson: Modulus) -> Any:
        made = make(cls, young, poisson)
        object.__setattr__(made, "_moduli", (young, poisson))
        return made

    return classmethod(from_young)


class Material:
    """Density [J/m^3], first Piola-Kirchhoff stress [Pa] and its derivative, for all elements at once.

    A subclass is a frozen dataclass of its constants with a `law`, and states the `degree` of its density as a
    polynomial in F, or None if it is not one. Most are formulas, see formula_material.py.
    """

    name: ClassVar[str]
    degree: ClassVar[int | None] = None
    stresses: ClassVar[frozenset[str]] = STRESSES
    """Constants in which its density is linear [Pa]."""
    quadratic_in_strain: ClassVar[bool] = False
    """Whether the density is a quadratic function of C = F^T F: its mean stress over a step is then known exactly."""

    def __init_subclass__(cls) -> None:
        if isinstance(own := cls.__dict__.get("from_young"), classmethod):
            cls.from_young = _remembering(own.__func__)  # type: ignore[method-assign]

    def __post_init__(self) -> None:
        if hasattr(self, "mu") and hasattr(self, "lam"):
            check_lame(
                getattr(self, "name", type(self).__name__), self.mu, self.lam
            )  # user-defined classes have no name

    @classmethod
    def from_young(cls, young: Modulus, poisson: Modulus) -> Self:
        """From Young's modulus [Pa] and Poisson's ratio [-]."""
        mu, lam = lame(young, poisson)
        made = cls(mu=mu, lam=lam)  # type: ignore[call-arg]
        object.__setattr__(made, "_moduli", (young, poisson))
        return made

    @property
    def moduli(self) -> Moduli | None:
        """Young's modulus and Poisson's ratio, if the material was made from them."""
        names = {f.name for f in fields_of(self)}
        if {"young", "poisson"} <= names:
            young, poisson = (getattr(self, key) for key in ("young", "poisson"))
            return young, poisson
        return self.__dict__.get("_moduli")

    def with_moduli(self, young: Modulus, poisson: Modulus) -> Self:
        """The same law with other moduli; other options are unchanged."""
        options = [f for f in fields_of(self) if f.init]
        if {"young", "poisson"} <= {f.name for f in options}:
            return with_values(self, young=young, poisson=poisson)
        made = type(self).from_young(young, poisson)
        free = [f.name for f in options if f.default is not dataclasses.MISSING]
        if free:
            made = with_values(made, **{name: getattr(self, name) for name in free})
            object.__setattr__(made, "_moduli", (young, poisson))
        return made

    @property
    def about_young(self) -> float:
        """Young's modulus, or an estimate from the material's own constants; 0 if neither is known [Pa]."""
        if self.moduli is not None:
            return float(np.max(self.moduli[0]))
        shear = next((getattr(self, key) for key in ("mu", "c1") if hasattr(self, key)), 0.0)
        return float(3.0 * np.max(shear))

    def scaled(self, factor: float) -> Self:
        """The same material with its stiffness scaled by a factor."""
        own = multiplied(self, self.stresses, factor)
        return own if self.moduli is None else own.with_moduli(times(factor, self.moduli[0]), self.moduli[1])

    @property
    def varies(self) -> bool:
        """Whether it has constants that depend on position."""
        return any(map(varies, (*(self.moduli or ()), *(getattr(self, f.name) for f in fields_of(self)))))

    @property
    def changes(self) -> bool:
        """Whether it has constants that change with time."""
        return any(map(changes, (*(self.moduli or ()), *(getattr(self, f.name) for f in fields_of(self)))))

    def at(self, points: Array, t: float = 0.0) -> Self:
        """The same material with values at the centres of its tets (m, 3), and at a time [s], in place of fields."""
        moduli, made = self.moduli, self
        if moduli is not None and any(map(varies, moduli)):
            young, poisson = (
                option_at(self.name, k, v, points, t) for k, v in zip(("young", "poisson"), moduli, strict=True)
            )
            moduli = young, poisson
            made = self.with_moduli(*moduli)
        fields = {f.name: getattr(made, f.name) for f in fields_of(made)}
        given = {k: option_at(self.name, k, value, points, t) for k, value in fields.items() if varies(value)}
        if not given:
            return made
        placed = with_values(made, **given)
        object.__setattr__(placed, "_moduli", moduli)
        return placed

    def at_rest(self) -> AtRest:
        """Energy, stress and stiffness at F = I, for each set of its constants."""
        from supple.materials.rest.at_rest import at_rest, distinct

        sizes = [np.size(value) for value in self.constants().values()]
        return at_rest(self, distinct(self.parameters(max(sizes, default=1))))

    def terms(self, placed: SolidPlace[T_co]) -> Iterable[T_co]:
        """The energy terms of a body made of it."""
        return placed.solid(self)

    @property
    def law(self) -> Law:
        """Machine code of density, stress and tangent, in this process."""
        raise TypeError(f"{type(self).__name__} does not define its law")

    def constants(self) -> dict[str, Modulus]:
        """Constants of the law by name, in its order; by default the dataclass fields."""
        return {f.name: getattr(self, f.name) for f in fields_of(self)}

    def with_constant(self, name: str, values: Modulus) -> Self:
        """The same law with another value of one of its `constants`, without validation."""
        if name not in self.constants():
            raise SuppleError(f"{self.name}: unknown constant '{name}'; it has {', '.join(self.constants())}")
        return unchecked(self, **{name: values})

    def parameters(self, m: int) -> Array:
        """(m, c) constants of m elements."""
        constants = self.constants()
        table = np.empty((m, len(constants)))
        for k, (name, given) in enumerate(constants.items()):
            if varies(given):
                raise SuppleError(f"{self.name}.{name}: {UNPLACED}")
            value = np.asarray(given, dtype=np.float64)
            if value.ndim > 1 or (value.ndim == 1 and value.size != m):
                raise SuppleError(
                    f"{self.name}.{name}: must be one number or one for each of the {m} elements, found shape {value.shape}"
                )
            if not np.isfinite(value).all():
                raise SuppleError(f"{self.name}.{name}: must be finite")
            table[:, k] = value
        return table

    def density(self, F: Array) -> Array:
        """(m,) densities of (m, 3, 3) deformation gradients; +inf where the density is not defined."""
        return self._responses(F)[0]

    def stress(self, F: Array) -> Array:
        """(m, 3, 3) stresses P = d density / dF."""
        return self._responses(F)[1]

    def tangent(self, F: Array) -> Array:
        """(m, 3, 3, 3, 3) derivatives dP_ij / dF_kl."""
        from supple.materials.batches import tangents

        F = np.ascontiguousarray(F, dtype=np.float64)
        out = np.empty((len(F), 9, 9))
        tangents(self.law.tangent, self.parameters(len(F)), F.reshape(-1, 9), out)
        return out.reshape(-1, 3, 3, 3, 3)

    def _responses(self, F: Array) -> tuple[Array, Array]:
        from supple.materials.batches import responses

        F = np.ascontiguousarray(F, dtype=np.float64)
        density, stress = np.empty(len(F)), np.empty((len(F), 9))
        responses(self.law.response, self.parameters(len(F)), F.reshape(-1, 9), density, stress)
        return density, stress.reshape(-1, 3, 3)
