"""Times of a run that are recorded in the animation."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from supple.dynamics.state import State
from supple.loop import Frame
from supple.recording.clock import FilmClock

NEARLY = 1e-6
"""Tolerance for matching a step to a frame, as a fraction of the frame interval: accumulated times are not exact."""


class Cadence(Protocol):
    """When to record."""

    def frames(self, steps: int, h: float) -> int:
        """Number of frames of a run of `steps` steps of h [s]."""

    def due(self, before: State, frame: Frame, whole_steps: int, recorded: int) -> Iterator[State]:
        """States to record after this frame; `before` is the previous state, `recorded` counts frames so far."""


@dataclass(frozen=True)
class EveryStep:
    """Every n-th whole step, and the initial state; for equal steps."""

    every: int = 1

    def frames(self, steps: int, h: float) -> int:
        return steps // self.every + 1

    def due(self, before: State, frame: Frame, whole_steps: int, recorded: int) -> Iterator[State]:
        if frame.whole and whole_steps % self.every == 0:
            yield frame.state


@dataclass(frozen=True)
class FramesPerSecond:
    """Times k / fps, independent of the steps: cubic Hermite interpolation between steps, with the velocities at both ends."""

    fps: float

    def frames(self, steps: int, h: float) -> int:
        return math.floor(steps * h * self.fps + NEARLY) + 1

    def due(self, before: State, frame: Frame, whole_steps: int, recorded: int) -> Iterator[State]:
        now = frame.state
        slack = NEARLY / self.fps
        while (t := recorded / self.fps) <= now.t + slack:
            yield replace(now, t=t) if t >= now.t - slack else between(before, now, t)
            recorded += 1


@dataclass(frozen=True)
class FilmFrames:
    """Frames of a film in slow or changing motion: film times k / fps, each at the simulated time given by the clock.

    States carry the film time, and velocities per second of film, so display and interpolation of frames need
    nothing else.
    """

    fps: float
    clock: FilmClock

    def frames(self, steps: int, h: float) -> int:
        return self.clock.frames(self.fps, steps * h, self._slack(0.0))

    def due(self, before: State, frame: Frame, whole_steps: int, recorded: int) -> Iterator[State]:
        now = frame.state
        while True:
            film = recorded / self.fps
            t, speed = self.clock.simulated(film), self.clock.speed_at(film)
            slack = self._slack(film)
            if t > now.t + slack:
                return
            state = now if t >= now.t - slack else between(before, now, t)
            yield State(film, state.x, speed * state.v)
            recorded += 1

    def _slack(self, film: float) -> float:
        return NEARLY * self.clock.speed_at(film) / self.fps


def between(a: State, b: State, t: float) -> State:
    """The state at time t of the cubic through positions and velocities of two states."""
    h = b.t - a.t
    s = (t - a.t) / h
    x = (
        (1 + 2 * s) * (1 - s) ** 2 * a.x
        + s * (1 - s) ** 2 * h * a.v
        + s * s * (3 - 2 * s) * b.x
        - s * s * (1 - s) * h * b.v
    )
    v = 6 * s * (1 - s) / h * (b.x - a.x) + (1 - s) * (1 - 3 * s) * a.v + s * (3 * s - 2) * b.v
    return State(t, x, v)
