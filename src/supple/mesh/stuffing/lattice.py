"""The body-centred cubic lattice of a box: corners and centres of cubes, four tets across every face between two cubes.

At a side of the box the tets end at the middles of the faces, so the six sides are flat.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from supple.mesh.stuffing.blend import Form
from supple.types import Array, Ints

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Lattice:
    """Nodes and tets, with the node data used by warping and cutting."""

    x: Array
    """Positions (n, 3) [m]."""
    tets: Ints
    """Corners (m, 4) of tets with either sign."""
    rank: Ints
    """(n,) order of the nodes of a tet: the diagonal of a cut quadrilateral starts at the higher one."""
    held: Flags
    """(n, 3) mask of fixed coordinates of a node on a side of the box."""


def lattice(low: Array, cell: Array, counts: tuple[int, int, int], form: Form) -> Lattice:
    """The part of a box of cubes that is close to the body.

    `low` is the corner with the smallest coordinates, `cell` the lengths of a cube. Cubes whose centre lies more than
    two lengths outside are omitted.
    """
    places = np.indices(counts).reshape(3, -1).T
    near = _near(form, low + (places + 0.5) * cell, 2.0 * float(cell.max())).reshape(counts)
    found = [_across(axis, counts, near) for axis in range(3)]
    doubled = np.concatenate(found)
    flat, inverse = np.unique(_key(doubled.reshape(-1, 3), counts), return_inverse=True)
    spot = _spot(flat, counts)
    ends = 2 * np.asarray(counts)
    return Lattice(
        low + 0.5 * spot * cell,
        inverse.reshape(-1, 4).astype(np.int32),
        _rank(spot),
        (spot == 0) | (spot == ends),
    )


def _near(form: Form, centres: Array, reach: float, chunk: int = 100_000) -> Flags:
    return np.concatenate([form.distance(centres[i : i + chunk]) < reach for i in range(0, len(centres), chunk)])


def _across(axis: int, counts: tuple[int, int, int], near: Flags) -> Ints:
    """(m, 4, 3) tets through the faces normal to an axis, at coordinates in halves of a cube."""
    shape = [n + (a == axis) for a, n in enumerate(counts)]
    face = np.indices(shape).reshape(3, -1).T
    step = np.eye(3, dtype=np.int64)[axis]
    top = np.asarray(counts) - 1
    before, after = np.maximum(face - step, 0), np.minimum(face, top)
    face = face[near[tuple(before.T)] & near[tuple(after.T)]]
    u, v = (np.eye(3, dtype=np.int64)[a] for a in range(3) if a != axis)
    corner = [2 * face, 2 * (face + u), 2 * (face + u + v), 2 * (face + v)]
    middle = 2 * face + u + v
    inner = (face[:, axis] > 0)[:, None], (face[:, axis] < counts[axis])[:, None]
    ends = np.where(inner[0], middle - step, middle), np.where(inner[1], middle + step, middle)
    return np.concatenate([np.stack([*ends, corner[k], corner[(k + 1) % 4]], axis=1) for k in range(4)])


def _key(spot: Ints, counts: tuple[int, int, int]) -> npt.NDArray[np.int64]:
    b, c = 2 * counts[1] + 1, 2 * counts[2] + 1
    return np.asarray((spot[:, 0] * b + spot[:, 1]) * c + spot[:, 2], dtype=np.int64)


def _spot(key: npt.NDArray[np.int64], counts: tuple[int, int, int]) -> npt.NDArray[np.int64]:
    b, c = 2 * counts[1] + 1, 2 * counts[2] + 1
    return np.stack([key // (b * c), key // c % b, key % c], axis=1)


def _rank(spot: npt.NDArray[np.int64]) -> Ints:
    """Corners have 0 and 1, centres 2 and 3, each by parity along the axes; face midpoints are last, with 4."""
    odd = (spot % 2).sum(axis=1)
    parity = (spot // 2).sum(axis=1) % 2
    return np.where(odd == 0, parity, np.where(odd == 3, 2 + parity, 4)).astype(np.int32)
