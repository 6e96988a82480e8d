"""The surface on which a field on a regular grid has a given value: marching tetrahedra.

Each cube of the grid is split into six tets along its diagonal, in the same way in all cubes, so the surface has no
gaps. A tet has one or two triangles where the value lies between those at its corners. Unlike cubes, tets have no
ambiguous cases.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
import numpy.typing as npt

from supple.types import Array, Ints

Long = npt.NDArray[np.int64]

_TET = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])


def _kuhn() -> Ints:
    """(6, 4) corners of positive tets; a corner of the cube has the bits x, y, z."""
    tets = []
    for path in permutations((1, 2, 4)):
        tet = [0, path[0], path[0] | path[1], 7]
        places = np.array([[corner >> axis & 1 for axis in range(3)] for corner in tet], dtype=float)
        tets.append(tet if np.linalg.det(places[1:] - places[0]) > 0 else [tet[k] for k in (0, 1, 3, 2)])
    return np.array(tets, dtype=np.int32)


def _cases() -> dict[int, list[list[tuple[int, int]]]]:
    """Triangles for each set of corners above the level, as the edges of the tet that their corners lie on."""
    found = {}
    for code in range(1, 15):
        above = [k for k in range(4) if code >> k & 1]
        below = [k for k in range(4) if not code >> k & 1]
        edges = [(i, j) for i in above for j in below]
        if len(edges) == 4:  # a quadrilateral, in cyclic order
            edges = [edges[k] for k in (0, 1, 3, 2)]
            triangles = [[edges[0], edges[1], edges[2]], [edges[0], edges[2], edges[3]]]
        else:
            triangles = [edges]
        out = _TET[below].mean(axis=0) - _TET[above].mean(axis=0)
        found[code] = [tri if _normal(tri) @ out > 0 else tri[::-1] for tri in triangles]
    return found


def _normal(edges: list[tuple[int, int]]) -> Array:
    a, b, c = (_TET[list(edge)].mean(axis=0) for edge in edges)
    return np.cross(b - a, c - a)


_TETS, _CASES = _kuhn(), _cases()


def level_surface(field: npt.NDArray[np.floating], level: float) -> tuple[Array, Ints]:
    """Points (p, 3) in steps of the grid, which has at least two points along each axis, and triangles (f, 3),
    counterclockwise seen from where the field is lower."""
    ends = _crossed_edges(field, level)
    low, high = ends.min(axis=1), ends.max(axis=1)
    keys, number = np.unique(low * 8 + _direction(high - low, field.shape), return_inverse=True)
    first = np.zeros(len(keys), dtype=np.int64)
    first[number] = np.arange(len(ends))
    a, b = low[first], high[first]
    flat = field.reshape(-1)
    from_a, to_b = flat[a].astype(np.float64), flat[b].astype(np.float64)
    s = ((level - from_a) / (to_b - from_a))[:, None]
    begin, end = (np.stack(np.unravel_index(k, field.shape), axis=1).astype(np.float64) for k in (a, b))
    faces = number.reshape(-1, 3).astype(np.int32)
    return begin + s * (end - begin), faces


def _crossed_edges(field: npt.NDArray[np.floating], level: float) -> Long:
    """(3 f, 2) grid points at the ends of the edge that each corner of each triangle lies on."""
    inside = field > level
    strides = np.array([field.shape[1] * field.shape[2], field.shape[2], 1])
    corner = np.array([sum(int(strides[axis]) for axis in range(3) if k >> axis & 1) for k in range(8)])
    cubes = [
        inside[tuple(slice(k >> a & 1, n - 1 + (k >> a & 1)) for a, n in enumerate(field.shape))] for k in range(8)
    ]
    mixed = np.logical_or.reduce(cubes) & ~np.logical_and.reduce(cubes)
    base = np.stack(np.nonzero(mixed), axis=1) @ strides
    flat = inside.reshape(-1)
    found = [np.empty((0, 2), dtype=np.int64)]
    for tet in _TETS:
        corners = base[:, None] + corner[tet]
        code = flat[corners] @ np.array([1, 2, 4, 8])
        for case, triangles in _CASES.items():
            mine = corners[code == case]
            found += [mine[:, triangle].reshape(-1, 2) for triangle in triangles]
    return np.concatenate(found)


def _direction(step: Long, shape: tuple[int, ...]) -> Long:
    """Which of the seven directions from a grid point to a higher one an edge has, 1 to 7."""
    plane, row = shape[1] * shape[2], shape[2]
    x = step >= plane
    left = step - plane * x
    y = left >= row
    return x + 2 * y + 4 * (left - row * y)
