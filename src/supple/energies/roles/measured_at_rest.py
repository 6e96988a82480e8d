"""Terms that measure quantities of their elements at rest."""

from __future__ import annotations

import math
from functools import cached_property
from typing import ClassVar

import numpy as np

from supple.energies.differences import by_corners
from supple.types import Array, Ints


class MeasuredAtRest:
    """A term that takes lengths, angles, sizes ... of its elements from the rest positions, and nothing else."""

    elements: Ints
    rest: Array | None = None
    """(n, 3) rest positions that it was built from [m]; None if the measured quantities were given directly."""

    measured_again: ClassVar[frozenset[str]] = frozenset({"rest_length", "rest_angle", "theta0", "rest_size"})
    """Constants that change with the rest configuration."""

    def measured(self, corners: Array) -> dict[str, Array]:
        """Arrays (m, ...) by the names under which `with_constant` takes them, of elements with these corners (m, k, 3)."""
        raise TypeError(f"{type(self).__name__} does not define its measured arrays")

    def rest_at(self, x: Array) -> None:
        """Measure at the positions x from now on; for copies that rest elsewhere."""
        self.rest = x
        self.__dict__.pop("rest_slopes", None)

    @cached_property
    def rest_slopes(self) -> dict[str, Array]:
        """(m, k, 3, ...) derivatives of the measured arrays with respect to the corners at rest."""
        assert self.rest is not None
        corners = self.rest[self.elements]
        m, k = self.elements.shape
        shapes = {name: array.shape[1:] for name, array in self.measured(corners).items()}
        sizes = [math.prod(shape) for shape in shapes.values()]
        slopes = by_corners(self._columns, corners)
        parts = np.split(slopes, np.cumsum(sizes)[:-1], axis=3)
        return {name: part.reshape(m, k, 3, *shapes[name]) for name, part in zip(shapes, parts, strict=True)}

    def _columns(self, corners: Array) -> Array:
        """(m, c) all measured quantities."""
        return np.concatenate([array.reshape(len(corners), -1) for array in self.measured(corners).values()], axis=1)
