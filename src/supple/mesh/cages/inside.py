"""The cubes inside a surface, given the cubes that it touches.

`enclosed`: cubes that cannot be reached from outside around the touched cubes; holes narrower than a cube are ignored.
`winding`: also cubes where the winding number of an open surface exceeds one half. The winding number at x,

    w(x) = 1/(4 pi) integral of n . (y - x)/|y - x|^3 over the surface
is 1 inside a closed surface and 0 outside, and lies in between near a hole (Jacobson, Kavan, Sorkine-Hornung 2013). It
is the convolution of the area vectors in all cubes with one kernel, taken by fast Fourier transforms.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from supple.mesh.cages.lattice import CubeLattice, Flags
from supple.types import Array

Inside: TypeAlias = Literal["enclosed", "winding", "hollow"]
HALF = 0.5
FINEST = 64
"""Maximum number of segments per edge when a triangle is subdivided for the sum over its points."""


def inside_cells(lattice: CubeLattice, shell: Flags, triangles: Array, rule: Inside) -> Flags:
    """The cubes inside triangles (f, 3, 3) that touch the cubes `shell`."""
    if rule == "hollow":
        return np.zeros_like(shell)
    found = _enclosed(shell)
    if rule == "winding":
        found |= (np.abs(winding(lattice, triangles)) > HALF) & ~shell
    return found


def _enclosed(shell: Flags) -> Flags:
    from scipy.ndimage import label

    names, _ = label(np.pad(~shell, 1, constant_values=True))
    inner = names[1:-1, 1:-1, 1:-1]
    return np.asarray(~shell & (inner != names[0, 0, 0]))


def winding(lattice: CubeLattice, triangles: Array) -> Array:
    """Winding numbers at the centres of all cubes; accurate to a few hundredths one cube away from the surface."""
    from scipy.signal import fftconvolve

    points, vectors = _pieces(triangles, 0.5 * lattice.size)
    shares = _spread(lattice, points, vectors)
    reach = [np.arange(1 - n, n, dtype=float) for n in lattice.counts]
    d = np.stack(np.meshgrid(*reach, indexing="ij"))
    cube = np.maximum((d * d).sum(axis=0), 1.0) ** 1.5  # the nearest other centre is one cube away
    kernel = -d / (4.0 * np.pi * cube)
    parts = [fftconvolve(shares[axis], kernel[axis], mode="full") for axis in range(3)]
    middle = tuple(slice(n - 1, 2 * n - 1) for n in lattice.counts)
    return np.asarray(sum(part[middle] for part in parts))


def _pieces(triangles: Array, size: float) -> tuple[Array, Array]:
    """Centres and area vectors of triangles, subdivided until no edge is longer than `size`."""
    edges = np.linalg.norm(np.roll(triangles, -1, axis=1) - triangles, axis=2).max(axis=1)
    cuts = np.clip(np.ceil(edges / size), 1, FINEST).astype(int)
    points, vectors = [], []
    for n in np.unique(cuts).tolist():
        own = triangles[cuts == n]
        area = 0.5 * np.cross(own[:, 1] - own[:, 0], own[:, 2] - own[:, 0])
        i, j = (a.ravel() for a in np.meshgrid(np.arange(n), np.arange(n), indexing="ij"))
        up, down = i + j < n, i + j < n - 1
        first = np.concatenate([(i[up] + 1 / 3), (i[down] + 2 / 3)]) / n
        second = np.concatenate([(j[up] + 1 / 3), (j[down] + 2 / 3)]) / n
        weights = np.stack([1.0 - first - second, first, second], axis=1)
        points.append(np.einsum("pc,fci->fpi", weights, own).reshape(-1, 3))
        vectors.append(np.repeat(area / n**2, len(weights), axis=0))
    return np.concatenate(points), np.concatenate(vectors)


def _spread(lattice: CubeLattice, points: Array, vectors: Array) -> Array:
    """(3, nx, ny, nz) vectors over the square of a cube's length, shared among the nearest centres."""
    place = (points - lattice.low) / lattice.size - 0.5
    base = np.floor(place).astype(np.int64)
    part = place - base
    out = np.zeros((3, *lattice.counts))
    top = np.asarray(lattice.counts) - 1
    for corner in np.ndindex(2, 2, 2):
        offset = np.asarray(corner)
        weight = np.where(offset, part, 1.0 - part).prod(axis=1)
        at = lattice.flat(np.clip(base + offset, 0, top))
        for axis in range(3):
            flat = np.bincount(at, weight * vectors[:, axis], int(np.prod(lattice.counts)))
            out[axis] += flat.reshape(lattice.counts)
    return out / lattice.size**2
