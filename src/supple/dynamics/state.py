"""State of a system at one time."""

from __future__ import annotations

from dataclasses import dataclass

from supple.types import Array


@dataclass(frozen=True)
class State:
    """Time [s], positions (n, 3) [m], velocities (n, 3) [m/s]."""

    t: float
    """Time [s]."""
    x: Array
    """(n, 3) positions [m]."""
    v: Array
    """(n, 3) velocities [m/s]."""
