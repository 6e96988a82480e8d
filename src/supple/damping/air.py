"""The velocity of the air: as a function of position and time, as text, and as a sum of several winds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

import numpy as np

from supple.errors import SceneError, WrongOption
from supple.formulas.values import PresentComponents, VectorField, present_component
from supple.types import Array
from supple.values import Read, Written
from supple.wording import shown

Wind: TypeAlias = Callable[[Array, float], Array]
"""Positions (n, 3) [m] and time [s] -> velocities of the air (n, 3) [m/s]."""


def _as_wind(value: Any) -> Any:
    """Converts three numbers or expressions to a function; passes everything else through."""
    if not isinstance(value, list | tuple):
        return value
    if len(value) != 3:
        raise ValueError(f"input should be three numbers or expressions, found {shown(value)}")
    return VectorField(tuple(present_component(c) for c in value))


WindText = Annotated[Wind, Written(PresentComponents, VectorField), Read(_as_wind)]
"""In a scene file and in Python: three numbers, or expressions in x, y, z [m] and t [s]."""


@dataclass(frozen=True)
class Streams:
    """Several winds at once: their velocities add up."""

    parts: tuple[Wind, ...]

    def __call__(self, x: Array, t: float) -> Array:
        """(n, 3) velocities [m/s] at the positions x (n, 3) and the time t [s]."""
        return np.asarray(sum((part(x, t) for part in self.parts), np.zeros_like(x)))


@dataclass(frozen=True)
class WindOf:
    """A wind from a scene, with its place there for messages."""

    path: str
    wind: Wind

    def __call__(self, x: Array, t: float) -> Array:
        """(n, 3) velocities [m/s] at the positions x (n, 3) and the time t [s]."""
        try:
            return self.wind(x, t)
        except SceneError as error:  # an expression that is not finite somewhere
            raise SceneError(f"{self.path}: {error}") from None


def added(wind: Wind | None, more: Wind) -> Wind:
    """The sum of two winds; the first may be still air."""
    return more if wind is None else Streams((wind, more))


def air_velocity(wind: Wind, x: Array, t: float, kind: str) -> Array:
    """(n, 3) validated velocities of the air at x; `kind`: name of the damping for messages [m/s]."""
    w = np.asarray(wind(x, t), dtype=np.float64)
    if w.shape != x.shape or np.isfinite(x).all() > np.isfinite(w).all():
        found = f"shape {w.shape}" if w.shape != x.shape else "values that are not finite"
        raise WrongOption(
            kind,
            "wind",
            f"must give a finite velocity for each position, shape {x.shape}; found {found} at t = {t:g} s",
        )
    return w
