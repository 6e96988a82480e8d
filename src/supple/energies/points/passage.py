"""How particles follow the nodes of a grid: x_p(y) = x_p + sum_i w_ip (y_i - X_i), which is linear."""

from __future__ import annotations

import numpy as np

from supple.types import Array, Ints


class Passage:
    """How particles follow the nodes of a grid; cells as in `PointSolid`."""

    def __init__(self, x: Array, nodes: Array, corners: Ints, start: Ints, order: Ints, w: Array) -> None:
        """x (n, 3) particles where the nodes (N, 3) stand; cell e with nodes corners[e] holds the particles
        order[start[e]:start[e + 1]]; w (n, k) weights of all particles."""
        self.x, self.nodes, self.corners, self.start, self.order = x, nodes, corners, start, order
        self.cell = np.empty(len(x), dtype=np.int32)
        self.cell[order] = np.repeat(np.arange(len(corners)), np.diff(start))
        self.w = w

    def moved(self, p: Array) -> Array:
        """(n, 3) W p: moves of particles where nodes move by p (N, 3)."""
        return np.einsum("pk,pki->pi", self.w, p[self.corners[self.cell]])

    def places(self, y: Array) -> Array:
        """(n, 3) where particles are."""
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
