"""Interpolation between frames: cubic pieces with continuous positions and velocities (C1).

The slope at a frame is the slope of the parabola through it and its neighbours, so four frames determine a piece and a
clip may stay on disk. After the last frame the values are held, and the slope there is zero. Before the first frame
they are held too: with `rest_first` the motion begins at rest, otherwise it begins with the slope of the first frames.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

import numpy as np

from supple.types import Array

KEPT = 8
"""Frames in memory."""


class Frames:
    """Values (..., ) at increasing times, read one frame at a time and joined by cubic pieces."""

    def __init__(self, times: Array, read: Callable[[int], Array], rest_first: bool = False) -> None:
        self.times, self._read, self.rest_first = times, read, rest_first
        self._kept: OrderedDict[int, Array] = OrderedDict()
        self._last: tuple[float, Array, Array] | None = None

    def __len__(self) -> int:
        return len(self.times)

    def __getitem__(self, k: int) -> Array:
        """The values of a frame."""
        if k not in self._kept:
            self._kept[k] = self._read(k)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return self._kept[k]

    def at(self, t: float) -> tuple[Array, Array]:
        """Values and slopes at a time."""
        if self._last is None or self._last[0] != t:
            self._last = (t, *self._piece(t))
        return self._last[1], self._last[2]

    def _piece(self, t: float) -> tuple[Array, Array]:
        times, last = self.times, len(self) - 1
        if last == 0 or t < times[0] or t >= times[last]:
            held = self[0 if t < times[0] else last]
            return held, np.zeros_like(held)
        k = int(np.searchsorted(times, t, side="right")) - 1
        h = float(times[k + 1] - times[k])
        s = (float(t) - float(times[k])) / h
        a, b, p, q = self[k], self[k + 1], self._slope(k), self._slope(k + 1)
        # a + s h p + ... written from a, so a motionless piece keeps every bit
        rise = b - a
        value = a + s * (h * p + s * ((3.0 * rise - h * (2.0 * p + q)) + s * (h * (p + q) - 2.0 * rise)))
        slope = p + s * (2.0 * (3.0 * rise / h - 2.0 * p - q) + s * 3.0 * (p + q - 2.0 * rise / h))
        return value, slope

    def _slope(self, k: int) -> Array:
        last = len(self) - 1
        if k == last or (k == 0 and self.rest_first):
            return np.zeros_like(self[k])
        after, h = self._rate(k)
        if k == 0:
            if last == 1:
                return after
            second, more = self._rate(1)
            return after + (after - second) * (h / (h + more))
        before, g = self._rate(k - 1)
        return (g * after + h * before) / (g + h)

    def _rate(self, k: int) -> tuple[Array, float]:
        """Difference quotient between frame k and the next, and the time between them."""
        h = float(self.times[k + 1] - self.times[k])
        return (self[k + 1] - self[k]) / h, h
