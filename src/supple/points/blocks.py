"""Particles sorted by blocks of 4 x 4 x 4 cells, and the blocks of nodes that they reach: a sparse grid.

Each block of particles scatters into its own tile, which holds the nodes within its reach. Each block of nodes then
sums the tiles that overlap it, in a fixed order. So there are no write conflicts, and results do not depend on the
number of threads. Tiles extend one cell beyond the reach of their particles, so particles may leave their block by a
cell before they are sorted again. Blocks exist only where particles are, and bodies may be anywhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numba import njit

from supple.points.grid import demand_near
from supple.points.spline import Spline
from supple.types import Array, Ints

EDGE = 4
"""Cells along the edge of a block."""
BITS = 21
HALF = 1 << (BITS - 1)
_AROUND = [(i, j, k) for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)]


@dataclass(frozen=True)
class Blocks:
    """Made by `sort_particles`; b blocks hold particles, B blocks hold nodes."""

    order: Ints
    """(n,) particles, block by block; within each by cloud, in their original order."""
    start: np.ndarray
    """(b * clouds + 1,) particles start[r]:start[r + 1] of `order` belong to block r // clouds and cloud r % clouds."""
    corner: np.ndarray
    """(b, 3) index of the first cell of each block of particles."""
    reached: Ints
    """(b, 27) blocks of nodes around each block of particles."""
    sources: Ints
    """(B, 27) blocks of particles around each block of nodes, -1 where there is none."""
    origin: np.ndarray
    """(B, 3) index of the first node of each block of nodes."""

    @property
    def count(self) -> int:
        return len(self.corner)

    def nodes(self, dx: float) -> Array:
        """(64 B, 3) positions of all nodes [m]."""
        i = np.arange(EDGE)
        offsets = np.stack(np.meshgrid(i, i, i, indexing="ij"), axis=-1).reshape(-1, 3)
        return np.asarray((self.origin[:, None, :] + offsets).reshape(-1, 3) * dx)


def sort_particles(spline: Spline, x: Array, cloud: Ints, clouds: int) -> Blocks:
    """Particles at x (n, 3), with their cloud indices (n,)."""
    demand_near(x, spline.dx)
    keys = np.empty(len(x), dtype=np.int64)
    block_keys(x, spline.dx, spline.degree, keys)
    label, found = number_keys(keys)
    rank = np.empty(len(found), dtype=np.int64)
    rank[np.argsort(found)] = np.arange(len(found))
    order, start = np.empty(len(x), dtype=np.int32), np.zeros(len(found) * clouds + 1, dtype=np.int64)
    count_sort(rank, label, cloud, clouds, order, start)
    corner = _unpacked(np.sort(found))
    around = _packed(corner[:, None, :] + np.array(_AROUND))
    blocks, inverse = np.unique(around, return_inverse=True)
    reached = inverse.reshape(-1, 27).astype(np.int32)
    sources = np.full((len(blocks), 27), -1, dtype=np.int32)
    sources[reached, 26 - np.arange(27)] = np.arange(len(corner))[:, None]
    return Blocks(order, start, EDGE * corner, reached, sources, EDGE * _unpacked(blocks))


def cuts(start: np.ndarray, count: int) -> list[int]:
    """First block of each of `count` threads, with about equally many particles per thread."""
    wanted = np.linspace(0, start[-1], count + 1)
    found = [int(c) for c in np.searchsorted(start, wanted)]
    return [0, *found[1:-1], len(start) - 1]


def aligned(shape: tuple[int, ...]) -> Array:
    """An empty array in which the eight values of each node lie in one cache line."""
    flat = np.empty(math.prod(shape) + 8)
    begin = -(flat.ctypes.data // 8) % 8
    return flat[begin : begin + math.prod(shape)].reshape(shape)


def _packed(block: np.ndarray) -> np.ndarray:
    shifted = block + HALF
    return (shifted[..., 0] << (2 * BITS)) | (shifted[..., 1] << BITS) | shifted[..., 2]


def _unpacked(keys: np.ndarray) -> np.ndarray:
    mask = (1 << BITS) - 1
    return np.stack([keys >> (2 * BITS), (keys >> BITS) & mask, keys & mask], axis=-1) - HALF


@njit(cache=True, nogil=True)
def block_keys(x, dx, degree, keys):
    """Keys (n,) of the blocks in which the first nodes of particles are."""
    shift = 0.5 if degree == 2 else 1.0
    for p in range(x.shape[0]):
        key = np.int64(0)
        for a in range(3):
            base = np.int64(np.floor(x[p, a] / dx - shift))
            key = (key << BITS) | ((base >> 2) + HALF)
        keys[p] = key


@njit(cache=True, nogil=True)
def number_keys(keys):
    """Indices (n,) of keys in the order of their first appearance, and the distinct keys: a hash table with open addressing."""
    n = keys.size
    size = 64
    while size < 2 * n:
        size *= 2
    table, number = np.full(size, np.int64(-1)), np.empty(size, np.int32)
    label, found, count = np.empty(n, np.int32), np.empty(n, np.int64), 0
    last, latest = np.int64(-1), np.int32(0)
    for p in range(n):
        key = keys[p]
        if key != last:
            at = (key * np.int64(-7046029254386353131) >> 20) & (size - 1)
            while table[at] != key and table[at] != -1:
                at = (at + 1) & (size - 1)
            if table[at] == -1:
                table[at], number[at], found[count] = key, count, key
                count += 1
            last, latest = key, number[at]
        label[p] = latest
    return label, found[:count].copy()


@njit(cache=True, nogil=True)
def count_sort(rank, label, cloud, clouds, order, start):
    """Stable sort by block and cloud: `order`, and the start of each of them."""
    for p in range(label.size):
        start[rank[label[p]] * clouds + cloud[p] + 1] += 1
    for r in range(start.size - 1):
        start[r + 1] += start[r]
    next_place = start[:-1].copy()
    for p in range(label.size):
        r = rank[label[p]] * clouds + cloud[p]
        order[next_place[r]] = p
        next_place[r] += 1
