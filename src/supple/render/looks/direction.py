"""What a director asks of a film beside its runs: the look, the writing, a turntable, one moment only."""

from __future__ import annotations

from dataclasses import dataclass

from supple.render.looks.look import SCIENTIFIC, Look
from supple.types import Array


@dataclass(frozen=True)
class Direction:
    """Of all pictures of a film."""

    look: Look = SCIENTIFIC
    captioned: bool = True
    """Whether labels, clock and colour bar are written."""
    period: float | None = None
    """Seconds of motion per turn of a turntable [s]; None: no turntable."""
    frozen: float | None = None
    """The only moment that is shown [s]; None: all of them."""
    drawn: Array | None = None
    """Times of the pictures, if they are not those at which the film is surveyed [s]."""


PLAIN = Direction()
