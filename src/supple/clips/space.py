"""Units and axes: as stated by a file, and the conversion of its positions to metres and to the axes of a scene."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.mesh.axes import KEPT, Turn
from supple.types import Array


@dataclass(frozen=True)
class Space:
    """Length unit and axes as stated by a file; None where its format has no entry for them."""

    metres: float | None = None
    """Metres per unit of length."""
    up: str | None = None
    """Axis that points up: x, y or z."""


@dataclass(frozen=True)
class Placement:
    """From the coordinates of a file to metres along the axes of a scene."""

    scale: float = 1.0
    turn: Turn = KEPT

    @classmethod
    def of(cls, space: Space, up: str, scale: float | None = None, file_up: str | None = None) -> Placement:
        """Into a scene with that axis up; `scale` and `file_up` override the file."""
        factor = (space.metres or 1.0) * (1.0 if scale is None else scale)
        old = file_up or space.up or up
        return cls(factor, Turn.to(old, up))

    def __call__(self, points: Array) -> Array:
        """(n, 3) in metres."""
        made = self.turn(points)
        return made if self.scale == 1.0 else made * self.scale

    def matrices(self, transforms: Array) -> Array:
        """Transforms (..., 4, 4) of row vectors, from file coordinates to file coordinates, as transforms of the scene."""
        into, back = np.eye(4), np.eye(4)
        into[:3, :3] = self.turn.matrix * self.scale
        back[:3, :3] = self.turn.matrix.T / self.scale
        made: Array = back @ transforms @ into
        return made

    def text(self, space: Space, up: str, file_up: str | None = None) -> str:
        """As text, such as `0.01 m per unit, z up -> y up`."""
        old = file_up or space.up
        axes = f"{old} up" if old == up else f"{old} up -> {up} up"
        return f"{self.scale:g} m per unit, {axes if old else f'taken as {up} up'}"
