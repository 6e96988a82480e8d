"""Verdicts: measured figures, the bounds that a claim puts on them, and the conclusion."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from supple.errors import SuppleError


class Verdict(StrEnum):
    """Whether a claim holds here."""

    REPRODUCED = "reproduced"
    CORRECTED = "reproduced with a correction"
    NOT_REPRODUCED = "not reproduced"
    FAILED = "failed"
    """The panel could not be computed."""


@dataclass(frozen=True)
class Bound:
    """Range of a figure for which a claim holds, limits included."""

    low: float = -math.inf
    high: float = math.inf

    def __post_init__(self) -> None:
        if not self.low <= self.high:
            raise SuppleError(f"bound: found {self.low} to {self.high}; the first must not be above the second")

    def holds(self, value: float) -> bool:
        """Whether a figure is in the range; never true for NaN."""
        return self.low <= value <= self.high

    def __str__(self) -> str:
        if math.isinf(self.low):
            return f"at most {self.high:.4g}"
        if math.isinf(self.high):
            return f"at least {self.low:.4g}"
        return f"{self.low:.4g} to {self.high:.4g}"


def at_most(high: float) -> Bound:
    return Bound(high=high)


def at_least(low: float) -> Bound:
    return Bound(low=low)


def within(low: float, high: float) -> Bound:
    return Bound(low, high)


def about(value: float, tolerance: float) -> Bound:
    """Symmetric range around a value."""
    return Bound(value - tolerance, value + tolerance)


@dataclass(frozen=True)
class Figure:
    """A measured number, and for a claim the bound that decides its verdict."""

    what: str
    value: float
    bound: Bound | None = None
    """None for a figure that does not affect the verdict."""
    unit: str = ""
    printed: str = ""
    """The value printed in the source."""
    timed: bool = False
    """Whether it is measured by a clock, so that another load of the machine may change it."""

    @property
    def holds(self) -> bool:
        return self.bound is None or self.bound.holds(self.value)


def verdict_of(figures: list[Figure], corrected: bool) -> Verdict:
    """From the figures alone; `corrected`: the measured form differs from the printed claim."""
    if not any(figure.bound for figure in figures):
        raise SuppleError("a panel needs at least one figure with a bound")
    if not all(figure.holds for figure in figures):
        return Verdict.NOT_REPRODUCED
    return Verdict.CORRECTED if corrected else Verdict.REPRODUCED
