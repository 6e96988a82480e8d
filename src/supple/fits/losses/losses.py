"""Losses to be minimised by a fit. They can be added and multiplied by weights:

supple.follow("tip", "tip.csv") + 0.1 * supple.energy_at("elastic", 2.0, at=1.0)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from supple.errors import SuppleError, did_you_mean
from supple.fits.losses.parts import ALL, Follow, Highest, Once, Part, Roughness
from supple.fits.losses.prepared import Own
from supple.fits.losses.targets import Source, Target, read_target
from supple.fits.losses.watched import ENERGIES
from supple.types import Array


@dataclass(frozen=True)
class Weighted:
    """A part and its weight."""

    weight: float
    part: Part | Own | Roughness


@dataclass(frozen=True)
class Loss:
    """A weighted sum."""

    parts: tuple[Weighted, ...]
    """Terms of the sum, each with its weight."""

    def __add__(self, other: Loss) -> Loss:
        return Loss((*self.parts, *as_loss(other).parts))

    __radd__ = __add__

    def __mul__(self, factor: float) -> Loss:
        return Loss(tuple(Weighted(factor * one.weight, one.part) for one in self.parts))

    __rmul__ = __mul__

    def __neg__(self) -> Loss:
        return -1.0 * self

    @property
    def target(self) -> Target | None:
        """The followed target of the first part, if any."""
        return next((one.part.target for one in self.parts if isinstance(one.part, Follow)), None)


def follow(group: str, target: Source | Target, each: bool = False) -> Loss:
    """Mean square distance [m^2] from a target over time: of the mean of a group, or of `each` of its vertices; the group
    "all" means every vertex of the model."""
    found = target if isinstance(target, Target) else read_target(target)
    return _one(Follow(group, found, each or group == ALL))


def hit(group: str, point: Sequence[float], at: float | None = None, velocity: Sequence[float] | None = None) -> Loss:
    """Square distance [m^2] of the mean of a group from a point at a time, by default the end; with `velocity`, also the
    square of the difference of mean velocities [m^2/s^2]."""
    loss = _one(Once("x", group, _vector(point, "hit"), at))
    return loss if velocity is None else loss + _one(Once("v", group, _vector(velocity, "hit"), at))


def pose(target: Source | Target | Array, group: str = ALL, at: float | None = None) -> Loss:
    """Mean square distance [m^2] of the vertices of a group from target positions at a time, by default the end.
    target: positions (n, 3), or a file or a run, whose last frame counts."""
    if isinstance(target, np.ndarray):
        goal = target
    else:
        goal = (target if isinstance(target, Target) else read_target(target)).x[-1]
    return _one(Once("pose", group, np.asarray(goal, dtype=float), at))


def energy_at(column: str, value: float | None = None, at: float | None = None) -> Loss:
    """Square difference [J^2] of an energy from a value at a time, by default the end; without a value the energy itself [J]."""
    if column not in ENERGIES:
        raise SuppleError(
            f"energy_at: unknown column '{column}'{did_you_mean(column, ENERGIES)} known: {', '.join(ENERGIES)}"
        )
    return _one(Once(column, ALL, None if value is None else np.array([float(value)]), at))


def highest(group: str, height: float | None = None) -> Loss:
    """Square difference [m^2] of the maximum height of the mean of a group from a height; without one the maximum height
    itself [m]: `-1 * highest("ball")` throws as high as possible."""
    return _one(Highest(group, height))


def roughness(*keys: str, knee: float = 0.05) -> Loss:
    """Sum over neighbours of sqrt(d^2 + knee^2) - knee, d the difference of the logarithms of their values (of values over the
    start, on a linear scale). One key: an unknown with a value per element, whose neighbours share a face; several:
    a sequence of unknowns."""
    if not keys or not knee > 0.0:
        raise SuppleError("roughness: give keys of unknowns, and a knee above 0")
    return Loss((Weighted(1.0, Roughness(keys, knee)),))


def as_loss(given: Loss | Own) -> Loss:
    """A loss, or a function of step and state as one."""
    if isinstance(given, Loss):
        return given
    if callable(given):
        return Loss((Weighted(1.0, given),))
    raise SuppleError(
        f"loss: found {given!r}; give follow(...), hit(...), a sum of these, or a function of step and state"
    )


def _vector(given: Sequence[float], name: str) -> Array:
    found = np.asarray(given, dtype=float)
    if found.shape != (3,) or not np.isfinite(found).all():
        raise SuppleError(f"{name}: found {given!r}; give three numbers")
    return found


def _one(part: Part) -> Loss:
    return Loss((Weighted(1.0, part),))
