"""Direction of a film: look, captions, turntable, single moment."""

from __future__ import annotations

from dataclasses import dataclass

from supple.render.looks.look import SCIENTIFIC, Look
from supple.types import Array


@dataclass(frozen=True)
class Direction:
    """Settings of all pictures of a film."""

    look: Look = SCIENTIFIC
    captioned: bool = True
    """Whether labels, clock and colour bar are written."""
    period: float | None = None
    """Seconds of motion per revolution of a turntable [s]; None: no turntable."""
    frozen: float | None = None
    """The only moment that is shown [s]; None: the whole motion."""
    drawn: Array | None = None
    """Times of the pictures, if they differ from the survey times of the film [s]."""


PLAIN = Direction()
