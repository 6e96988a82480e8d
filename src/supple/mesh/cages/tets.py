"""Tets in a set of cubes: corners and centres of the cubes, four tets across every face between two cubes, two on others.

Inside this is the body-centred cubic lattice, whose tets are nearly regular and have no preferred direction.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from supple.mesh.cages.lattice import CubeLattice, Flags
from supple.mesh.shapes.grid import oriented
from supple.types import Array, Ints

Longs = npt.NDArray[np.int64]


def cell_tets(lattice: CubeLattice, cells: Flags) -> tuple[Array, Ints]:
    """Vertices (n, 3) [m] and positive tets (m, 4) of the cubes."""
    found = [tets for axis in range(3) for tets in (_across(axis, cells), *_sides(axis, cells))]
    places = np.concatenate(found)  # in halves of a cube
    shape = tuple(2 * n + 1 for n in cells.shape)
    flat = np.ravel_multi_index(tuple(np.moveaxis(places.reshape(-1, 3), -1, 0)), shape)
    used, numbers = np.unique(flat, return_inverse=True)
    x = lattice.low + 0.5 * lattice.size * np.stack(np.unravel_index(used, shape), axis=1)
    return x, oriented(x, numbers.reshape(-1, 4).astype(np.int32))


def _across(axis: int, cells: Flags) -> Longs:
    """(m, 4, 3) around the faces between two cubes along an axis."""
    low, high = (tuple(s if a == axis else slice(None) for a in range(3)) for s in (slice(None, -1), slice(1, None)))
    cell = np.argwhere(cells[low] & cells[high])
    step = np.eye(3, dtype=np.int64)[axis]
    centre = 2 * cell + 1
    ring = _ring(axis, 2 * (cell + step))
    parts = [np.stack([centre, centre + 2 * step, ring[k], ring[(k + 1) % 4]], axis=1) for k in range(4)]
    return np.concatenate(parts)


def _sides(axis: int, cells: Flags) -> list[Longs]:
    """(m, 4, 3) on the faces along an axis that belong to one cube only."""
    step = np.eye(3, dtype=np.int64)[axis]
    padded = np.pad(cells, 1)
    made = []
    for way in (0, 1):
        beyond = np.roll(padded, 1 - 2 * way, axis=axis)[1:-1, 1:-1, 1:-1]
        cell = np.argwhere(cells & ~beyond)
        ring = _ring(axis, 2 * (cell + way * step))
        odd = (cell.sum(axis=1) % 2 == 1)[:, None]
        # diagonals of neighbours alternate, so the surface has no preferred direction
        a, b, c, d = (np.where(odd, ring[(k + 1) % 4], ring[k]) for k in range(4))
        centre = 2 * cell + 1
        made += [np.stack([centre, a, b, c], axis=1), np.stack([centre, a, c, d], axis=1)]
    return made


def _ring(axis: int, corner: Longs) -> list[Longs]:
    """The four corners of a face normal to an axis, in cyclic order from the lowest."""
    u, v = (2 * np.eye(3, dtype=np.int64)[a] for a in range(3) if a != axis)
    return [corner, corner + u, corner + u + v, corner + v]
