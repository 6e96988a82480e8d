"""Which way is up: some formats know one answer only, and the motion is turned for them.

Turns are permutations of the coordinates and changes of sign, so that no digit of a position is lost.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.recording.playback import Singles


@dataclass(frozen=True)
class Turn:
    """Right-handed axes to right-handed axes: new coordinate i is `signs[i]` times the old one `order[i]`."""

    order: tuple[int, int, int]
    signs: tuple[int, int, int]

    @classmethod
    def to(cls, old: str, new: str) -> Turn:
        """The turn that takes the axis `old`, which pointed up, to `new`."""
        return KEPT if old == new else _TURNS[old, new]

    def __call__(self, values: Singles) -> Singles:
        """(n, 3) positions or velocities along the new axes."""
        if self == KEPT:
            return values
        return np.ascontiguousarray(values[:, self.order] * np.array(self.signs, dtype=np.float32))

    def moved(self, axis: str) -> str:
        """Where an axis, x, y or z, has gone."""
        return "xyz"[self.order.index("xyz".index(axis))]


KEPT = Turn((0, 1, 2), (1, 1, 1))

_TURNS = {
    # what Blender's importers undo: a run with z up comes back as it was
    ("z", "y"): Turn((0, 2, 1), (1, 1, -1)),
    ("y", "z"): Turn((0, 2, 1), (1, -1, 1)),
    # x up: the axes change places in a circle
    ("x", "y"): Turn((2, 0, 1), (1, 1, 1)),
    ("x", "z"): Turn((1, 2, 0), (1, 1, 1)),
}
