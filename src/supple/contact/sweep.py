"""Boxes that come near each other, by sorting them along the axis on which they spread most and sweeping over it.

    vertex i, triangle T:  |x_i - box(T)| <= reach on all axes        edges E, F:  boxes no more than reach apart on all axes
Pairs that share a vertex are left out, and those of which all corners have the same patch number. What is sorted out on two
axes is little where surfaces are spread out, and a large triangle among small ones costs no more than what it overlaps.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from supple.types import Array, Ints


def near_triangles(y: Array, triangles: Ints, patches: Ints, reach: float) -> Ints:
    """(p, 2) vertices and triangles, ascending."""
    axis = _axis(y)
    order = np.argsort(y[:, axis], kind="stable")
    low, high = y[triangles].min(axis=1) - reach, y[triangles].max(axis=1) + reach
    first = np.searchsorted(y[order, axis], low[:, axis], side="left")
    last = np.searchsorted(y[order, axis], high[:, axis], side="right")
    return _ascending(_vertices_in_boxes(y, order, low, high, first, last, triangles, patches))


def near_edges(y: Array, edges: Ints, patches: Ints, reach: float) -> Ints:
    """(p, 2) edges, the smaller number first, ascending."""
    axis = _axis(y)
    low, high = y[edges].min(axis=1), y[edges].max(axis=1) + reach
    order = np.argsort(low[:, axis], kind="stable")
    last = np.searchsorted(low[order, axis], high[order, axis], side="right")
    return _ascending(_boxes_near_boxes(order, low[order], high[order], last, edges, patches))


def _axis(y: Array) -> int:
    return int(np.ptp(y, axis=0).argmax())


def _ascending(pairs: Ints) -> Ints:
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


@njit(cache=True, nogil=True)
def _grown(pairs):
    more = np.empty((2 * len(pairs), 2), dtype=np.int32)
    more[: len(pairs)] = pairs
    return more


@njit(cache=True, nogil=True)
def _vertices_in_boxes(y, order, low, high, first, last, triangles, patches):
    """Vertex order[s], first[t] <= s < last[t], and triangle t."""
    pairs, count = np.empty((1024, 2), dtype=np.int32), 0
    for t in range(len(triangles)):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        for s in range(first[t], last[t]):
            i = order[s]
            if y[i, 0] < low[t, 0] or y[i, 0] > high[t, 0] or y[i, 1] < low[t, 1] or y[i, 1] > high[t, 1]:
                continue
            if y[i, 2] < low[t, 2] or y[i, 2] > high[t, 2] or i in (a, b, c):
                continue
            own = patches[i]
            if patches[a] == own and patches[b] == own and patches[c] == own:
                continue
            if count == len(pairs):
                pairs = _grown(pairs)
            pairs[count, 0], pairs[count, 1] = i, t
            count += 1
    return pairs[:count]


@njit(cache=True, nogil=True)
def _boxes_near_boxes(order, low, high, last, edges, patches):
    """Edges order[s] and order[r], s < r < last[s]; boxes are in that order, `high` with the reach."""
    pairs, count = np.empty((1024, 2), dtype=np.int32), 0
    for s in range(len(order)):
        a, b = edges[order[s], 0], edges[order[s], 1]
        for r in range(s + 1, last[s]):
            if low[r, 0] > high[s, 0] or low[s, 0] > high[r, 0] or low[r, 1] > high[s, 1] or low[s, 1] > high[r, 1]:
                continue
            if low[r, 2] > high[s, 2] or low[s, 2] > high[r, 2]:
                continue
            c, d = edges[order[r], 0], edges[order[r], 1]
            if a in (c, d) or b in (c, d):
                continue
            own = patches[a]
            if patches[b] == own and patches[c] == own and patches[d] == own:
                continue
            if count == len(pairs):
                pairs = _grown(pairs)
            pairs[count, 0], pairs[count, 1] = min(order[s], order[r]), max(order[s], order[r])
            count += 1
    return pairs[:count]
