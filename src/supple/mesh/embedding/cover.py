"""The visible surface of a body in place of its own elements: a surface moved by the vertices of the body."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Protocol

import numpy as np
from scipy.sparse import csr_array

from supple.types import Array, Ints


class Cover(Protocol):
    """A surface of n points driven by b vertices of a body."""

    @property
    def bound(self) -> int:
        """b"""

    @property
    def n(self) -> int: ...

    @property
    def triangles(self) -> Ints:
        """(f, 3)"""

    @property
    def edges(self) -> Ints:
        """(e, 2) lines on no triangle."""

    @property
    def closed(self) -> bool:
        """Whether it is known to enclose a volume."""

    @property
    def grips(self) -> Ints:
        """(n,) the vertex of the body that each point follows most."""

    def positions(self, x: Array) -> Array:
        """(n, 3) when the vertices are at x (b, 3)."""

    def motion(self, x: Array, v: Array) -> tuple[Array, Array]:
        """(n, 3) positions and velocities when the vertices are at x and move with v."""

    def mean(self, values: Array) -> Array:
        """(n,) from values (b,) at the vertices; never outside their range."""


def _no_edges() -> Ints:
    return np.empty((0, 2), dtype=np.int32)


@dataclass(frozen=True, eq=False)
class Carried:
    """A surface whose points are fixed combinations of the vertices: see binding.py."""

    matrix: csr_array
    """(n, b)"""
    triangles: Ints
    edges: Ints = field(default_factory=partial(_no_edges))
    closed: bool = False

    @property
    def bound(self) -> int:
        return int(self.matrix.shape[1])

    @property
    def n(self) -> int:
        return int(self.matrix.shape[0])

    @cached_property
    def grips(self) -> Ints:
        starts, weights = self.matrix.indptr, self.matrix.data
        order = np.lexsort((weights, np.repeat(np.arange(self.n), np.diff(starts))))
        return np.asarray(self.matrix.indices[order[starts[1:] - 1]], dtype=np.int32)

    def positions(self, x: Array) -> Array:
        return np.asarray(self.matrix @ x)

    def motion(self, x: Array, v: Array) -> tuple[Array, Array]:
        return self.positions(x), self.positions(v)

    def mean(self, values: Array) -> Array:
        return np.asarray(self._means @ values)

    @cached_property
    def _means(self) -> csr_array:
        """The weights with negative ones removed."""
        starts, weights = self.matrix.indptr, np.clip(self.matrix.data, 0.0, None)
        row = np.repeat(np.arange(self.n), np.diff(starts))
        shares = weights / np.bincount(row, weights, self.n)[row]
        return csr_array((shares, self.matrix.indices, starts), shape=self.matrix.shape)
