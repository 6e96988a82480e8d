"""One channel of keyframes over time: numbers or a rotation, with the exact rate of change, constant outside its keys.

With s in [0, 1] the elapsed fraction of a segment of length h, and a and b the values at its ends:
    linear    a + s (b - a)
    smooth    the same with s^2 (3 - 2 s): at rest at every key
    spline    Hermite's cubic with the slopes of the keys: C1, at rest at the first and the last key
Slopes are those of the parabola through a key and its two neighbours (Catmull and Rom 1974, for unequal times). A key
next to an equal one has slope zero, so the value stays constant between two equal keys. Slopes of values that must
stay positive are harmonic means instead (Fritsch and Butland 1984), which avoids overshoot.

Rotations R are products of rotations about fixed axes, so their rate is exact:
    linear, smooth    exp(s d) R_a,  d the rotation vector of the segment
    spline            exp(b3 w3) exp(b2 w2) exp(b1 w1) R_a,  b1 = 1 - (1 - s)^3,  b2 = s^2 (3 - 2 s),  b3 = s^3
with w1 = h/3 times the angular velocity at the start, w3 the same at the end, and w2 the remainder (Kim, Kim and Shin
1995).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from supple.constraints.rotations import nearest, turned_by
from supple.types import Array

Interpolation: TypeAlias = Literal["linear", "smooth", "spline"]


@dataclass(frozen=True)
class Passed:
    """Position of a time among the keys."""

    segment: int
    s: float
    """Elapsed fraction of the segment."""
    span: float
    """Length of the segment [s]; infinite outside the keys, where nothing moves."""


def passed(times: Array, t: float) -> Passed:
    """Segment that contains t; the value is constant before the first and after the last key."""
    if t < times[0] or len(times) == 1:
        return Passed(0, 0.0, np.inf)
    if t >= times[-1]:
        return Passed(len(times) - 2, 1.0, np.inf)
    k = int(np.searchsorted(times, t, side="right")) - 1
    span = float(times[k + 1] - times[k])
    return Passed(k, float(t - times[k]) / span, span)


def eased(s: float, interpolation: Interpolation) -> tuple[float, float]:
    """Interpolation weight between one key and the next, and its derivative with respect to s."""
    return (s, 1.0) if interpolation == "linear" else (s * s * (3.0 - 2.0 * s), 6.0 * s * (1.0 - s))


@dataclass(frozen=True, eq=False)
class Track:
    """Numbers over time."""

    times: Array
    """(k,) [s]"""
    values: Array
    """(k, c)"""
    interpolation: Interpolation = "linear"
    bounded: bool = False
    """Whether a spline must stay between the values of its adjacent keys."""

    def at(self, t: float) -> tuple[Array, Array]:
        """(c,) values at a time, and their rates."""
        at, y = passed(self.times, t), self.values
        if len(y) == 1:
            return y[0], np.zeros_like(y[0])
        k, s, h = at.segment, at.s, at.span
        step = y[k + 1] - y[k]
        if self.interpolation != "spline" or np.isinf(h):
            part, rate = eased(s, self.interpolation)
            return y[k] + part * step, rate / h * step
        m0, m1 = h * self.slopes[k], h * self.slopes[k + 1]
        square, cube = 3.0 * step - 2.0 * m0 - m1, m0 + m1 - 2.0 * step
        return y[k] + s * (m0 + s * (square + s * cube)), (m0 + s * (2.0 * square + 3.0 * s * cube)) / h

    @cached_property
    def slopes(self) -> Array:
        """(k, c) rates at the keys of a spline."""
        return key_slopes(self.times, np.diff(self.values, axis=0), self.bounded)


@dataclass(frozen=True, eq=False)
class TurnTrack:
    """A rotation over time."""

    times: Array
    """(k,) [s]"""
    turns: Array
    """(k, 3, 3) rotations at the keys."""
    steps: Array
    """(k - 1, 3) rotation vectors from each key to the next: exp(steps[k]) turns[k] = turns[k + 1] [rad]."""
    interpolation: Interpolation = "linear"

    def at(self, t: float) -> tuple[Array, Array]:
        """(3, 3) rotation at a time, and its angular velocity (3,) [rad/s]."""
        at = passed(self.times, t)
        if len(self.turns) == 1:
            return self.turns[0], np.zeros(3)
        k, s, h = at.segment, at.s, at.span
        if np.isinf(h):
            return self.turns[k + round(s)], np.zeros(3)
        if self.interpolation != "spline":
            part, rate = eased(s, self.interpolation)
            return turned_by(part * self.steps[k]) @ self.turns[k], rate / h * self.steps[k]
        turn, spin = self.turns[k], np.zeros(3)
        parts = (1.0 - (1.0 - s) ** 3, s * s * (3.0 - 2.0 * s), s**3)
        rates = (3.0 * (1.0 - s) ** 2, 6.0 * s * (1.0 - s), 3.0 * s * s)
        for w, part, rate in zip(self._hermite[k], parts, rates, strict=True):
            more = turned_by(part * w)
            turn, spin = more @ turn, rate / h * w + more @ spin
        return turn, spin

    @cached_property
    def _hermite(self) -> list[tuple[Array, Array, Array]]:
        """w1, w2, w3 of each segment."""
        spins, found = key_slopes(self.times, self.steps, False), []
        for k, (h, step) in enumerate(zip(np.diff(self.times), self.steps, strict=True)):
            first, last = h / 3.0 * spins[k], h / 3.0 * spins[k + 1]
            missing = turned_by(-last) @ self.turns[k + 1] @ self.turns[k].T @ turned_by(-first)
            found.append((first, nearest(missing, step - first - last), last))
        return found


def key_slopes(times: Array, steps: Array, bounded: bool) -> Array:
    """(k, c) rates of change at the keys from the changes (k - 1, c) between them."""
    h = np.diff(times)[:, None]
    rates, slopes = steps / h, np.zeros((len(times), steps.shape[1]))
    if len(times) < 3:
        return slopes
    before, after = rates[:-1], rates[1:]
    early, late = h[:-1], h[1:]
    if bounded:
        alike = before * after > 0.0
        a, b = np.where(alike, before, 1.0), np.where(alike, after, 1.0)
        mean = 3.0 * (early + late) / ((2.0 * late + early) / a + (late + 2.0 * early) / b)
        slopes[1:-1] = np.where(alike, mean, 0.0)
        return slopes
    moving = np.asarray(before.any(axis=1) & after.any(axis=1))
    slopes[1:-1] = np.where(moving[:, None], (late * before + early * after) / (early + late), 0.0)
    return slopes
