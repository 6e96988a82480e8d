"""Cut patterns of a tet for every number of corners inside, on the surface and outside.

Corners of a tet are sorted: inside first, by descending rank, then on the surface, then outside. A face with two
corners inside and one outside leaves a quadrilateral, whose diagonal starts at the inner corner of higher rank; both
tets beside the face agree on it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from supple.types import Ints

Signs = npt.NDArray[np.int8]
Corner = int | tuple[int, int]
"""A corner of the sorted tet, or the cut of the edge between two of them."""

WHOLE: list[list[Corner]] = [[0, 1, 2, 3]]
PATTERNS: dict[tuple[int, int], list[list[Corner]]] = {
    (4, 0): WHOLE,
    (3, 0): WHOLE,
    (2, 0): WHOLE,
    (1, 0): WHOLE,
    (1, 1): [[0, 1, 2, (0, 3)]],
    (1, 2): [[0, 1, (0, 2), (0, 3)]],
    (1, 3): [[0, (0, 1), (0, 2), (0, 3)]],
    (2, 1): [[0, 1, 2, (1, 3)], [0, (1, 3), (0, 3), 2]],
    (2, 2): [[0, 1, (1, 2), (1, 3)], [0, (0, 2), (0, 3), (1, 3)], [0, (0, 2), (1, 3), (1, 2)]],
    (3, 1): [[0, 1, 2, (2, 3)], [0, 1, (2, 3), (1, 3)], [0, (1, 3), (2, 3), (0, 3)]],
}
"""By the numbers of corners inside and outside: the tets that remain."""


def sorted_corners(tets: Ints, sign: Signs, rank: Ints) -> Ints:
    """The corners of each tet: inside (1) before on the surface (0) before outside (-1), then by descending rank."""
    key = sign[tets].astype(np.int64) * 8 + rank[tets]
    return np.take_along_axis(tets, np.argsort(-key, axis=1, kind="stable"), axis=1)


def crossed_edges(tets: Ints, sign: Signs) -> Ints:
    """(e, 2) distinct edges from a node inside to a node outside."""
    found = []
    for i in range(4):
        for j in range(4):
            edge = tets[:, [i, j]]
            found.append(edge[(sign[edge[:, 0]] > 0) & (sign[edge[:, 1]] < 0)])
    return np.unique(np.concatenate(found), axis=0)


def cut_tets(tets: Ints, sign: Signs, rank: Ints, edges: Ints) -> Ints:
    """(m, 4) the tets that remain; the cut of row e of `edges` is vertex n + e, n the number of nodes."""
    n = len(sign)
    keys = edges[:, 0].astype(np.int64) * n + edges[:, 1]
    corners = sorted_corners(tets, sign, rank)
    inside, outside = (sign[corners] > 0).sum(axis=1), (sign[corners] < 0).sum(axis=1)
    found = []
    for (p, q), pattern in PATTERNS.items():
        mine = corners[(inside == p) & (outside == q)]
        for tet in pattern:
            columns = []
            for c in tet:
                if isinstance(c, tuple):
                    key = mine[:, c[0]].astype(np.int64) * n + mine[:, c[1]]
                    columns.append(n + np.searchsorted(keys, key))
                else:
                    columns.append(mine[:, c])
            found.append(np.stack(columns, axis=1))
    return np.concatenate(found).astype(np.int32)
