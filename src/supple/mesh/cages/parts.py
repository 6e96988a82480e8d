"""Parts of a surface that do not touch: pieces that share no vertex and no position, and do not intersect."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from supple.mesh.cages.lattice import Longs, batches
from supple.types import Array, Ints

SAME = 1e-7
"""Distance, relative to the diagonal of the box, below which two vertices coincide."""
PAIRS = 500_000
"""Pairs of triangles that are processed in one batch."""


def surface_parts(x: Array, cells: list[Ints], near: tuple[Longs, Longs], triangles: Ints) -> tuple[int, Ints]:
    """The number of parts, and the part of each vertex (n,), in the order of their first vertices.

    `cells`: all elements; `near`: pairs of cube and triangle that touch each other.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = len(x)
    _, place = np.unique(
        np.round(x / (SAME * (float(np.linalg.norm(np.ptp(x, axis=0))) or 1.0))), axis=0, return_inverse=True
    )
    links = [np.stack([np.arange(n), n + place.ravel()], axis=1)]
    links += [c[:, [0, j]].astype(np.int64) for c in cells for j in range(1, c.shape[1])]

    def joined() -> tuple[int, npt.NDArray[np.int32]]:
        i, j = np.concatenate(links).T
        graph = coo_array((np.ones(len(i), np.int8), (i, j)), shape=(2 * n, 2 * n))
        return connected_components(graph, directed=False)

    _, label = joined()
    met = _crossing(x, triangles, near, label[triangles[:, 0]])
    links.append(triangles[met][:, :, 0].astype(np.int64))
    _, label = joined()
    _, first, part = np.unique(label[:n], return_index=True, return_inverse=True)
    order = np.argsort(np.argsort(first))
    return len(first), order[part.ravel()].astype(np.int32)


def _crossing(x: Array, triangles: Ints, near: tuple[Longs, Longs], label: npt.NDArray[np.int32]) -> Longs:
    """(p, 2) triangles of different pieces that intersect."""
    low, high = x[triangles].min(axis=1), x[triangles].max(axis=1)
    cell, owner = near
    order = np.lexsort((low[owner, 0], cell))  # along x within a cube: those that a triangle may meet follow it
    cell, owner = cell[order], owner[order]
    found = [np.empty((0, 2), dtype=np.int64)]
    for row, k in batches(_following(cell, low[owner, 0], high[owner, 0], label[owner]), PAIRS):
        i, j = owner[row], owner[row + 1 + k]
        meet = (label[i] != label[j]) & ((low[i] <= high[j]) & (low[j] <= high[i])).all(axis=1)
        both = np.stack([i[meet], j[meet]], axis=1)
        hit = _edges_cross(x[triangles[both[:, 0]]], x[triangles[both[:, 1]]])
        hit |= _edges_cross(x[triangles[both[:, 1]]], x[triangles[both[:, 0]]])
        found.append(both[hit])
    return np.concatenate(found)


def _following(cell: Longs, low: Array, high: Array, label: npt.NDArray[np.int32]) -> Longs:
    """For each row, how many of the rows after it are in the same cube and begin before it ends; 0 in a cube of one piece."""
    many = np.zeros(len(cell), dtype=np.int64)
    if not len(cell):
        return many
    start = np.flatnonzero(np.append(True, cell[1:] != cell[:-1]))
    end = np.append(start[1:], len(cell))
    mixed = np.minimum.reduceat(label, start) != np.maximum.reduceat(label, start)
    for a, b in zip(start[mixed], end[mixed], strict=True):
        many[a:b] = np.searchsorted(low[a:b], high[a:b], side="right") - np.arange(1, b - a + 1)
    return many


def _edges_cross(one: Array, other: Array) -> npt.NDArray[np.bool_]:
    """Whether an edge of each triangle (p, 3, 3) passes through the other triangle (p, 3, 3)."""
    u, v = other[:, 1] - other[:, 0], other[:, 2] - other[:, 0]
    hit = np.zeros(len(one), dtype=bool)
    for k in range(3):
        begin, way = one[:, k], one[:, (k + 1) % 3] - one[:, k]
        across = np.cross(way, v)
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = 1.0 / np.einsum("pi,pi->p", u, across)
            away = begin - other[:, 0]
            a = scale * np.einsum("pi,pi->p", away, across)
            turned = np.cross(away, u)
            b = scale * np.einsum("pi,pi->p", way, turned)
            t = scale * np.einsum("pi,pi->p", v, turned)
            hit |= (a >= 0.0) & (b >= 0.0) & (a + b <= 1.0) & (t >= 0.0) & (t <= 1.0)
    return hit
