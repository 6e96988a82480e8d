"""Row ownership: a parallel sum of element contributions whose bits do not depend on the number of threads.

Vertices are split into parts; a part visits every element that touches one of its vertices, in ascending order, and
writes only its own vertices. There are no write conflicts, and each entry is summed in element order, regardless of the
split.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.types import Array, Ints


@dataclass(frozen=True)
class Parts:
    """`owner[v]`: part of vertex v; part p visits `elements[start[p]:start[p+1]]`."""

    owner: Ints
    start: Ints
    elements: Ints

    @property
    def count(self) -> int:
        return self.start.size - 1

    def chosen(self, part: int) -> Ints:
        """Elements that a part visits."""
        return self.elements[self.start[part] : self.start[part + 1]]


def split_vertices(positions: Array, count: int) -> Ints:
    """Owner of each vertex: slabs of equal vertex count across the longest side of the body."""
    n = len(positions)
    owner = np.zeros(n, dtype=np.int32)
    if n and count > 1:
        axis = int(np.argmax(np.ptp(positions, axis=0)))
        rank = np.empty(n, dtype=np.int64)
        rank[np.argsort(positions[:, axis], kind="stable")] = np.arange(n)
        owner[:] = rank * count // n
    return owner


def whole(n: int, count: int) -> Parts:
    """All of `count` elements as one part, which owns all n vertices."""
    return Parts(np.zeros(n, np.int32), np.array([0, count], np.int32), np.arange(count, dtype=np.int32))


def split_elements(elements: Ints, owner: Ints) -> Parts:
    """The list of elements that each part visits."""
    count = int(owner.max(initial=0)) + 1
    touched = owner[elements]
    lists = [np.flatnonzero((touched == p).any(axis=1)).astype(np.int32) for p in range(count)]
    start = np.cumsum([0] + [len(part) for part in lists]).astype(np.int32)
    return Parts(owner, start, np.concatenate(lists) if lists else np.empty(0, np.int32))
