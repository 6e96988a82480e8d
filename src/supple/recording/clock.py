"""Film time and simulated time: `time.speed` is the simulated time per second of film.

    t(T) = integral of the speed from 0 to T      T: film time, t: simulated time [s]

Speeds with keys are polynomials between their keys, which four Gauss points integrate exactly; expressions are integrated in
cells of 1/32 s. Sums begin at 0, so a resumed run gives the same bits.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_right
from functools import cached_property
from typing import Any

import numpy as np

from supple.errors import SuppleError
from supple.formulas.curves import Curve, as_curve, at_time

SPEED = "speed"
"""Metadata of films in slow or changing motion: the speed over film time."""
CELL = 1.0 / 32.0
"""Length of an integration cell for expressions [s]."""
NODES, WEIGHTS = (array.tolist() for array in np.polynomial.legendre.leggauss(4))
MOST = 10_000_000
"""Largest number of frames of a film."""


class FilmClock:
    """Simulated time as a function of film time."""

    def __init__(self, speed: float | Curve = 1.0) -> None:
        """speed: seconds of motion per second of film, above 0 at all times."""
        self.speed = speed
        self._sums = [0.0]

    @property
    def text(self) -> str:
        """For the metadata of an animation."""
        speed = self.speed
        if not isinstance(speed, Curve):
            return json.dumps(speed)
        keys = {"keys": [list(key) for key in speed.keys], "interpolation": speed.interpolation}
        return json.dumps(speed.text or keys)

    @classmethod
    def read(cls, text: Any) -> FilmClock:
        """The clock of an animation; real time if none is stored."""
        if not isinstance(text, str) or not text:
            return cls()
        try:
            return cls(as_curve(json.loads(text)))
        except (ValueError, TypeError, RecursionError) as error:
            raise SuppleError(f"the speed of this film cannot be read: {error}; remove it from the animation") from None

    def speed_at(self, film: float) -> float:
        """Seconds of motion per second at a film time [-]."""
        value = at_time(self.speed, film, "time.speed")
        if not value > 0.0:
            raise SuppleError(
                f"time.speed: found {value:g} at {film:.4g} s of film; it must be above 0 at all times: a film in which "
                "nothing moves is a picture, and motion backwards is an edit"
            )
        return value

    def simulated(self, film: float) -> float:
        """Simulated time at a film time [s]."""
        if not isinstance(self.speed, Curve):
            return self.speed_at(film) * film
        k = self._cell(film)
        while len(self._sums) <= k:
            j = len(self._sums) - 1
            self._sums.append(self._sums[j] + self._piece(self._start(j), self._start(j + 1)))
        return self._sums[k] + self._piece(self._start(k), film)

    def frames(self, fps: float, until: float, slack: float) -> int:
        """Number of frames at `fps` that show the motion up to a simulated time [s]."""
        k = 0
        while self.simulated(k / fps) <= until + slack:
            k += 1
            if k > MOST:
                raise SuppleError(
                    f"time.speed: after {MOST / fps:g} s of film the run is not complete; give a higher speed"
                )
        return k

    @cached_property
    def _keys(self) -> list[float]:
        """Film times between which the speed is a polynomial."""
        times = [time for time, _ in self.speed.keys if time > 0.0] if isinstance(self.speed, Curve) else []
        return [0.0, *times]

    def _cell(self, film: float) -> int:
        if isinstance(self.speed, Curve) and self.speed.keys:
            return max(0, bisect_right(self._keys, film) - 1)
        return max(0, math.floor(film / CELL))

    def _start(self, k: int) -> float:
        return self._keys[k] if isinstance(self.speed, Curve) and self.speed.keys else k * CELL

    def _piece(self, start: float, end: float) -> float:
        middle, half = 0.5 * (start + end), 0.5 * (end - start)
        return half * math.fsum(w * self.speed_at(middle + half * x) for x, w in zip(NODES, WEIGHTS, strict=True))
