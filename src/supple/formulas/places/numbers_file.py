"""Values of all elements in a `.npy` file: the scene counterpart of arrays in Python."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from supple.arrays import read_npy
from supple.errors import SuppleError
from supple.types import Array
from supple.values import Deferred


@dataclass(frozen=True)
class NumbersFile(Deferred):
    """A constant with one entry per element, in the order of the mesh."""

    file: str
    """A `.npy` file of numbers; in a scene, relative to the scene file."""

    def at(self, points: Array, t: float = 0.0) -> Array:
        """(m,) values of the file, one for each of the points (m, 3)."""
        if Path(self.file).suffix != ".npy":
            raise SuppleError(f"{self.file}: numbers of elements are a .npy file")
        try:
            found = read_npy(self.file)
        except (OSError, ValueError) as error:
            raise SuppleError(f"{self.file}: cannot be read as .npy: {error}") from None
        if found.dtype.kind not in "iuf" or found.shape != (len(points),):
            raise SuppleError(
                f"{self.file}: {len(points)} numbers are needed, one for each element; found {found.dtype} of shape {found.shape}"
            )
        return found.astype(np.float64)
