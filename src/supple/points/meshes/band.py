"""Signed distances to a closed surface near it, on a lattice of blocks that is built once and moves with the surface.

A block has 4 x 4 x 4 points, each with the distance d and its gradient g. Between points x_i with trilinear weights
    d(y) = sum w (d_i + g_i . (y - x_i)/2),   g(y) = sum w g_i / |sum w g_i|
which is exact where d is quadratic: means of values are too large by half the amount by which means of tangents are too
small. Only blocks near the surface are stored; for the others one value marks whether they are inside.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from supple.errors import MeshError, SuppleError
from supple.points.meshes.closed_surface import ClosedSurface
from supple.types import Array

REACH = 4.0
"""Distance, in lattice steps, up to which all lattice points around a point are stored."""
SIDE = 4
OUTSIDE, INSIDE = -1, -2
"""Blocks that are far from the surface."""
ROUNDING = 1e-6
"""Tolerance of distance differences, as a fraction of a step."""
MOST = 500_000
"""Largest number of stored blocks: one gigabyte."""


@dataclass(frozen=True, eq=False)
class Band:
    """Made by `lay_band`."""

    step: float
    """Lattice spacing [m]."""
    first: np.ndarray
    """(3,) first lattice point of the first block."""
    index: np.ndarray
    """(bx, by, bz) index of a block, OUTSIDE or INSIDE."""
    values: Array
    """(b, 64, 4) d and g of the points of a block, the last axis innermost."""

    def look(self, points: Array) -> tuple[Array, Array]:
        """(m,) distances of points (m, 3), and gradients (m, 3). Far from the surface distances are infinite, with the right
        sign, and gradients are zero."""
        distance, gradient = np.empty(len(points)), np.zeros((len(points), 3))
        _look(points, self.step, self.first, self.index, self.values, distance, gradient)
        return distance, gradient


def lay_band(surface: ClosedSurface, step: float) -> Band:
    """The band of a surface with lattice points `step` apart [m], at integer multiples of it."""
    width = (REACH + np.sqrt(3.0)) * step
    x = surface.vertices
    first = np.floor((x.min(axis=0) - width) / step).astype(np.int64)
    shape = (np.ceil((x.max(axis=0) + width) / step).astype(np.int64) - first) // SIDE + 1
    if np.prod(shape, dtype=float) > 1000.0 * MOST:
        raise _too_large(step)
    blocks = _near(surface, step, first, shape, width)
    inner = np.stack(np.meshgrid(*[np.arange(SIDE)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    places = first + SIDE * blocks[:, None] + inner
    d, g = surface.signed((places * step).reshape(-1, 3))
    _demand_one_inside(d.reshape(-1, SIDE, SIDE, SIDE), (places * step).reshape(-1, SIDE, SIDE, SIDE, 3), step)
    values = np.concatenate([d[:, None], g], axis=1).reshape(len(blocks), SIDE**3, 4)
    return Band(step, first, _filled(blocks, shape, d.reshape(len(blocks), -1)), values)


def _demand_one_inside(d: Array, places: Array, step: float) -> None:
    """Reject a self-intersecting surface: there distances change faster than positions."""
    for axis in (1, 2, 3):
        wrong = np.argwhere(np.abs(np.diff(d, axis=axis)) > (1.0 + ROUNDING) * step)
        if len(wrong):
            at = ", ".join(f"{value:.3g}" for value in places[tuple(wrong[0])])
            raise MeshError(
                f"the surface intersects itself near ({at}) m, so its inside is ambiguous; merge its pieces, "
                "or make each a separate obstacle"
            )


def _near(surface: ClosedSurface, step: float, first: np.ndarray, shape: np.ndarray, width: float) -> np.ndarray:
    """(b, 3) blocks with a point within `width` of the surface: boxes of blocks are bisected while they may contain one."""
    size = 1 << int(shape.max() - 1).bit_length()
    boxes = np.zeros((1, 3), dtype=np.int64)
    corners = np.stack(np.meshgrid(*[[0, 1]] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    while True:
        places = SIDE * size - 1
        centres = (first + SIDE * boxes + 0.5 * places) * step
        distance = np.abs(surface.signed(np.asarray(centres, dtype=np.float64))[0])
        boxes = boxes[(distance <= width + 0.5 * np.sqrt(3.0) * places * step) & (boxes < shape).all(axis=1)]
        if len(boxes) > MOST:
            raise _too_large(step)
        if size == 1:
            return boxes
        size //= 2
        boxes = (boxes[:, None] + size * corners).reshape(-1, 3)


def _filled(blocks: np.ndarray, shape: np.ndarray, d: Array) -> np.ndarray:
    """The index of blocks. A block far from the surface is on the same side as the last lattice point before it in its row."""
    index = np.full(tuple(shape), OUTSIDE, dtype=np.int64)
    index[tuple(blocks.T)] = np.arange(len(blocks))
    last = np.where(index >= 0, np.arange(shape[0])[:, None, None], -1)
    last = np.maximum.accumulate(last, axis=0)
    _, j, k = np.meshgrid(*(np.arange(n) for n in shape), indexing="ij", sparse=True)
    before = index[last, j, k]
    within = (last >= 0) & (d[before, (SIDE - 1) * SIDE * SIDE] < 0.0)
    return np.where((index < 0) & within, INSIDE, index)


def _too_large(step: float) -> SuppleError:
    return SuppleError(
        f"obstacle.mesh: a lattice of {step:.3g} m around its surface has more than {MOST} blocks; use larger cells "
        "or a smaller mesh"
    )


@njit(cache=True, nogil=True)
def _look(points, step, first, index, values, distance, gradient):
    """See `Band.look`."""
    z, f, g = np.empty(3, dtype=np.int64), np.empty(3), np.empty(3)
    for m in range(len(points)):
        far, total = False, 0.0
        for a in range(3):
            at = points[m, a] / step - first[a]
            if not (at >= 0.0 and at < SIDE * index.shape[a] - 1):
                far = True
                break
            z[a] = int(np.floor(at))
            f[a] = at - z[a]
        if far:
            distance[m] = np.inf
            continue
        g[:] = 0.0
        for corner in range(8):
            i, j, k = z[0] + (corner >> 2), z[1] + (corner >> 1 & 1), z[2] + (corner & 1)
            b = index[i // SIDE, j // SIDE, k // SIDE]
            if b < 0:
                distance[m] = np.inf if b == OUTSIDE else -np.inf
                far = True
                break
            d = values[b, (i % SIDE * SIDE + j % SIDE) * SIDE + k % SIDE]
            r0, r1, r2 = f[0] - (corner >> 2), f[1] - (corner >> 1 & 1), f[2] - (corner & 1)
            w = (1.0 - abs(r0)) * (1.0 - abs(r1)) * (1.0 - abs(r2))
            total += w * (d[0] + 0.5 * step * (d[1] * r0 + d[2] * r1 + d[3] * r2))
            for a in range(3):
                g[a] += w * d[1 + a]
        if far:
            continue
        distance[m] = total
        size = np.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])
        if size > 0.0:
            gradient[m] = g / size
