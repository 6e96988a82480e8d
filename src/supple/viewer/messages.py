"""Messages from the page to a simulation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from supple.viewer.settings import Settings


class Colouring(Enum):
    """Coloured quantity; the values are the labels shown to users."""

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
    """Other settings, from the current state on."""

    settings: Settings


@dataclass(frozen=True)
class Hold:
    """The handle: a vertex and its target position [m]."""

    vertex: int
    target: tuple[float, float, float]


@dataclass(frozen=True)
class Release:
    """Release the handle."""


@dataclass(frozen=True)
class Colour:
    """The vertex value to send with frames."""

    by: Colouring


@dataclass(frozen=True)
class RealTime:
    """Whether to run in real time, or as fast as possible."""

    on: bool


@dataclass(frozen=True)
class Record:
    """Start recording the simulation into a new folder."""

    folder: str


@dataclass(frozen=True)
class Cut:
    """Stop the recording."""


@dataclass(frozen=True)
class Stop:
    """Stop the simulation."""


Message: TypeAlias = Play | Step | Reset | Change | Hold | Release | Colour | RealTime | Record | Cut | Stop
