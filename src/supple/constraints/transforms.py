"""Scripts that translate, rotate and scale together: keyframes of transforms, and compositions of scripts.

    x(X, t) = p + o(t) + R(t) S(t) (X - p)
    v(X, t) = o' + w x (R S (X - p)) + R S' (X - p),   w the angular velocity of R
p is the initial pivot, which moves with the offset o; the factors S act along the initial x, y, z axes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.constraints.motion import Script
from supple.constraints.rotations import crossed
from supple.constraints.tracks import Track, TurnTrack
from supple.types import Array

FRAME = np.concatenate([np.zeros((1, 3)), np.eye(3)])
"""Origin and ends of the unit vectors."""


@dataclass(frozen=True, eq=False)
class Transform:
    """Keyframes of offset, rotation and scale about a pivot; a channel without keys stays constant."""

    pivot: Array
    """(3,) [m]"""
    offset: Track | None = None
    """(3,) [m]"""
    rotation: TurnTrack | None = None
    scale: Track | None = None
    """(3,) factors."""

    def position(self, X: Array, t: float) -> Array:
        A, shift = self._linear(t)[0], self._shift(t)[0]
        return np.asarray((X - self.pivot) @ A.T + (self.pivot + shift))

    def velocity(self, X: Array, t: float) -> Array:
        rate, shift = self._linear(t)[1], self._shift(t)[1]
        return np.asarray((X - self.pivot) @ rate.T + shift)

    def _shift(self, t: float) -> tuple[Array, Array]:
        return (np.zeros(3), np.zeros(3)) if self.offset is None else self.offset.at(t)

    def _linear(self, t: float) -> tuple[Array, Array]:
        """R S and its rate."""
        R, spin = (np.eye(3), np.zeros(3)) if self.rotation is None else self.rotation.at(t)
        S, rate = (np.ones(3), np.zeros(3)) if self.scale is None else self.scale.at(t)
        return R * S, crossed(spin) @ (R * S) + R * rate


@dataclass(frozen=True)
class Combined:
    """Affine scripts, the first one applied first: x = f2(f1(X, t), t)."""

    scripts: tuple[Script, ...]

    def position(self, X: Array, t: float) -> Array:
        for script in self.scripts:
            X = script.position(X, t)
        return X

    def velocity(self, X: Array, t: float) -> Array:
        v = np.zeros_like(X)
        for script in self.scripts:
            v = v @ linear_part(script, t).T + script.velocity(X, t)
            X = script.position(X, t)
        return v


def linear_part(script: Script, t: float) -> Array:
    """(3, 3) matrix A of an affine script x = A X + b at a time."""
    at = script.position(FRAME, t)
    return np.asarray((at[1:] - at[0]).T)
