"""Colours for elements such that no two of one colour share a vertex: they can be processed concurrently, in any order.

Greedy: every element in turn takes the smallest colour not used at its vertices. The colouring depends on the order of
the elements alone, so results are identical to the bit in every run and with any number of threads.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from supple.types import Ints


@dataclass(frozen=True)
class Colouring:
    """Colour c has the elements `order[start[c]:start[c+1]]`, ascending."""

    order: Ints
    start: Ints

    @property
    def count(self) -> int:
        return self.start.size - 1


def colour_elements(elements: Ints) -> Colouring:
    """Colours of elements (m, k)."""
    m = len(elements)
    if m == 0:
        return Colouring(np.empty(0, np.int32), np.zeros(1, np.int32))
    n = int(elements.max()) + 1
    valence = np.bincount(elements.ravel(), minlength=n)
    # an element meets at most the other elements of its vertices
    most = int((valence[elements] - 1).sum(axis=1).max()) + 1
    colour = np.empty(m, np.int32)
    _greedy(np.ascontiguousarray(elements, dtype=np.int32), np.zeros((n, most), np.bool_), colour)
    order = np.argsort(colour, kind="stable").astype(np.int32)
    start = np.append(0, np.cumsum(np.bincount(colour))).astype(np.int32)
    return Colouring(order, start)


@njit(cache=True, nogil=True)
def _greedy(elements, seen, colour):
    """seen[v, c]: whether an element of colour c has the vertex v."""
    m, k = elements.shape
    for e in range(m):
        c = 0
        while True:
            taken = False
            for a in range(k):
                taken = taken or seen[elements[e, a], c]
            if not taken:
                break
            c += 1
        colour[e] = c
        for a in range(k):
            seen[elements[e, a], c] = True
