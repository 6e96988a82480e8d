"""A loss on one model: residuals of observations at steps, with forward and reverse derivatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from supple.dynamics.state import State
from supple.errors import SuppleError
from supple.fits.losses.instants import NEAR, Instant, between, instants
from supple.fits.losses.watched import Watched
from supple.model.model import Model
from supple.sensitivity.sweeps import Share
from supple.types import Array

Own = Callable[[int, State], Share | None]
"""A user-defined loss: step number and state -> its contribution, with derivatives."""


@dataclass(frozen=True)
class Setting:
    """Model and times for which a loss is prepared."""

    model: Model
    h: float
    steps: int

    @property
    def duration(self) -> float:
        return self.h * self.steps


@dataclass
class Seen:
    """Observations of a run: times of its steps [s], and values (m,) by the number of the step."""

    h: float
    times: list[float] = field(default_factory=list)
    values: dict[int, Array] = field(default_factory=dict)


class Prepared(Protocol):
    """One part of a loss."""

    @property
    def watched(self) -> Watched:
        """Observed quantity of a state."""

    @property
    def squared(self) -> bool:
        """Whether it adds the squares of its residuals, or their sum."""

    @property
    def first(self) -> float:
        """Time from which it contributes [s]."""

    @property
    def notes(self) -> tuple[str, ...]: ...

    def needs(self, t: float) -> bool:
        """Whether a step at that time is observed."""

    def residuals(self, seen: Seen) -> Array: ...

    def tangents(self, seen: Seen, dots: dict[int, Array]) -> Array:
        """Changes of the residuals along changes of the observations."""

    def pulled(self, seen: Seen, bar: Array) -> dict[int, Array]:
        """d (bar . residuals) with respect to the observations, by step."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """Differences from goals (f, m) at some times, over the square root of their number: squares add up to a mean."""

    watched: Watched
    times: Array
    goals: Array
    h: float
    points: int = 1
    """Points per goal: the mean is also taken over these."""
    squared: bool = True
    name: str = "target"

    @property
    def first(self) -> float:
        return float(self.times[0])

    @property
    def notes(self) -> tuple[str, ...]:
        count = between(self.times, self.h)
        if not count:
            return ()
        return (
            f"{self.name}: {count} of {len(self.times)} times lie between steps of {self.h:.4g} s; "
            "the motion is interpolated linearly there",
        )

    def needs(self, t: float) -> bool:
        return bool((np.abs(self.times - t) < (1.0 + NEAR) * self.h).any())

    def residuals(self, seen: Seen) -> Array:
        found = self._instants(seen)
        if not found:
            return np.zeros(0)
        rows = self._rows(found, seen.values) - self.goals[: len(found)]
        return rows.ravel() * self._scale(found)

    def tangents(self, seen: Seen, dots: dict[int, Array]) -> Array:
        found = self._instants(seen)
        return self._rows(found, dots).ravel() * self._scale(found) if found else np.zeros(0)

    def pulled(self, seen: Seen, bar: Array) -> dict[int, Array]:
        found = self._instants(seen)
        rows = bar.reshape(len(found), -1) * self._scale(found) if found else bar
        bars: dict[int, Array] = {}
        for instant, row in zip(found, rows, strict=True):
            for k, share in instant.parts:
                bars[k] = bars.get(k, 0.0) + share * row
        return bars

    def _instants(self, seen: Seen) -> list[Instant]:
        return instants(seen.times, self.times, self.h)

    def _scale(self, found: Sequence[Instant]) -> float:
        return 1.0 if not self.squared else float(1.0 / np.sqrt(len(found) * self.points))

    @staticmethod
    def _rows(found: Sequence[Instant], values: dict[int, Array]) -> Array:
        return np.array([sum(share * values[k] for k, share in instant.parts) for instant in found])


@dataclass(frozen=True, eq=False)
class Peak:
    """The largest value over all steps, or its difference from a goal."""

    watched: Watched
    goal: float | None = None
    first: float = 0.0
    notes: tuple[str, ...] = ()

    @property
    def squared(self) -> bool:
        return self.goal is not None

    def needs(self, t: float) -> bool:
        return True

    def residuals(self, seen: Seen) -> Array:
        return np.array([seen.values[self._top(seen)][0] - (self.goal or 0.0)])

    def tangents(self, seen: Seen, dots: dict[int, Array]) -> Array:
        return dots[self._top(seen)][:1]

    def pulled(self, seen: Seen, bar: Array) -> dict[int, Array]:
        return {self._top(seen): bar}

    @staticmethod
    def _top(seen: Seen) -> int:
        return max(seen.values, key=lambda k: float(seen.values[k][0]))


def check_times(times: Array, setting: Setting, name: str) -> None:
    """Refuse times outside the run."""
    slack = NEAR * setting.h
    outside = times[0] < -slack or times[-1] > setting.duration + slack
    if outside and len(times) == 1:
        raise SuppleError(
            f"{name}: {times[0]:g} s is outside the run, which covers 0 to {setting.duration:g} s; "
            "give another time, or change time.duration"
        )
    if outside:
        raise SuppleError(
            f"{name}: covers {times[0]:g} to {times[-1]:g} s, but the run covers 0 to {setting.duration:g} s; "
            "cut the target, or change time.duration"
        )
