"""The displayed fine surface of a coarse body: moved by the blended map of fine_map.py, which is continuous."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from supple.coarsening.coarse_body import CoarseBody
from supple.coarsening.fine_map import FineMap
from supple.types import Array, Ints


class FineCover:
    """A cover (mesh/embedding/cover.py): the closed surface of the fine body."""

    closed = True

    def __init__(self, body: CoarseBody) -> None:
        self.body = body

    @cached_property
    def _map(self) -> FineMap:
        return FineMap(self.body, blend=True)

    @property
    def bound(self) -> int:
        return len(self.body.vertices)

    @property
    def n(self) -> int:
        return len(self.body.skin)

    @property
    def triangles(self) -> Ints:
        return self.body.skin_triangles

    @property
    def edges(self) -> Ints:
        return np.empty((0, 2), dtype=np.int32)

    @property
    def grips(self) -> Ints:
        best = self.body.coordinates.argmax(axis=1)
        return np.asarray(self.body.tets[self.body.host, best], dtype=np.int32)

    def positions(self, x: Array) -> Array:
        return self._map.positions(x)

    def motion(self, x: Array, v: Array) -> tuple[Array, Array]:
        return self._map.motion(x, v)

    def mean(self, values: Array) -> Array:
        return np.asarray((values[self.body.tets[self.body.host]] * self._weights).sum(axis=1))

    @cached_property
    def _weights(self) -> Array:
        """(n, 4) weights of the corners of the coarse tet, none negative."""
        inner = np.clip(self.body.coordinates, 0.0, None)
        return np.asarray(inner / inner.sum(axis=1, keepdims=True))
