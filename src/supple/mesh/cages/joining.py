"""Sets of cubes connected through faces: no contacts along an edge or at a corner only, and one connected piece."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from supple.mesh.cages.lattice import Flags

Longs = npt.NDArray[np.int64]
PLANES = ((0, 1), (0, 2), (1, 2))


def firmly(cells: Flags) -> Flags:
    """The cubes, plus neighbours where two met along an edge or at a corner only."""
    cells = cells.copy()
    while True:
        before = int(cells.sum())
        for plane in PLANES:
            _fill_edges(cells, plane)
        _fill_corners(cells)
        if int(cells.sum()) == before:
            return cells


def _fill_edges(cells: Flags, plane: tuple[int, int]) -> None:
    def part(a: int, b: int) -> Flags:
        cut = [slice(None)] * 3
        for axis, end in zip(plane, (a, b), strict=True):
            cut[axis] = slice(1, None) if end else slice(None, -1)
        return cells[tuple(cut)]

    one, two, three, four = part(0, 0), part(1, 1), part(0, 1), part(1, 0)
    three |= one & two & ~three & ~four
    one |= three & four & ~one & ~two


def _fill_corners(cells: Flags) -> None:
    def part(corner: tuple[int, ...]) -> Flags:
        return cells[tuple(slice(1, None) if end else slice(None, -1) for end in corner)]

    corners = list(np.ndindex(2, 2, 2))
    for corner in corners[:4]:
        other = tuple(1 - end for end in corner)
        rest = np.logical_or.reduce([part(c) for c in corners if c not in (corner, other)])
        alone = part(corner) & part(other) & ~rest
        for between in ((other[0], corner[1], corner[2]), (other[0], other[1], corner[2])):
            view = part(between)
            view |= alone


def pieces(cells: Flags) -> int:
    """Pieces that share no face."""
    from scipy.ndimage import label

    return int(label(cells)[1])


def bridged(cells: Flags) -> tuple[Flags, int]:
    """The cubes in one piece, and how many were added: the shortest rows of cubes that join all pieces.

    Each cube outside belongs to the nearest piece; where the regions of two pieces meet, a row may join them; the
    minimum spanning tree over all such rows is used.
    """
    from scipy.ndimage import distance_transform_edt, label
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import minimum_spanning_tree

    names, count = label(cells)
    if count < 2:
        return cells, 0
    nearest = np.moveaxis(distance_transform_edt(~cells, return_distances=False, return_indices=True), 0, -1)
    region = names[tuple(np.moveaxis(nearest, -1, 0))]
    ends = []
    for axis in range(3):
        low, high = (
            tuple(s if a == axis else slice(None) for a in range(3)) for s in (slice(None, -1), slice(1, None))
        )
        meet = region[low] != region[high]
        ends.append(np.stack([nearest[low][meet], nearest[high][meet]], axis=1))
    pairs = np.concatenate(ends).astype(np.int64)
    length = np.abs(pairs[:, 1] - pairs[:, 0]).sum(axis=1)
    between = np.sort(names[tuple(np.moveaxis(pairs, -1, 0))] - 1, axis=1)
    order = np.lexsort((length, between[:, 1], between[:, 0]))
    _, first = np.unique(between[order], axis=0, return_index=True)
    chosen = order[first]
    i, j = between[chosen].T
    tree = minimum_spanning_tree(coo_array((length[chosen], (i, j)), shape=(count, count))).tocoo()
    row = {(int(a), int(b)): int(k) for a, b, k in zip(i, j, chosen, strict=True)}
    joined = cells.copy()
    for a, b in zip(tree.row.tolist(), tree.col.tolist(), strict=True):
        start, end = pairs[row[min(a, b), max(a, b)]]
        joined[tuple(_row(start, end).T)] = True
    joined = firmly(joined)
    return joined, int(joined.sum() - cells.sum())


def _row(start: Longs, end: Longs) -> Longs:
    """(k, 3) cubes from one to another, each sharing a face with the next, close to the straight line."""
    steps = np.abs(end - start)
    times = [((np.arange(n) + 0.5) / n, axis) for axis, n in enumerate(steps.tolist()) if n]
    order = sorted((t, axis) for ts, axis in times for t in ts.tolist())
    moves = np.zeros((len(order) + 1, 3), dtype=np.int64)
    for k, (_, axis) in enumerate(order):
        moves[k + 1, axis] = np.sign(end[axis] - start[axis])
    return np.asarray(start + np.cumsum(moves, axis=0))
