"""A lattice of cubes around a surface, and the cubes that the surface touches.

A triangle touches a cube if no plane separates them: planes along the sides of the cube, along the triangle, and along
the products of their edges (13 directions). Cubes are enlarged slightly, so a surface that runs exactly along a face or
through a corner touches all cubes around it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from supple.errors import MeshError
from supple.types import Array

Longs = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

LARGER = 1e-9
"""Enlargement of a cube as a fraction of its length."""
BUDGET = 500_000
"""Pairs of triangle and cube that are processed in one batch."""
MOST = 30_000_000
"""Cubes of a lattice."""


@dataclass(frozen=True, eq=False)
class CubeLattice:
    """`counts` cubes of length `size` [m] along x, y and z, starting at `low`."""

    low: Array
    size: float
    counts: tuple[int, int, int]

    def flat(self, cells: Longs) -> Longs:
        """One index per cube (..., 3)."""
        return np.asarray(np.ravel_multi_index(tuple(np.moveaxis(cells, -1, 0)), self.counts), dtype=np.int64)

    def flags(self, cells: Longs) -> Flags:
        """Mask of the cubes in a set given by indices."""
        found = np.zeros(self.counts, dtype=bool)
        found.reshape(-1)[cells] = True
        return found


def lattice_around(points: Array, size: float) -> CubeLattice:
    """The smallest lattice around points (n, 3), centred on them; one cube thick across a flat surface."""
    low, high = points.min(axis=0), points.max(axis=0)
    counts = np.maximum(np.ceil((high - low) / size - 1e-6), 1.0)
    if not np.prod(counts) <= MOST:
        words = " x ".join(f"{n:.3g}" for n in counts)
        raise MeshError(
            f"cage: cells of {size:.3g} m make a lattice of {words}, more than {MOST:.0g}; use larger cells, and check "
            "the box of the surface: a stray vertex far away makes it large"
        )
    size = max(size, float(((high - low) / counts).max()))
    nx, ny, nz = (int(n) for n in counts)
    return CubeLattice(0.5 * (low + high) - 0.5 * size * counts, size, (nx, ny, nz))


def touched(lattice: CubeLattice, triangles: Array) -> tuple[Longs, Longs]:
    """Pairs of indices: cubes, and the triangles (f, 3, 3) that touch them."""
    cells, owners = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for cell, owner in _candidates(lattice, triangles):
        centre = lattice.low + (cell + 0.5) * lattice.size
        near = _meet(triangles[owner] - centre[:, None], 0.5 * lattice.size * (1.0 + LARGER))
        cells.append(lattice.flat(cell[near]))
        owners.append(owner[near])
    return np.concatenate(cells), np.concatenate(owners)


def _candidates(lattice: CubeLattice, triangles: Array) -> Iterator[tuple[Longs, Longs]]:
    """Cubes (p, 3) in the boxes of triangles, and these triangles (p,)."""
    top = np.asarray(lattice.counts) - 1
    places = (triangles - lattice.low) / lattice.size
    first = np.clip(np.floor(places.min(axis=1) - LARGER).astype(np.int64), 0, top)
    last = np.clip(np.floor(places.max(axis=1) + LARGER).astype(np.int64), 0, top)
    shape = last - first + 1
    for owner, k in batches(shape.prod(axis=1), BUDGET):
        ny, nz = shape[owner, 1], shape[owner, 2]
        yield first[owner] + np.stack([k // (ny * nz), k // nz % ny, k % nz], axis=1), owner


def batches(many: Longs, budget: int) -> Iterator[tuple[Longs, Longs]]:
    """Each row as often as `many` says, with the numbers 0, 1, ... of its turns; about `budget` of them at a time."""
    cuts = np.searchsorted(np.cumsum(many), np.arange(budget, many.sum(), budget), side="right")
    for rows in np.split(np.arange(len(many)), np.unique(cuts)):
        row = np.repeat(rows, many[rows])
        yield row, np.arange(len(row)) - np.repeat(np.cumsum(many[rows]) - many[rows], many[rows])


def _meet(corners: Array, half: float) -> Flags:
    """Whether triangles (p, 3, 3) meet a cube around 0; their boxes do."""
    edges = np.roll(corners, -1, axis=1) - corners
    normal = np.cross(edges[:, 0], edges[:, 1])
    meet = np.abs(np.einsum("pi,pi->p", normal, corners[:, 0])) <= half * np.abs(normal).sum(axis=1)
    for k in range(3):
        for axis in range(3):
            across = np.cross(np.eye(3)[axis], edges[:, k])
            along = np.einsum("pi,pci->pc", across, corners)
            reach = half * np.abs(across).sum(axis=1)
            meet &= (along.min(axis=1) <= reach) & (along.max(axis=1) >= -reach)
    return np.asarray(meet)
