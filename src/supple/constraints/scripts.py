"""Predefined scripts: translate, rotate, keyframes. Each runs between `start` and `stop` and is at rest outside."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from supple.types import Array

Vector: TypeAlias = tuple[float, ...]
"""Three components."""


@dataclass(frozen=True)
class Window:
    """The time during which a script runs [s]."""

    start: float = 0.0
    stop: float = math.inf

    def elapsed(self, t: float) -> float:
        return min(max(t, self.start), self.stop) - self.start

    def runs(self, t: float) -> bool:
        return self.start <= t < self.stop


@dataclass(frozen=True)
class Translate:
    """Constant velocity [m/s]."""

    rate: Vector
    window: Window = Window()

    def position(self, X: Array, t: float) -> Array:
        return X + self.window.elapsed(t) * np.asarray(self.rate)

    def velocity(self, X: Array, t: float) -> Array:
        return np.broadcast_to(np.asarray(self.rate) if self.window.runs(t) else np.zeros(3), X.shape).copy()


@dataclass(frozen=True)
class Rotate:
    """Constant rate [rad/s] about an axis through a centre [m]."""

    axis: Vector
    centre: Vector
    rate: float
    window: Window = Window()

    def position(self, X: Array, t: float) -> Array:
        return rotated(X, self.axis, self.centre, self.rate * self.window.elapsed(t))

    def velocity(self, X: Array, t: float) -> Array:
        rate = self.rate if self.window.runs(t) else 0.0
        unit = np.asarray(self.axis) / np.linalg.norm(self.axis)
        return rate * np.cross(unit, self.position(X, t) - np.asarray(self.centre))


@dataclass(frozen=True)
class Keyframes:
    """Offsets [m] at given times [s], with linear interpolation or with smooth steps that are at rest at every key."""

    times: tuple[float, ...]
    offsets: tuple[Vector, ...]
    interpolation: Literal["linear", "smooth"] = "linear"

    def _segment(self, t: float) -> tuple[Array, Array, float, float]:
        """Offsets at both ends of the segment that contains t, the elapsed fraction, and the duration of the segment."""
        times, offsets = np.asarray(self.times), np.asarray(self.offsets, dtype=np.float64)
        if t < times[0]:
            return offsets[0], offsets[0], 0.0, 1.0
        if t >= times[-1]:
            return offsets[-1], offsets[-1], 0.0, 1.0
        k = int(np.searchsorted(times, t, side="right")) - 1
        span = times[k + 1] - times[k]
        return offsets[k], offsets[k + 1], (t - times[k]) / span, span

    def position(self, X: Array, t: float) -> Array:
        a, b, s, _ = self._segment(t)
        if self.interpolation == "smooth":
            s = s * s * (3.0 - 2.0 * s)
        return X + (a + s * (b - a))

    def velocity(self, X: Array, t: float) -> Array:
        a, b, s, span = self._segment(t)
        rate = 6.0 * s * (1.0 - s) if self.interpolation == "smooth" else 1.0
        return np.broadcast_to(rate / span * (b - a), X.shape).copy()


def rotated(X: Array, axis: Vector | Array, centre: Vector | Array, angle: float) -> Array:
    """X rotated by an angle [rad] about the axis through the centre (Rodrigues' formula)."""
    u = np.asarray(axis, dtype=np.float64) / np.linalg.norm(axis)
    d = X - np.asarray(centre)
    c, s = math.cos(angle), math.sin(angle)
    return np.asarray(centre) + c * d + s * np.cross(u, d) + (1.0 - c) * (d @ u)[:, None] * u
