"""Interpolation of particle positions from grid nodes: x_p(y) = x_p + sum_i w_ip (y_i - X_i), which is linear."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from supple.types import Array, Ints


class Follows(Protocol):
    """A grid, as particles see it."""

    @property
    def x(self) -> Array:
        """(n, 3) particles for the current nodes."""
        ...

    @property
    def nodes(self) -> Array:
        """(N, 3)"""
        ...

    @property
    def w(self) -> Array:
        """(n, k) weights of all particles."""
        ...

    def mean(self, field: Array) -> Array:
        """(n, 3) W field."""
        ...

    def pulled(self, g: Array) -> Array:
        """(N, 3) W^T g."""
        ...


class Passage:
    """Interpolation of particles from the nodes of a grid; cells as in `PointSolid`."""

    def __init__(self, grid: Follows, corners: Ints, start: Ints, order: Ints) -> None:
        """Cell e with nodes corners[e] contains the particles order[start[e]:start[e + 1]]."""
        self._grid, self.x, self.nodes = grid, grid.x, grid.nodes
        self.corners, self.start, self.order = corners, start, order
        self.cell = np.empty(len(self.x), dtype=np.int32)
        self.cell[order] = np.repeat(np.arange(len(corners)), np.diff(start))

    @property
    def w(self) -> Array:
        """(n, k) weights of all particles."""
        return self._grid.w

    def moved(self, p: Array) -> Array:
        """(n, 3) W p: displacements of particles for node displacements p (N, 3)."""
        return self._grid.mean(p)

    def at_nodes(self, g: Array) -> Array:
        """(N, 3) W^T g, for g (n, 3) of particles."""
        return self._grid.pulled(g)

    def places(self, y: Array) -> Array:
        """(n, 3) particle positions."""
        return self.x + self.moved(y - self.nodes)

    def pulled(self, g: Array) -> Array:
        """(m, k, 3) W^T g in each cell, for g (n, 3) of particles."""
        each = self.w[self.order][:, :, None] * g[self.order][:, None, :]
        return np.asarray(np.add.reduceat(each, self.start[:-1], axis=0))

    def squared(self, K: Array) -> Array:
        """(m, 3k, 3k) W^T K W in each cell, for K (n, 3, 3) of particles."""
        w, size = self.w[self.order], 3 * self.w.shape[1]
        each = np.einsum("pa,pij,pb->paibj", w, K[self.order], w, optimize=True).reshape(-1, size, size)
        return np.asarray(np.add.reduceat(each, self.start[:-1], axis=0))
