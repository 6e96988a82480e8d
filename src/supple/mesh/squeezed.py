"""Tets that a motion has inverted or crushed: a body that looks intact may have collapsed elements."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from supple.linalg.volumes import count_below, six_volumes
from supple.mesh.mesh import Mesh
from supple.types import Array, Ints

LEAST = 0.1
"""Fraction of its rest volume below which a tet counts as crushed."""


class Squeezed(NamedTuple):
    """Counts of tets."""

    inverted: int
    """det F <= 0."""
    crushed: int
    """0 < det F < LEAST."""


class Volumes:
    """The tets of a mesh, counted at any vertex positions; tets that are flat at rest are ignored."""

    def __init__(self, mesh: Mesh) -> None:
        self._mesh = mesh

    def count(self, x: Array) -> Squeezed:
        """Counts of inverted and crushed tets at x; takes a few microseconds per thousand tets."""
        if not self._mesh.is_solid:
            return Squeezed(0, 0)
        return Squeezed(*count_below(x, *self._rest, LEAST))

    def worst(self, x: Array) -> tuple[int, float]:
        """Index of the tet with the smallest det F at x, and that value."""
        tets, inverse = self._rest
        J = six_volumes(x, tets) * inverse
        e = int(np.argmin(J))
        return int(self._numbers[e]), float(J[e])

    @cached_property
    def _numbers(self) -> Ints:
        """Tets with a volume at rest."""
        found: Ints = np.flatnonzero(six_volumes(self._mesh.vertices, self._mesh.tets)).astype(np.int32)
        return found

    @cached_property
    def _rest(self) -> tuple[Ints, Array]:
        """(m, 4) corners of these tets, and 1 over six times their volumes, with the sign of the corners' order."""
        tets = np.ascontiguousarray(self._mesh.tets[self._numbers])
        return tets, 1.0 / six_volumes(self._mesh.vertices, tets)
