"""Triangulations of sheets with their springs: grids of rectangles, and rows of equilateral triangles.

A grid is given by its nodes (nu + 1, nv + 1); a tube repeats the first line of nodes at the end. Triangles run
counterclockwise in the plane of the two axes.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from supple.errors import MeshError
from supple.mesh.topology import unique_edges
from supple.types import Array, Ints

Pattern = Literal["alternating", "diagonal", "equilateral"]
Shear = Literal["both", "one"]

RISING, FALLING = [[0, 1, 2], [0, 2, 3]], [[0, 1, 3], [1, 2, 3]]
"""Triangles of a cell with the corners (i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1), by its diagonal."""


def pairs(a: Ints, b: Ints) -> Ints:
    """Edges (e, 2) between nodes at the same index of two arrays."""
    return np.stack([a.ravel(), b.ravel()], axis=1)


def falling(cells: tuple[int, int], pattern: Pattern) -> np.ndarray:
    """(nu, nv) mask of cells split from (i + 1, j) to (i, j + 1); the others are split from (i, j) to (i + 1, j + 1).

    Rows shifted by half a cell, as on an equilateral tube, alternate.
    """
    i, j = np.indices(cells)
    return {"alternating": (i + j) % 2 == 1, "diagonal": np.zeros(cells, dtype=bool), "equilateral": j % 2 == 0}[
        pattern
    ]


def grid_triangles(nodes: Ints, pattern: Pattern) -> Ints:
    """(2 nu nv, 3) triangles of a grid."""
    corners = np.stack([c.ravel() for c in (nodes[:-1, :-1], nodes[1:, :-1], nodes[1:, 1:], nodes[:-1, 1:])], axis=1)
    falls = falling((nodes.shape[0] - 1, nodes.shape[1] - 1), pattern).ravel()
    return np.where(falls[:, None, None], corners[:, FALLING], corners[:, RISING]).reshape(-1, 3)


def grid_springs(nodes: Ints, pattern: Pattern, shear: Shear) -> dict[str, Ints]:
    """Edges along the grid lines, across the cells, and between nodes two apart."""
    rising, sinking = pairs(nodes[:-1, :-1], nodes[1:, 1:]), pairs(nodes[1:, :-1], nodes[:-1, 1:])
    if shear == "both":
        across = np.concatenate([rising, sinking])
    else:
        falls = falling((nodes.shape[0] - 1, nodes.shape[1] - 1), pattern).ravel()
        across = np.where(falls[:, None], sinking, rising)
    return {
        "stretch": np.concatenate([pairs(nodes[:-1], nodes[1:]), pairs(nodes[:, :-1], nodes[:, 1:])]),
        "shear": across,
        "bend": np.concatenate([pairs(nodes[:-2], nodes[2:]), pairs(nodes[:, :-2], nodes[:, 2:])]),
    }


def row_height(spacing: float) -> float:
    """Distance between rows of equilateral triangles with edges of that length [m]."""
    return 0.5 * np.sqrt(3.0) * spacing


def check_rows(shape: str, field: str, length: float, spacing: float, cells: tuple[int, int]) -> None:
    """Raise a `MeshError` if rows of equilateral triangles miss a length by more than half a row."""
    height = row_height(spacing)
    if abs(cells[1] * height - length) > 0.5 * height * (1.0 + 1e-9):
        best = max(1, round(length / height))
        raise MeshError(
            f"{shape}.{field}: found {length:g}, but {cells[1]} equilateral rows on edges of {spacing:g} m make "
            f"{cells[1] * height:g} m; give cells = ({cells[0]}, {best}), or {field} = {cells[1] * height:g}"
        )


def rows_of_nodes(cells: tuple[int, int]) -> list[Ints]:
    """Node indices of rows 0 to nv: nu + 1 nodes in even rows, nu shifted nodes and both row ends in odd rows."""
    length = cells[0] + 1 + np.arange(cells[1] + 1) % 2
    last = np.cumsum(length)
    return [np.arange(b - k, b, dtype=np.int32) for b, k in zip(last, length, strict=True)]


def row_positions(rows: list[Ints], spacing: float) -> Array:
    """(n, 2) positions of those nodes [m]."""
    cells = len(rows[0]) - 1
    even = spacing * np.arange(cells + 1.0)
    odd = spacing * np.concatenate([[0.0], np.arange(cells) + 0.5, [cells]])
    height = row_height(spacing)
    lines = [np.stack([u, np.full(len(u), j * height)], axis=1) for j in range(len(rows)) for u in [(even, odd)[j % 2]]]
    return np.concatenate(lines)


def row_triangles(rows: list[Ints]) -> Ints:
    """Equilateral triangles between the rows; halves of them close the straight sides."""
    found = []
    for j in range(len(rows) - 1):
        even, odd = (rows[j], rows[j + 1]) if j % 2 == 0 else (rows[j + 1], rows[j])
        on_even = np.stack([even[:-1], even[1:], odd[1:-1]], axis=1)
        on_odd = np.stack([odd[1:], odd[:-1], even], axis=1)
        both = np.concatenate([on_even, on_odd])
        found.append(both if j % 2 == 0 else both[:, ::-1])
    return np.concatenate(found)


def row_springs(rows: list[Ints]) -> dict[str, Ints]:
    """The edges of the triangles, and pairs two apart along the three directions of edges and along both sides."""
    bends = [pairs(row[:-2], row[2:]) for row in rows]
    for low, high in zip(rows[:-2], rows[2:], strict=True):
        # the ends of an odd row lie on no line of edges except the side
        a, b = (low, high) if len(low) == len(rows[0]) else (low[1:-1], high[1:-1])
        bends += [pairs(a[:-1], b[1:]), pairs(a[1:], b[:-1]), pairs(low[[0, -1]], high[[0, -1]])]
    return {"stretch": unique_edges(row_triangles(rows)), "bend": np.concatenate(bends)}
