"""Pairs of vertices that share an element of a mesh, grouped by the pairs of cells that contain them.

As a function of grid nodes, an element of a mesh couples the nodes around all its corners. The coupling is between
pairs of vertices: the nodes around both are few (27 where they share a cell), and many pairs share them. So a pair of
cells is an element of the grid. All have as many corners as the widest; unused corners of the others repeat a node and
carry zero weight.
"""

from __future__ import annotations

import numpy as np

from supple.energies.points.passage import Passage
from supple.types import Array, Ints


class Pairs:
    """Pairs of the elements (m, k) of one term; pairs are numbered by cells."""

    def __init__(self, elements: Ints, passage: Passage) -> None:
        self.passage, self._elements, n = passage, elements, len(passage.x)
        a, b = np.triu_indices(elements.shape[1])
        found = np.unique(_keys(elements[:, a], elements[:, b], n))
        low, high = found // n, found % n
        swapped = passage.cell[low] > passage.cell[high]
        one, two = np.where(swapped, high, low), np.where(swapped, low, high)
        cells = len(passage.corners)
        both, element = np.unique(passage.cell[one].astype(np.int64) * cells + passage.cell[two], return_inverse=True)
        order = np.argsort(element, kind="stable")
        self.one, self.two = one[order].astype(np.int32), two[order].astype(np.int32)
        self.element, self.swapped = element[order], swapped[order]
        self.start = np.searchsorted(self.element, np.arange(len(both) + 1)).astype(np.int32)
        self.corners, self.size, self.place = _joined(passage.corners[both // cells], passage.corners[both % cells])
        self._rank = np.empty(len(order), dtype=np.int64)
        self._rank[order] = np.arange(len(order))
        self._found = found
        single = np.flatnonzero(self.one == self.two)
        self.own, self.home = self.one[single], self.element[single]
        self._w, self._nodes = passage.w[self.own], passage.corners[passage.cell[self.own]]

    def places(self, y: Array) -> Array:
        """(n, 3) positions of the vertices of the term for nodes at y (N, 3); other vertices stay."""
        x = self.passage.x.copy()
        x[self.own] += np.einsum("pk,pki->pi", self._w, (y - self.passage.nodes)[self._nodes])
        return x

    def pulled(self, g: Array) -> Array:
        """(m, wide, 3) W^T g, for g (n, 3) of vertices."""
        out = np.zeros((*self.corners.shape, 3))
        at = self.place[self.home, : self._w.shape[1]]
        np.add.at(out, (self.home[:, None], at), self._w[:, :, None] * g[self.own][:, None, :])
        return out

    def at_nodes(self, g: Array, gradient: Array) -> None:
        """gradient (N, 3) += W^T g."""
        each, flat = self._w[:, :, None] * g[self.own][:, None, :], self._nodes.ravel()
        for i in range(3):
            gradient[:, i] += np.bincount(flat, each[:, :, i].ravel(), len(gradient))

    def squared(self, K: Array) -> Array:
        """(m, 3 wide, 3 wide) W^T K W, for matrices K (., 3k, 3k) of the term's own elements, symmetric or not."""
        elements, n, k = self._elements, len(self.passage.x), self._elements.shape[1]
        blocks = K.reshape(len(K), k, 3, k, 3)
        wide, c = self.corners.shape[1], self._w.shape[1]
        out, w = np.zeros((len(self.corners), wide, wide, 3, 3)), self.passage.w
        for a in range(k):
            for b in range(k):
                v, u = elements[:, a], elements[:, b]
                pair = self._rank[np.searchsorted(self._found, _keys(v, u, n))]
                e, forward = self.element[pair], (self.one[pair] == v)[:, None]
                first, second = self.place[e, :c], self.place[e, c:]
                row, column = np.where(forward, first, second), np.where(forward, second, first)
                each = w[v][:, :, None, None, None] * w[u][:, None, :, None, None] * blocks[:, a, None, None, :, b]
                np.add.at(out, (e[:, None, None], row[:, :, None], column[:, None, :]), each)
        return out.transpose(0, 1, 3, 2, 4).reshape(len(out), 3 * wide, 3 * wide)


def _keys(v: Ints, u: Ints, n: int) -> np.ndarray:
    """One index per pair, regardless of its order."""
    return np.minimum(v, u).astype(np.int64) * n + np.maximum(v, u)


def _joined(one: Ints, two: Ints) -> tuple[Ints, Ints, Ints]:
    """Ascending nodes (m, wide) of two rows (m, c) of nodes, how many of them differ, and the positions (m, 2c) of both
    rows among them."""
    both = np.concatenate([one, two], axis=1)
    order = np.argsort(both, axis=1, kind="stable")
    ascending = np.take_along_axis(both, order, axis=1)
    new = np.ones(both.shape, dtype=bool)
    new[:, 1:] = ascending[:, 1:] != ascending[:, :-1]
    rank = np.cumsum(new, axis=1) - 1
    place = np.empty_like(rank)
    np.put_along_axis(place, order, rank, axis=1)
    size = rank[:, -1] + 1
    corners = np.repeat(ascending[:, -1:], size.max(initial=1), axis=1)
    np.put_along_axis(corners, rank, ascending, axis=1)
    return corners.astype(np.int32), size.astype(np.int32), place.astype(np.int32)
