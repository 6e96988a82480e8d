"""Speed of a simulation relative to real time."""

from __future__ import annotations

from collections import deque

WINDOW = 1.0
"""Averaging window [s]."""


class Pace:
    """Simulated seconds per wall second, averaged over WINDOW."""

    def __init__(self) -> None:
        self._marks: deque[tuple[float, float]] = deque()

    def restart(self, wall: float, t: float) -> None:
        """Restart after a pause or a jump."""
        self._marks.clear()
        self._marks.append((wall, t))

    def mark(self, wall: float, t: float) -> None:
        """The simulation is at t [s] when the clock is at `wall` [s]."""
        self._marks.append((wall, t))
        while len(self._marks) > 2 and wall - self._marks[1][0] >= WINDOW:
            self._marks.popleft()

    @property
    def value(self) -> float:
        """The speed; NaN before anything was simulated."""
        if len(self._marks) < 2:
            return float("nan")
        (wall0, t0), (wall1, t1) = self._marks[0], self._marks[-1]
        return (t1 - t0) / (wall1 - wall0) if wall1 > wall0 else float("nan")
