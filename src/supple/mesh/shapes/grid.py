"""Box grids split into tets, and the shared features of solid shapes: orientation and the six named sides."""

from __future__ import annotations

from itertools import permutations
from typing import Literal

import numpy as np

from supple.mesh.measure import tet_volumes
from supple.mesh.mesh import Mesh
from supple.types import Array, Ints

# Corner 4a + 2b + d of a cell is its node (i + a, j + b, k + d).
FIVE_EVEN = [[0, 4, 2, 1], [6, 2, 4, 7], [5, 4, 1, 7], [3, 1, 2, 7], [4, 2, 1, 7]]
FIVE_ODD = [[4, 0, 5, 6], [2, 0, 6, 3], [1, 0, 3, 5], [7, 5, 6, 3], [0, 3, 5, 6]]
"""Cells with odd i + j + k are mirrored, so the diagonals of neighbours match."""

KUHN = [[0, p, p + q, 7] for p, q, _ in permutations((4, 2, 1))]
"""One tet per order in which a path from corner 0 to corner 7 can traverse the three axes."""


def grid_vertices(cells: tuple[int, ...], size: tuple[float, ...], origin: tuple[float, ...]) -> Array:
    """Nodes of a box grid in any number of axes, ordered by the first axis, then the second, the last one fastest."""
    axes = [np.linspace(o, o + s, c + 1) for c, s, o in zip(cells, size, origin, strict=True)]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(cells))


def grid_tets(cells: tuple[int, int, int], split: Literal[5, 6]) -> Ints:
    """Corners (split * number of cells, 4) of the tets of a box grid, cell by cell; orientation is not yet fixed."""
    nodes = np.arange(np.prod([c + 1 for c in cells]), dtype=np.int32).reshape([c + 1 for c in cells])
    ends = (slice(None, -1), slice(1, None))
    corners = np.stack([nodes[a, b, d].ravel() for a in ends for b in ends for d in ends], axis=1)
    if split == 6:
        return corners[:, KUHN].reshape(-1, 4)
    is_odd = np.indices(cells).sum(axis=0).ravel() % 2 == 1
    return np.where(is_odd[:, None, None], corners[:, FIVE_ODD], corners[:, FIVE_EVEN]).reshape(-1, 4)


def oriented(x: Array, tets: Ints) -> Ints:
    """The same tets, with the last two corners swapped where the volume is negative."""
    return np.where((tet_volumes(x, tets) < 0)[:, None], tets[:, [0, 1, 3, 2]], tets)


def side_groups(x: Array) -> dict[str, Ints]:
    """Vertices at the ends of the bounding box: left/right in x, bottom/top in y, back/front in z."""
    low, high = x.min(axis=0), x.max(axis=0)
    near = 1e-9 * (high - low).max()
    groups: dict[str, Ints] = {}
    for axis, (first, last) in enumerate((("left", "right"), ("bottom", "top"), ("back", "front"))):
        groups[first] = np.flatnonzero(x[:, axis] <= low[axis] + near).astype(np.int32)
        groups[last] = np.flatnonzero(x[:, axis] >= high[axis] - near).astype(np.int32)
    return groups


def solid(x: Array, tets: Ints) -> Mesh:
    """A tet body from parts whose tets may have either sign."""
    return Mesh(x, tets=oriented(x, tets), groups=side_groups(x))
