"""Scales and ticks of plots that are written as text, matching `render/report/axis.js` of the page."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from supple.types import Array

FLOOR = 1e-17
"""Below the resolution of a double: not visible."""
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Tick:
    """A position on the scaled axis and its label."""

    at: float
    text: str


@dataclass(frozen=True)
class Scale:
    """Maps values to positions on an axis; symlog is linear below `linear` and logarithmic beyond."""

    kind: Literal["linear", "log", "symlog"] = "linear"
    linear: float = 1.0

    def __call__(self, values: Array) -> Array:
        """Positions of the values; nan for those without one."""
        with np.errstate(all="ignore"):
            if self.kind == "log":
                return np.where(values == 0, np.nan, np.log10(np.maximum(np.abs(values), FLOOR)))
            if self.kind == "symlog":
                return np.sign(values) * np.log10(1 + np.abs(values) / self.linear)
        return values

    def ticks(self, low: float, high: float, count: int) -> list[Tick]:
        """About `count` ticks between two positions."""
        if self.kind == "log":
            return _decades(low, high, count)
        if self.kind == "symlog":
            return self._both_sides(low, high, count)
        return plain_ticks(low, high, count)

    def _both_sides(self, low: float, high: float, count: int) -> list[Tick]:
        """Zero, and decades on both sides of it."""
        first = round(math.log10(self.linear))
        last = math.floor(max(abs(low), abs(high)) + math.log10(self.linear))
        every = max(1, math.ceil(2 * (last - first + 1) / max(count, 2)))
        ticks = [Tick(0.0, "0")]
        for k in range(first, last + 1, every):
            at = math.log10(1 + 10.0 ** (k - math.log10(self.linear)))
            ticks += [Tick(at, raised(k)), Tick(-at, f"\u2212{raised(k)}")]
        # with many decades the first labels would overlap the zero
        near = (high - low) / (4 * max(count, 1))
        return [tick for tick in ticks if low <= tick.at <= high and (tick.at == 0 or abs(tick.at) > near)]


def raised(k: int) -> str:
    """A power of ten."""
    return "10" + str(k).translate(_RAISED)


def plain_ticks(low: float, high: float, count: int) -> list[Tick]:
    """Round numbers from low to high."""
    rough = (high - low) / max(count, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [Tick(k * step, _plain(k, step, max(abs(low), abs(high)))) for k in range(first, last + 1)]


def _plain(k: int, step: float, largest: float) -> str:
    if k == 0:
        return "0"
    digits = max(1, math.ceil(math.log10(largest / step)) + 1)
    if largest >= 1e5 or largest < 1e-3:
        mantissa, _, exponent = f"{k * step:.{digits - 1}e}".partition("e")
        text = f"{mantissa}e{int(exponent)}"
    else:
        text = f"{k * step:.{max(0, -math.floor(math.log10(step) + 1e-9))}f}"
    return text.replace("-", "\u2212")


def _decades(low: float, high: float, count: int) -> list[Tick]:
    """Powers of ten between two exponents."""
    every = max(1, math.ceil((high - low) / max(count, 2)))
    inside = range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)
    return [Tick(float(k), raised(k)) for k in inside if k % every == 0]
