"""The elastic energy of particles as a function of node positions, by blocks of cells and without a matrix.

With the gradients w r/D of moving least squares F' = F + (grad u) F needs the same sums as an explicit step. So forces
and products with the stiffness cost about as much as its two passes over particles:
    force at node i: sum_p V P F^T w r/D,   stiffness against grad u: A = V F C F^T, the same for all nodes of a particle
Operations on single elements (a matrix for a factorisation, discrete gradients) are inherited from `PointSolid`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from supple.energies.points.point_solid import PointSolid
from supple.energies.roles.matrix_free import LinearMap, MatrixFree
from supple.energies.samples import Samples
from supple.linalg.parts import Parts
from supple.linalg.pool import in_parts
from supple.materials.material import Material
from supple.points.blocks import aligned
from supple.points.grid import Cells
from supple.points.tiled.diagonal import PAIRS, diagonal_part
from supple.points.tiled.solid_kernels import forces_part, product_part, stiffness_part
from supple.points.tiled.tiles import Tiles
from supple.types import Array


class TiledSolid(PointSolid, MatrixFree):
    """Particles of one material, sorted by blocks and by cells."""

    def __init__(
        self, tiles: Tiles, nodes: Array, F: Array, volume: Array, material: Material, table: Array,
        cells: Cells, rank: np.ndarray, B: Callable[[], Array],
    ) -> None:  # fmt: skip
        """`tiles` of the particles with F (n, 3, 3), volumes (n,) and constants table (n, c), over nodes at `nodes` (N,
        3). For `PointSolid`: cells, the rank (n,) of particles in their order, and B."""
        super().__init__(cells.corners, cells.start, B, volume[rank], material, table[rank])
        self._tiles, self._nodes = tiles, nodes
        order = tiles.order
        self._F = np.swapaxes(F[order], 1, 2).reshape(-1, 9)
        self._volume, self._table = volume[order], np.ascontiguousarray(table[order])

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        t, values = self._tiles, np.empty(len(self._tiles.corner))
        weights = samples.x - self._nodes, samples.energy, samples.force
        law = self.material.law.response, self._table, self._volume
        given = *self._place(), *weights, *law, values, t.tiles
        in_parts(lambda k: forces_part(t.cuts[k], t.cuts[k + 1], *given), len(t.cuts) - 1)
        gradient += t.summed()
        return float(values.sum())

    def linear_map(self, samples: Samples) -> LinearMap:
        t, A = self._tiles, np.zeros((len(self._volume) + 1, 81), dtype=np.float32)
        law = self.material.law.tangent, 0, self._table, self._volume
        given = *self._place(), samples.x - self._nodes, samples.curvature, *law, A
        in_parts(lambda k: stiffness_part(t.cuts[k], t.cuts[k + 1], *given), len(t.cuts) - 1)
        return _Stiffness(t, A)

    def _place(self) -> tuple[object, ...]:
        t = self._tiles
        numbers = t.numbers
        numbers[4] = 1.0  # F' = F + (grad u) F
        return t.spline.degree, t.start, t.corner, t.nodes, numbers, t.x, self._F


@dataclass(frozen=True)
class _Stiffness:
    """The stiffness of particles with A (n + 1, 81), in the order of the tiles; registers of the last one reach into
    the next row. Single precision: products are bound by memory bandwidth, and residuals are not computed from them."""

    ignores_translation: ClassVar[bool] = True

    tiles: Tiles
    A: np.ndarray

    def times(self, p: Array) -> Array:
        t = self.tiles
        given = t.spline.degree, t.start, t.corner, t.nodes, t.numbers, t.x, self.A, np.ascontiguousarray(p), t.tiles
        in_parts(lambda k: product_part(t.cuts[k], t.cuts[k + 1], *given), len(t.cuts) - 1)
        return t.summed()

    def blocks(self) -> Array:
        t = self.tiles
        room = aligned((*t.tiles.shape[:2], 8))
        given = t.spline.degree, t.start, t.corner, t.numbers, t.x, self.A, room
        in_parts(lambda k: diagonal_part(t.cuts[k], t.cuts[k + 1], *given), len(t.cuts) - 1)
        sums, out = t.summed(6, room), np.empty((t.count, 3, 3))
        for r, (j, k) in enumerate(PAIRS.tolist()):
            out[:, j, k] = out[:, k, j] = sums[:, r]
        return out
