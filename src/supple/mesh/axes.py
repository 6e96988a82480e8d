"""The up axis: conventions differ between files and programs, and positions are converted from one to another.

The rotations are permutations of the coordinates with changes of sign, so positions lose no digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T", bound=npt.NDArray[Any])


@dataclass(frozen=True)
class Turn:
    """Right-handed axes to right-handed axes: new coordinate i is `signs[i]` times the old one `order[i]`."""

    order: tuple[int, int, int]
    signs: tuple[int, int, int]

    @classmethod
    def to(cls, old: str, new: str) -> Turn:
        """The rotation that takes the axis `old`, which pointed up, to `new`."""
        if old == new:
            return KEPT
        return _TURNS[old, new] if (old, new) in _TURNS else _TURNS[new, old].back

    def __call__(self, values: T) -> T:
        """(n, 3) positions or velocities along the new axes, as precise as before."""
        if self == KEPT:
            return values
        made: T = np.ascontiguousarray(values[:, self.order] * np.array(self.signs, dtype=values.dtype))  # type: ignore[assignment]
        return made

    def moved(self, axis: str) -> str:
        """The image of an axis, x, y or z."""
        return "xyz"[self.order.index("xyz".index(axis))]

    @property
    def matrix(self) -> npt.NDArray[np.float64]:
        """(3, 3) rotation matrix R: row vectors x become x R."""
        made = np.zeros((3, 3))
        made[list(self.order), [0, 1, 2]] = self.signs
        return made

    @property
    def back(self) -> Turn:
        """The inverse rotation."""
        a, b, c = (self.order.index(i) for i in range(3))
        return Turn((a, b, c), (self.signs[a], self.signs[b], self.signs[c]))


KEPT = Turn((0, 1, 2), (1, 1, 1))

_TURNS = {
    # Blender's importers undo this: a run with z up is restored unchanged
    ("z", "y"): Turn((0, 2, 1), (1, 1, -1)),
    ("y", "z"): Turn((0, 2, 1), (1, -1, 1)),
    # x up: a cyclic permutation of the axes
    ("x", "y"): Turn((2, 0, 1), (1, 1, 1)),
    ("x", "z"): Turn((1, 2, 0), (1, 1, 1)),
}
