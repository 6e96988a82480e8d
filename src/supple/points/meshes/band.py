"""Signed distances to a closed surface near it, on a lattice of blocks that is laid once and moves with the surface.

A block has 4 x 4 x 4 places, each with the distance d and its gradient g. Between places x_i with trilinear weights
    d(y) = sum w (d_i + g_i . (y - x_i)/2),   g(y) = sum w g_i / |sum w g_i|
which is exact where d is quadratic: means of values are too large by half of what means of tangents are too small. Only blocks
that the surface comes near are kept; of the others one number says whether they are inside.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from supple.errors import MeshError, SuppleError
from supple.points.meshes.closed_surface import ClosedSurface
from supple.types import Array

REACH = 4.0
"""Distance, in steps of the lattice, up to which all places around a point are kept."""
SIDE = 4
OUTSIDE, INSIDE = -1, -2
"""Blocks that are far from the surface."""
ROUNDING = 1e-6
"""Part of a step by which differences of distances may be too large."""
MOST = 500_000
"""Blocks that are kept: a gigabyte."""


@dataclass(frozen=True, eq=False)
class Band:
    """Made by `lay_band`."""

    step: float
    """Distance of the places [m]."""
    first: np.ndarray
    """(3,) place of the lattice with which the first block begins."""
    index: np.ndarray
    """(bx, by, bz) number of a block, OUTSIDE or INSIDE."""
    values: Array
    """(b, 64, 4) d and g of the places of a block, the last axis innermost."""

    def look(self, points: Array) -> tuple[Array, Array]:
        """(m,) distances of points (m, 3), and gradients (m, 3). Far from the surface distances are infinite, with the right
        sign, and gradients are zero."""
        distance, gradient = np.empty(len(points)), np.zeros((len(points), 3))
        _look(points, self.step, self.first, self.index, self.values, distance, gradient)
        return distance, gradient


def lay_band(surface: ClosedSurface, step: float) -> Band:
    """The band of a surface with places `step` apart [m], at whole multiples of it."""
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
    """Refuse a surface that cuts itself: there distances change faster than places."""
    for axis in (1, 2, 3):
        wrong = np.argwhere(np.abs(np.diff(d, axis=axis)) > (1.0 + ROUNDING) * step)
        if len(wrong):
            at = ", ".join(f"{value:.3g}" for value in places[tuple(wrong[0])])
            raise MeshError(
                f"the surface cuts itself near ({at}) m, so that its inside is not clear; unite its pieces, or give each an "
                "obstacle of its own"
            )


def _near(surface: ClosedSurface, step: float, first: np.ndarray, shape: np.ndarray, width: float) -> np.ndarray:
    """(b, 3) blocks with a place within `width` of the surface: boxes of blocks are halved as long as they may have one."""
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
    """The index of blocks. One that is far from the surface is on the same side as the last place before it in its row."""
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
        f"obstacle.mesh: a lattice of {step:.3g} m around its surface has more than {MOST} blocks; take larger cells "
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
