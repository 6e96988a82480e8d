"""The surface of a fine body embedded in a coarse one.

    y = Y + W (x - X)
with X, Y the rest positions of vertices and surface points, and W the barycentric coordinates of each point in its coarse
tet. The map is linear: a gradient at the points becomes W^T g at the vertices, a Hessian W^T K W.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from supple.energies.points.passage import Passage
from supple.types import Array, Ints


class FineSurface:
    """Points that follow the corners of tets."""

    def __init__(self, nodes: Array, tets: Ints, points: Array, host: Ints, coordinates: Array) -> None:
        """nodes (n, 3) rest positions of all vertices of the system [m], tets (q, 4) of them, points (f, 3) at rest [m],
        host (f,) tet of each point, coordinates (f, 4) in it."""
        ascending = np.argsort(tets, axis=1)  # the matrix stores its upper triangle only
        self.nodes, self.x = nodes, points
        self.tets = np.take_along_axis(tets, ascending, axis=1).astype(np.int32)
        self.host = host
        self.w: Array = np.ascontiguousarray(np.take_along_axis(coordinates, ascending[host], axis=1))

    @property
    def corners(self) -> Ints:
        """(f, 4) vertices that carry each point."""
        return self.tets[self.host]

    @cached_property
    def passage(self) -> Passage:
        """The points, grouped by the tets that contain any."""
        used, numbers = np.unique(self.host, return_inverse=True)
        order = np.argsort(numbers, kind="stable").astype(np.int32)
        start = np.concatenate([[0], np.cumsum(np.bincount(numbers, minlength=len(used)))]).astype(np.int32)
        return Passage(self, self.tets[used], start, order)

    def mean(self, field: Array) -> Array:
        return np.asarray(self._map @ field)

    def pulled(self, g: Array) -> Array:
        return np.asarray(self._back @ g)

    @cached_property
    def _map(self) -> csr_array:
        points, k = self.w.shape
        begins = np.arange(0, points * k + 1, k, dtype=np.int32)
        return csr_array((self.w.ravel(), self.corners.ravel(), begins), shape=(points, len(self.nodes)))

    @cached_property
    def _back(self) -> csr_array:
        return self._map.T.tocsr()
