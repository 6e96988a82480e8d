"""The width of a body in its graph: the size of a cut across it, which bounds the fill-in of its factors."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def _levels(first, column, start):
    """Levels of a breadth-first search over blocks of the upper triangle (both directions), from a node."""
    n = first.size - 1
    count = np.zeros(n + 1, np.int32)
    for i in range(n):
        for b in range(first[i] + 1, first[i + 1]):
            count[column[b] + 1] += 1
    for i in range(n):
        count[i + 1] += count[i]
    above, place = np.empty(count[n], np.int32), count[:n].copy()
    for i in range(n):
        for b in range(first[i] + 1, first[i + 1]):
            above[place[column[b]]] = i
            place[column[b]] += 1
    level, queue = np.full(n, -1, np.int32), np.empty(n, np.int32)
    level[start], queue[0], head, tail = 0, start, 0, 1
    while head < tail:
        i = queue[head]
        head += 1
        for b in range(first[i] + 1, first[i + 1]):
            j = column[b]
            if level[j] < 0:
                level[j], queue[tail] = level[i] + 1, j
                tail += 1
        for b in range(count[i], count[i + 1]):
            j = above[b]
            if level[j] < 0:
                level[j], queue[tail] = level[i] + 1, j
                tail += 1
    return level[queue[tail - 1]] + 1, queue[tail - 1], tail


def breadth(first: np.ndarray, column: np.ndarray) -> float:
    """Mean number of unknowns per level of a breadth-first search from an end of the body: about the size of a cut across it."""
    if first.size < 2:
        return 0.0
    _, end, _ = _levels(first, column, 0)
    levels, _, reached = _levels(first, column, end)
    return 3.0 * float(reached) / float(levels)
