"""Coarse meshes around a fine body: a grid of cells of six tets, without tets that contain nothing of the body."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from supple.coarsening.overlap import overlaps
from supple.errors import MeshError, SuppleError
from supple.mesh.measure import tet_volumes
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.solid import Bar
from supple.types import Array, Ints

LEAST_RATIO = 2.0


def cage(vertices: Array, tets: Ints, cells: Sequence[int]) -> Mesh:
    """A grid over the body's bounding box with the given cells along x, y and z; empty tets are omitted."""
    if len(cells) != 3 or any(int(c) != c or c < 1 for c in cells):
        raise SuppleError(f"cells of a cage: found {tuple(cells)}; give three whole numbers, 1 or more")
    low, high = vertices[tets].min(axis=(0, 1)), vertices[tets].max(axis=(0, 1))
    nx, ny, nz = (int(c) for c in cells)
    (a, b, c), (x, y, z) = (high - low).tolist(), low.tolist()
    grid = Bar(cells=(nx, ny, nz), size=(a, b, c), origin=(x, y, z), tets=6).mesh()
    found = overlaps(vertices, tets, grid.vertices, grid.tets)
    filled = found.covered(len(grid.tets)) > 0.0
    kept = grid.tets[filled]
    used, numbers = np.unique(kept, return_inverse=True)
    return Mesh(grid.vertices[used], tets=numbers.reshape(-1, 4).astype(np.int32))


def cells_for_ratio(vertices: Array, tets: Ints, ratio: float) -> tuple[int, int, int]:
    """Cells along x, y and z for about `ratio` fine tets per coarse tet."""
    if not ratio >= LEAST_RATIO:
        raise SuppleError(f"ratio of a cage: found {ratio:g}; fine tets per coarse tet, {LEAST_RATIO:g} or more")
    low, high = vertices[tets].min(axis=(0, 1)), vertices[tets].max(axis=(0, 1))
    volume = float(np.abs(tet_volumes(vertices, tets)).sum())
    if not volume > 0.0:
        raise MeshError("cage: the fine body has no volume")
    edge = (6.0 * ratio * volume / len(tets)) ** (1.0 / 3.0)
    nx, ny, nz = (max(1, round(float(s) / edge)) for s in high - low)
    return nx, ny, nz
