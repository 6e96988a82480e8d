"""Particles by blocks of cells, which exchange fields with the nodes of a `Grid` through tiles.

As in explicit steps each block has its own tile, and a node sums the tiles that contain it in the order of blocks. So
results do not depend on the number of threads. Gradients of weights are those of moving least squares.
"""

from __future__ import annotations

import numpy as np

from supple.linalg.pool import in_parts
from supple.linalg.threads import threads
from supple.points.blocks import aligned, cuts, sort_particles
from supple.points.spline import Spline
from supple.points.tiled.kernels import given_part, seen_part, summed_part
from supple.types import Array


class Tiles:
    """Tiles of particles at x (n, 3), on nodes with ascending keys (N,): ((i + far) span + j + far) span + k + far."""

    def __init__(self, spline: Spline, x: Array, keys: np.ndarray, span: int, far: int) -> None:
        self.spline, self.count = spline, len(keys)
        blocks = sort_particles(spline, x, np.zeros(len(x), dtype=np.int32), 1)
        self.order, self.start, self.corner = blocks.order, blocks.start, blocks.corner
        self.x = np.ascontiguousarray(x[self.order])
        side = 6 + spline.degree
        i = np.arange(side)
        offsets = np.stack(np.meshgrid(i, i, i, indexing="ij"), axis=-1).reshape(-1, 3) - 1 + far
        at = (offsets[:, 0] * span + offsets[:, 1]) * span + offsets[:, 2]
        corner = (blocks.corner[:, 0] * span + blocks.corner[:, 1]) * span + blocks.corner[:, 2]
        wanted = corner[:, None] + at
        place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        self.nodes = np.where(keys[place] == wanted, place, -1).astype(np.int32)
        flat = self.nodes.ravel()
        slots = np.flatnonzero(flat >= 0)
        self._slots = slots[np.argsort(flat[slots], kind="stable")].astype(np.int32)
        self._slot_start = np.searchsorted(flat[self._slots], np.arange(self.count + 1)).astype(np.int32)
        self.tiles = aligned((len(self.corner), side**3, 4))
        self.cuts = cuts(self.start, threads())

    @property
    def numbers(self) -> Array:
        """Parameters shared by all particles, see vector/particle.py."""
        dx, slope = self.spline.dx, self.spline.dx / self.spline.D
        return np.array([1.0 / dx, dx, -slope, slope, 0.0, 0.0, 0.0, 0.0])

    def seen(self, field: Array) -> tuple[Array, Array]:
        """Interpolation of a field (N, 3) to particles: means (n, 3), and sums (n, 3, 3) of w field_i r_i^T / D."""
        out = np.empty((len(self.order), 16))
        field = np.ascontiguousarray(field)
        place = self.spline.degree, self.start, self.corner, self.nodes, self.numbers, self.x, field
        in_parts(lambda k: seen_part(self.cuts[k], self.cuts[k + 1], *place, out), len(self.cuts) - 1)
        rows = np.empty((len(out), 4, 3))
        rows[self.order] = out.reshape(-1, 4, 4)[:, :, :3]
        return rows[:, 0], np.swapaxes(rows[:, 1:], 1, 2)

    def given(self, values: Array, matrices: Array | None = None) -> Array:
        """(N, c) sums over particles of w (values + matrices r), for values (n, c) with c up to 4 and matrices (n, 3, 3)."""
        start, columns = np.zeros((len(values), 4)), np.zeros((1, 9))
        start[:, : values.shape[1]] = values[self.order]
        if matrices is not None:
            columns = self.spline.dx * np.swapaxes(matrices[self.order], 1, 2).reshape(-1, 9)
        place = self.spline.degree, self.start, self.corner, self.numbers, self.x, start, columns
        in_parts(lambda k: given_part(self.cuts[k], self.cuts[k + 1], *place, self.tiles), len(self.cuts) - 1)
        return self.summed(values.shape[1])

    def summed(self, columns: int = 3, tiles: Array | None = None) -> Array:
        """(N, columns) the content of the tiles, or of others (b, T^3, c), at the nodes."""
        out, parts, n = np.empty((self.count, columns)), len(self.cuts) - 1, self.count
        tiles = self.tiles if tiles is None else tiles
        tiles = tiles.reshape(-1, tiles.shape[-1])
        given = self._slot_start, self._slots, tiles, out
        in_parts(lambda k: summed_part(k * n // parts, (k + 1) * n // parts, *given), parts)
        return out
