"""Unknowns: parameters of a scene that a fit may change, and their scaled variables.

    young                    linear: value = start + unit z, unit a tenth of |start|
    young:log                log:    value = start exp(z/10), so one unit is about 10 %
A unit step in z then has the same meaning for a modulus in pascals and a ratio.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from supple.errors import SuppleError, did_you_mean
from supple.types import Array

TENTH = 0.1
"""Fraction of a value that is one unit of its variable."""
_BOUNDS = re.compile(r"[^,]*,[^,]*")
LARGEST = 600.0
"""Largest exponent of a factor in the range of a double."""
FORM = "KEY[:log][:each][:LOW,HIGH], such as body[0].material.young:log:1e4,1e8"


@dataclass(frozen=True)
class Unknown:
    """A parameter of the scene, by its key; a vector denotes its three components."""

    key: str
    """Key of the scene, such as `body[0].material.young`."""
    scale: Literal["linear", "log"] = "linear"
    """log: for positive values that may change by factors."""
    bounds: tuple[float, float] = (-math.inf, math.inf)
    """Lower and upper bound, in the unit of the key."""
    each: bool = False
    """One value per element of the body, for young and poisson of a solid."""
    start: float | None = None
    """Start of the search; default: the value in the scene."""
    unit: float | None = None
    """One unit of a linear unknown; default: a tenth of the start, or of the bounds around a start of 0."""

    def __post_init__(self) -> None:
        low, high = self.bounds
        if self.scale not in ("linear", "log"):
            raise SuppleError(
                f"unknown {self.key}: scale = {self.scale!r}{did_you_mean(str(self.scale), ('linear', 'log'))} "
                "known: linear, log"
            )
        if math.isnan(low) or math.isnan(high) or not low < high:
            raise SuppleError(f"unknown {self.key}: bounds {low:g}, {high:g}; give the lower one first")
        if self.scale == "log" and not high > 0.0:
            raise SuppleError(
                f"unknown {self.key}: an unknown on a log scale must be above 0, found bounds {low:g}, {high:g}"
            )
        if self.unit is not None and not (self.unit > 0.0 and math.isfinite(self.unit)):
            raise SuppleError(f"unknown {self.key}: unit {self.unit:g}; give a number above 0")

    def at(self, value: float) -> Variable:
        """The variable that begins at a value."""
        low, high = self.bounds
        if not low <= value <= high:
            raise SuppleError(f"unknown {self.key}: starts at {value:g}, outside its bounds {low:g}, {high:g}")
        if self.scale == "log" and not value > 0.0:
            raise SuppleError(f"unknown {self.key}: starts at {value:g}, and a log scale requires a start above 0")
        span = high - low if math.isfinite(high - low) else 1.0
        unit = self.unit or TENTH * (abs(value) or span)
        return Variable(self.scale, value, unit, low, high)


@dataclass(frozen=True)
class Variable:
    """The scaled form z of a number."""

    scale: Literal["linear", "log"]
    start: float
    unit: float
    low: float
    high: float

    def value(self, z: float) -> float:
        if self.scale == "log":
            found = self.start * math.exp(min(TENTH * z, LARGEST))
        else:
            found = self.start + self.unit * z
        return min(max(found, self.low), self.high)

    def z(self, value: float) -> float:
        """The variable of a value; -inf for a bound of 0 on a log scale."""
        if self.scale == "linear":
            return (value - self.start) / self.unit
        return math.log(value / self.start) / TENTH if value > 0.0 else -math.inf

    def slope(self, z: float) -> float:
        """d value/d z."""
        return TENTH * self.value(z) if self.scale == "log" else self.unit

    @property
    def bounds(self) -> tuple[float, float]:
        """Bounds of z."""
        return self.z(self.low), self.z(self.high)


@dataclass(frozen=True)
class Variables:
    """All variables of a fit, in the order of its numbers."""

    all: tuple[Variable, ...]

    def values(self, z: Array) -> list[float]:
        return [variable.value(float(one)) for variable, one in zip(self.all, z, strict=True)]

    def slopes(self, z: Array) -> Array:
        return np.array([variable.slope(float(one)) for variable, one in zip(self.all, z, strict=True)])

    @property
    def bounds(self) -> tuple[Array, Array]:
        low, high = zip(*(variable.bounds for variable in self.all), strict=True)
        return np.array(low), np.array(high)


def parse_unknown(text: str) -> Unknown:
    """`KEY[:log][:each][:LOW,HIGH]`; an omitted bound means none."""
    key, *words = (word.strip() for word in text.split(":"))
    if not key:
        raise SuppleError(f"unknown '{text}': has no key; give {FORM}")
    found = Unknown(key)
    for word in words:
        if word in ("log", "linear"):
            found = replace(found, scale="log" if word == "log" else "linear")
        elif word == "each":
            found = replace(found, each=True)
        elif _BOUNDS.fullmatch(word):
            found = replace(found, bounds=_bounds(text, word))
        else:
            raise SuppleError(f"unknown '{text}': cannot read '{word}'; give {FORM}")
    return found


def _bounds(text: str, word: str) -> tuple[float, float]:
    low, high = word.split(",")
    try:
        return float(low or "-inf"), float(high or "inf")
    except ValueError:
        raise SuppleError(f"unknown '{text}': its bounds '{word}' are not two numbers; give {FORM}") from None


def as_unknowns(given: Sequence[Unknown | str]) -> tuple[Unknown, ...]:
    """Unknowns from objects or text; at least one, without duplicates."""
    found = tuple(parse_unknown(one) if isinstance(one, str) else one for one in given)
    if not found:
        raise SuppleError(f"fit: no unknown is given; give at least one: {FORM}")
    keys = [unknown.key for unknown in found]
    for key in keys:
        if keys.count(key) > 1:
            raise SuppleError(f"unknown {key}: given {keys.count(key)} times; give it once")
    return found
