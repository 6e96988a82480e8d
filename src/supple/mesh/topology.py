"""Topology: edges, boundaries and neighbours of elements, by sorting and counting rows."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.mesh.mesh import Mesh
from supple.types import Ints

FACES = np.array([[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]])
"""Corners of the face opposite each corner of a positive tet, counterclockwise seen from outside."""

Longs = npt.NDArray[np.int64]


def distinct(rows: npt.NDArray[Any]) -> tuple[Longs, Longs, Longs]:
    """(first, inverse, count) of each distinct row: its first index, the distinct row of each row, its count."""
    if len(rows) == 0:
        none = np.empty(0, dtype=np.int64)
        return none, none, none
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    is_new = np.append(True, (ordered[1:] != ordered[:-1]).any(axis=1))
    label = np.cumsum(is_new) - 1
    inverse = np.empty(len(rows), dtype=np.int64)
    inverse[order] = label
    return order[is_new], inverse, np.bincount(label)


def unique_edges(cells: Ints) -> Ints:
    """All distinct edges (e, 2) between corners of the cells, lower index first, sorted."""
    pairs = np.array(list(combinations(range(cells.shape[1]), 2)))
    edges = np.sort(cells[:, pairs].reshape(-1, 2), axis=1)
    return edges[distinct(edges)[0]]


def boundary_triangles(tets: Ints) -> Ints:
    """Faces that belong to one tet only, oriented outwards where the tets are positive."""
    faces = tets[:, FACES].reshape(-1, 3)
    first, _, count = distinct(np.sort(faces, axis=1))
    return faces[np.sort(first[count == 1])]


def half_edges(triangles: Ints) -> Ints:
    """The three directed edges of each triangle, (3 f, 2); the triangle of row i is i // 3."""
    return triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)


def boundary_edges(triangles: Ints) -> Ints:
    """Edges that belong to one triangle only, in the direction in which that triangle traverses them."""
    edges = half_edges(triangles)
    first, _, count = distinct(np.sort(edges, axis=1))
    return edges[np.sort(first[count == 1])]


def incidence(cells: Ints, n: int) -> tuple[Ints, Ints]:
    """Elements around each of n vertices: those of vertex i are `element[start[i]:start[i + 1]]`, ascending."""
    corners = cells.ravel()
    element = np.argsort(corners, kind="stable") // cells.shape[1]
    start = np.append(0, np.cumsum(np.bincount(corners, minlength=n)))
    return start.astype(np.int32), element.astype(np.int32)


def surface(mesh: Mesh) -> Ints:
    """Visible triangles: the boundary of a solid, or the mesh's own triangles."""
    return boundary_triangles(mesh.tets) if mesh.is_solid else mesh.triangles


def components(mesh: Mesh) -> tuple[int, Ints]:
    """Number of connected pieces, and the piece that each vertex belongs to."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    # A star from the first corner connects an element; its other edges add nothing.
    stars = [
        np.stack([c[:, 0], c[:, j]]) for c in (mesh.edges, mesh.triangles, mesh.tets) for j in range(1, c.shape[1])
    ]
    i, j = np.concatenate(stars, axis=1)
    graph = coo_array((np.ones(len(i), dtype=np.int8), (i, j)), shape=(mesh.n, mesh.n))
    count, label = connected_components(graph, directed=False)
    return int(count), label.astype(np.int32)
