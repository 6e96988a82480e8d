"""What a term that is frozen in a step may look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from supple.types import Array


@dataclass(frozen=True)
class Instant:
    """A step, and the configuration that stands for it as a whole."""

    x0: Array
    """(n, 3) positions at the start of the step [m]."""
    place: Array
    """(n, 3) configuration at which what depends on it is taken: the start, the predicted middle or the end [m]."""
    t: float
    """Time of `place` [s]."""
    h: float
    """Length of the step [s]."""
    v: Array | None = None
    """(n, 3) velocities at which what depends on them is taken: those at the start, or of the state that is asked about;
    None if they are not known [m/s]."""
    found: bool = False
    """Whether `place` comes from a solution of the step, instead of a prediction, which may be anywhere."""
    springs: Mapping[int, Array] | None = None
    """Of terms whose springs stay for several steps, by the identity of the term: (m,) 1 where an element has one; None if
    nothing is known of earlier steps."""
    end: Array | None = None
    """(n, 3) positions at the end of the step, where an earlier solution of it is known [m]."""
    v0: Array | None = None
    """(n, 3) velocities at the start, if what sticks then is to look at the velocity at the end, 2 v - v0, instead of v [m/s]."""
