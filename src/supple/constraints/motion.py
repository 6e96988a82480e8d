"""Vertices with prescribed positions: pinned vertices and vertices that follow a script.

They are removed from the unknowns. Their velocity is the velocity of the script; the loop books the work that the
script does on the body.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from supple.types import Array, Ints


class Script(Protocol):
    """Positions and velocities at time t of vertices with rest positions X (k, 3)."""

    def position(self, X: Array, t: float) -> Array: ...

    def velocity(self, X: Array, t: float) -> Array: ...


@dataclass(frozen=True)
class Hold:
    """Pinned at its initial position."""

    def position(self, X: Array, t: float) -> Array:
        return X

    def velocity(self, X: Array, t: float) -> Array:
        return np.zeros_like(X)


@dataclass(frozen=True)
class Prescribed:
    """Some vertices and their script; `start` (k, 3) are their positions at time 0."""

    vertices: Ints
    start: Array
    script: Script

    @property
    def moves(self) -> bool:
        return not isinstance(self.script, Hold)


@dataclass(frozen=True)
class Motion:
    """All prescribed vertices of a system."""

    prescribed: tuple[Prescribed, ...] = field(default=())

    @property
    def moves(self) -> bool:
        return any(p.moves for p in self.prescribed)

    def held(self, n: int) -> np.ndarray:
        """(n,) True for prescribed vertices."""
        mask = np.zeros(n, dtype=bool)
        for p in self.prescribed:
            mask[p.vertices] = True
        return mask

    def place(self, x: Array, t: float) -> Array:
        """x with the prescribed rows at their positions at time t; x itself if nothing is prescribed."""
        if not self.prescribed:
            return x
        x = x.copy()
        for p in self.prescribed:
            x[p.vertices] = p.script.position(p.start, t)
        return x

    def drive(self, v: Array, t: float) -> Array:
        """v with the prescribed rows at the script's velocities at time t."""
        if not self.prescribed:
            return v
        v = v.copy()
        for p in self.prescribed:
            v[p.vertices] = p.script.velocity(p.start, t)
        return v
