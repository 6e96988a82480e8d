"""The data available to a term that is frozen within a step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from supple.types import Array


@dataclass(frozen=True)
class Instant:
    """A step, and the configuration that represents it."""

    x0: Array
    """(n, 3) positions at the start of the step [m]."""
    place: Array
    """(n, 3) configuration at which terms are frozen: the start, the predicted middle or the end [m]."""
    t: float
    """Time of `place` [s]."""
    h: float
    """Length of the step [s]."""
    v: Array | None = None
    """(n, 3) velocities at which terms are frozen: those at the start, or of the state in question; None if unknown [m/s]."""
    found: bool = False
    """Whether `place` was obtained from a solution of the step rather than a prediction, which may be anywhere."""
    springs: Mapping[int, Array] | None = None
    """For terms whose springs persist over several steps, by the identity of the term: (m,) 1 where an element has one;
    None if earlier steps are unknown."""
    end: Array | None = None
    """(n, 3) positions at the end of the step, if an earlier solution of it is known [m]."""
    v0: Array | None = None
    """(n, 3) velocities at the start, if stiction is to use the end velocity 2 v - v0 instead of v [m/s]."""
