"""What the page may tell a simulation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from supple.viewer.settings import Settings


class Colouring(Enum):
    """What colours mean; the values are what users read."""

    NOTHING = "nothing"
    STRAIN = "strain energy"
    SPEED = "speed"


@dataclass(frozen=True)
class Play:
    """Run, or pause."""

    on: bool


@dataclass(frozen=True)
class Step:
    """One step, then pause."""


@dataclass(frozen=True)
class Reset:
    """Back to the start of the scene."""


@dataclass(frozen=True)
class Change:
    """Other settings, from the present state on."""

    settings: Settings


@dataclass(frozen=True)
class Hold:
    """The handle: a vertex and where it is drawn to [m]."""

    vertex: int
    target: tuple[float, float, float]


@dataclass(frozen=True)
class Release:
    """Let go of the handle."""


@dataclass(frozen=True)
class Colour:
    """Which value of the vertices to send along."""

    by: Colouring


@dataclass(frozen=True)
class RealTime:
    """Whether to wait for the clock, or go as fast as the machine can."""

    on: bool


@dataclass(frozen=True)
class Record:
    """Record what is simulated from now on into a new folder."""

    folder: str


@dataclass(frozen=True)
class Cut:
    """The end of a recording."""


@dataclass(frozen=True)
class Stop:
    """The end."""


Message: TypeAlias = Play | Step | Reset | Change | Hold | Release | Colour | RealTime | Record | Cut | Stop
