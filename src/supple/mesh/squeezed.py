"""Tets that a motion has turned inside out or robbed of their volume: a body that looks whole may be a rag."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from supple.linalg.volumes import count_below, six_volumes
from supple.mesh.mesh import Mesh
from supple.types import Array, Ints

LEAST = 0.1
"""Part of its volume at rest below which a tet counts as crushed."""


class Squeezed(NamedTuple):
    """Numbers of tets."""

    inverted: int
    """det F <= 0."""
    crushed: int
    """0 < det F < LEAST."""


class Volumes:
    """The tets of a mesh, to be counted at any positions of its vertices; those that are flat at rest do not count."""

    def __init__(self, mesh: Mesh) -> None:
        self._mesh = mesh

    def count(self, x: Array) -> Squeezed:
        """How many tets are inverted and crushed at x; some microseconds for a thousand."""
        if not self._mesh.is_solid:
            return Squeezed(0, 0)
        return Squeezed(*count_below(x, *self._rest, LEAST))

    def worst(self, x: Array) -> tuple[int, float]:
        """Number of the tet with the least det F at x, and that figure."""
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
