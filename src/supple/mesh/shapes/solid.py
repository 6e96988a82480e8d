"""Boxes of tets."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import Ge, Gt

from supple.mesh import SHAPES
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.grid import grid_tets, grid_vertices, solid
from supple.mesh.shapes.shape import Counts

Count = Annotated[int, Ge(1)]
Length = Annotated[float, Gt(0)]


@SHAPES("bar")
@dataclass(frozen=True)
class Bar:
    """A box of tets on a regular grid; node (i, j, k) has index (i (ny + 1) + j) (nz + 1) + k."""

    cells: tuple[Count, Count, Count] = (8, 1, 1)
    """Grid cells along x, y and z."""
    size: tuple[Length, Length, Length] = (4.0, 0.5, 0.5)
    """Lengths along x, y and z [m]."""
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """The corner with the smallest x, y and z [m]."""
    tets: Literal[5, 6] = 5
    """Tets per cell: 5 is mirrored from cell to cell, 6 (Kuhn) is the same in all cells."""

    def counts(self) -> Counts:
        """The size of the mesh."""
        return _boxed(self.cells, self.tets)

    def mesh(self) -> Mesh:
        """The mesh, with the groups left, right, bottom, top, back and front."""
        return solid(grid_vertices(self.cells, self.size, self.origin), grid_tets(self.cells, self.tets))


@SHAPES("cube")
@dataclass(frozen=True)
class Cube:
    """A cube of tets on a regular grid."""

    cells: Count = 4
    """Grid cells along each edge."""
    size: Length = 1.0
    """Length of an edge [m]."""
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """The corner with the smallest x, y and z [m]."""
    tets: Literal[5, 6] = 5
    """Tets per cell: 5 is mirrored from cell to cell, 6 (Kuhn) is the same in all cells."""

    def counts(self) -> Counts:
        """The size of the mesh."""
        return _boxed((self.cells,) * 3, self.tets)

    def mesh(self) -> Mesh:
        """The mesh, with the groups left, right, bottom, top, back and front."""
        cells, size = (self.cells,) * 3, (self.size,) * 3
        return solid(grid_vertices(cells, size, self.origin), grid_tets(cells, self.tets))


def _boxed(cells: tuple[int, int, int], tets: int) -> Counts:
    return Counts(math.prod(n + 1.0 for n in cells), tets * math.prod(map(float, cells)))
