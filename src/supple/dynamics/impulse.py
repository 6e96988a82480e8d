"""Impulses: what changes velocities at fixed positions, between two steps of whatever method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from supple.types import Array

if TYPE_CHECKING:
    from supple.dynamics.state import State
    from supple.dynamics.step import Tools
    from supple.dynamics.system import System


class Impulse(Protocol):
    """A damper that gives impulses instead of forces."""

    def impulse(self, system: System, old: State, new: State, h: float, tools: Tools) -> Array:
        """(n, 3) impulse at the end of a step of h [s] from `old` to `new`; what it gives to prescribed vertices is ignored
        [N s]."""
