"""The cells of an animation: tetrahedra, triangles, lines and points; constant during a run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from supple.errors import RecordError

VTK_TYPES = {1: 1, 2: 3, 3: 5, 4: 10}
"""Number of corners -> VTK cell type of point, line, triangle, tetrahedron."""

Long = npt.NDArray[np.int64]


class Cellular(Protocol):
    """Any object with cells, such as a mesh: index arrays (m,4), (m,3), (m,2)."""

    @property
    def tets(self) -> npt.NDArray[Any]: ...
    @property
    def triangles(self) -> npt.NDArray[Any]: ...
    @property
    def edges(self) -> npt.NDArray[Any]: ...


@dataclass(frozen=True, eq=False)
class Cells:
    """Concatenated corners of all cells, start of each cell (one entry more than cells), and VTK cell types."""

    connectivity: Long
    offsets: Long
    types: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.types)

    def of_type(self, corners: int) -> Long:
        """Corners (m, corners) of all tets (4), triangles (3), lines (2) or points (1)."""
        starts = self.offsets[:-1][self.types == VTK_TYPES[corners]]
        return self.connectivity[starts[:, None] + np.arange(corners)]

    @classmethod
    def of(cls, mesh: Cellular, points: npt.NDArray[Any] | None = None) -> Cells:
        """All tets, triangles that are not a face of a tet, edges that belong to neither: nothing twice. Then
        `points`, vertices that are particles."""
        tets, triangles, edges = (
            np.asarray(a, dtype=np.int64).reshape(-1, k)
            for a, k in ((mesh.tets, 4), (mesh.triangles, 3), (mesh.edges, 2))
        )
        triangles = triangles[~_among(triangles, [tets])]
        edges = edges[~_among(edges, [tets, triangles])]
        alone = np.asarray(() if points is None else points, dtype=np.int64).reshape(-1, 1)
        return cls.join([tets, triangles, edges, alone])

    @classmethod
    def join(cls, blocks: Iterable[Long]) -> Cells:
        """Cells of several index arrays (m, 1..4), in that order."""
        blocks = list(blocks)
        sizes = np.concatenate([np.full(len(b), b.shape[1], dtype=np.int64) for b in blocks])
        if not len(sizes):
            raise RecordError(
                "an animation requires cells, but the mesh has no tets, triangles, edges or points; "
                "give it at least one cell"
            )
        types = np.concatenate([np.full(len(b), VTK_TYPES[b.shape[1]], dtype=np.uint8) for b in blocks])
        connectivity = np.concatenate([b.ravel() for b in blocks])
        return cls(connectivity, np.concatenate([[0], np.cumsum(sizes)]), types)


def _among(simplices: Long, larger: list[Long]) -> npt.NDArray[np.bool_]:
    """Mask of the simplices (m, k) spanned by k corners of a larger one, in any order."""
    k = simplices.shape[1]
    sides = [b[:, list(c)] for b in larger if len(b) for c in combinations(range(b.shape[1]), k)]
    if not len(simplices) or not sides:
        return np.zeros(len(simplices), dtype=bool)
    rows = np.sort(np.concatenate([simplices, *sides]), axis=1)
    # One integer per sorted row; ranking after each column keeps it within 64 bits.
    key, n = rows[:, 0], int(rows.max()) + 1
    for column in rows.T[1:]:
        key = np.unique(key * n + column, return_inverse=True)[1]
    return np.isin(key[: len(simplices)], key[len(simplices) :])
