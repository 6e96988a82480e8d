"""A solid with free constants: their names, bounds and initial guesses, and its construction from values."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import numpy as np
from annotated_types import Ge, Gt, Le, Lt

from supple.errors import SuppleError
from supple.materials import MATERIALS
from supple.materials.formula_material import material
from supple.materials.material import Material
from supple.materials.options import fields_of, with_values

VOLUMETRIC = ("bulk", "kappa", "lam")
"""Volumetric constants, which stretches of nearly incompressible solids do not determine."""
INCOMPRESSIBLE = 0.4995
"""Poisson's ratio that replaces 1/2: a bulk modulus of 1000 shear moduli."""
COMPRESSIBLE = 0.3
"""Initial guess where Poisson's ratio is a free constant."""


@dataclass(frozen=True)
class Constant:
    """A constant to be found, as a function of an unbounded or bounded variable near 0."""

    guess: float
    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False
    """Whether the lower bound is exclusive: the variable is then a logarithm."""

    def value(self, variable: float) -> float:
        if self.open_low:
            return self.low + (self.guess - self.low) * math.exp(variable)
        return self.guess + self._scale * variable

    def slope(self, variable: float) -> float:
        """d value / d variable."""
        return self.value(variable) - self.low if self.open_low else self._scale

    @property
    def bounds(self) -> tuple[float, float]:
        """Bounds of the variable."""
        if self.open_low:
            top = math.log((self.high - self.low) / (self.guess - self.low)) if math.isfinite(self.high) else 25.0
            return -25.0, top
        return (self.low - self.guess) / self._scale, (self.high - self.guess) / self._scale

    @property
    def _scale(self) -> float:
        return abs(self.guess) or 1.0


@dataclass(frozen=True)
class Family:
    """All solids of one law."""

    label: str
    names: tuple[str, ...]
    make: Callable[[Mapping[str, float]], Material]
    guesses: Callable[[float, float], dict[str, float]]
    """Initial guesses from Young's modulus and Poisson's ratio."""
    bounds: Mapping[str, Constant]
    """Bounds of the constants; their guesses are ignored."""

    def constants(self, young: float, poisson: float) -> dict[str, Constant]:
        """All constants with their guesses."""
        found = {}
        for name, guess in self.guesses(young, poisson).items():
            known = self.bounds.get(name, Constant(0.0))
            if not known.low <= guess <= known.high or (known.open_low and guess == known.low):
                raise SuppleError(
                    f"{self.label}.{name}: the initial guess {guess:g} is out of bounds; give another one"
                )
            found[name] = Constant(guess, known.low, known.high, known.open_low)
        return found


def family(law: str | type[Material], start: Mapping[str, float] | None = None, label: str = "") -> Family:
    """All solids of a registered law, by its name or class, or of a formula, whose constants are those of `start`."""
    given = dict(start or {})
    if isinstance(law, str) and not is_name(law):
        return _formula_family(label or "formula", law, given)
    cls = MATERIALS.find(law) if isinstance(law, str) else law
    if unknown := sorted(set(given) - {f.name for f in fields_of(cls)}):
        known = ", ".join(f.name for f in fields_of(cls))
        raise SuppleError(f"{cls.name}: unknown constant {', '.join(unknown)}; known: {known}")
    return _registered_family(label or cls.name, cls, given)


def is_name(law: str) -> bool:
    """Whether a text is the name of a material rather than a formula."""
    return re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", law) is not None


def _registered_family(label: str, cls: type[Any], given: Mapping[str, float]) -> Family:
    """All materials of a registered class; `given` are initial guesses by name. Non-numeric options are unchanged."""
    hints = get_type_hints(cls, include_extras=True)
    template = cls.from_young(1e6, COMPRESSIBLE)
    names = tuple(f.name for f in fields_of(cls) if isinstance(getattr(template, f.name), float))

    def guesses(young: float, poisson: float) -> dict[str, float]:
        made = cls.from_young(young, poisson)
        return {name: float(given.get(name, getattr(made, name))) for name in names}

    def make(values: Mapping[str, float]) -> Material:
        return with_values(template, **values)

    return Family(label, names, make, guesses, {name: bounds_of(hints[name]) for name in names})


def _formula_family(label: str, energy: str, given: Mapping[str, float]) -> Family:
    """All materials with a formula; positive initial guesses stay positive."""
    bounds = {name: Constant(1.0, 0.0, open_low=True) for name, value in given.items() if value > 0}

    def make(values: Mapping[str, float]) -> Material:
        return material(label, energy, **values)

    return Family(label, tuple(given), make, lambda young, poisson: dict(given), bounds)


def bounds_of(hint: Any) -> Constant:
    """The bounds in a type hint."""
    low, high, open_low = -math.inf, math.inf, False
    for mark in get_args(hint)[1:] if get_origin(hint) is Annotated else ():
        match mark:
            case Gt(gt=bound):
                low, open_low = float(bound), True  # type: ignore[arg-type]
            case Ge(ge=bound):
                low = float(bound)  # type: ignore[arg-type]
            case Lt(lt=bound) | Le(le=bound):
                high = float(bound) - (1e-9 * abs(float(bound)) if isinstance(mark, Lt) else 0.0)  # type: ignore[arg-type]
    return Constant(np.nan, low, high, open_low)
