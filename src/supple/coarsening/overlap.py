"""Overlap of the tets of two meshes: exact shared volumes of all pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.coarsening.clipping import all_shared
from supple.errors import MeshError
from supple.mesh.measure import tet_volumes
from supple.types import Array, Ints

LEAST = 1e-13
"""Fraction of a coarse tet below which a pair is omitted: the overlap of touching tets is round-off."""
MISSED = 1e-6
"""Fraction of the fine body that may lie outside a coarse mesh."""
SHOWN = 5


@dataclass(frozen=True)
class Overlaps:
    """Pairs of a fine and a coarse tet, ordered by fine tet, and their shared volumes."""

    fine: Ints
    """(k,)"""
    coarse: Ints
    """(k,)"""
    volume: Array
    """(k,) [m^3]."""

    def covered(self, coarse_count: int) -> Array:
        """(q,) volume of each coarse tet filled by the fine body [m^3]."""
        return np.asarray(np.bincount(self.coarse, self.volume, coarse_count), dtype=np.float64)

    def inside(self, fine_count: int) -> Array:
        """(m,) volume of each fine tet inside the coarse mesh [m^3]."""
        return np.asarray(np.bincount(self.fine, self.volume, fine_count), dtype=np.float64)


def overlaps(fine_vertices: Array, fine_tets: Ints, coarse_vertices: Array, coarse_tets: Ints) -> Overlaps:
    """All pairs of tets that share a volume."""
    corners = coarse_vertices[coarse_tets]
    edges = np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2)
    size = np.abs(tet_volumes(coarse_vertices, coarse_tets))
    if not (size > 0.0).all():
        raise MeshError(f"coarse mesh: tet {int(np.argmin(size))} has no volume; remove or remesh it")
    coarse_boxes, fine_boxes = _boxes(corners), _boxes(fine_vertices[fine_tets])
    fine, coarse, part = all_shared(
        fine_boxes,
        np.ascontiguousarray(fine_vertices),
        np.ascontiguousarray(fine_tets),
        coarse_boxes,
        np.ascontiguousarray(corners[:, 0]),
        np.ascontiguousarray(np.linalg.inv(edges)),
        _grid(coarse_boxes),
        LEAST,
    )
    return Overlaps(fine, coarse, part * size[coarse])


def check_covers(found: Overlaps, fine_volumes: Array, coarse_count: int) -> None:
    """Raise an error if a coarse mesh does not cover the fine body."""
    if not len(found.volume):
        raise MeshError("coarse mesh: it shares no volume with the fine body; do position and units of both agree?")
    missing = fine_volumes - found.inside(len(fine_volumes))
    share = float(missing.sum() / fine_volumes.sum())
    if share > MISSED:
        worst = np.argsort(-missing / fine_volumes, kind="stable")
        out = worst[(missing / fine_volumes)[worst] > MISSED][:SHOWN]
        raise MeshError(
            f"coarse mesh: {share:.2%} of the fine body lies outside of it, for example the fine tets "
            f"{', '.join(map(str, out))}; take a larger mesh, or a cage (--cells)"
        )


def _boxes(corners: Array) -> Array:
    """(m, 2, 3) lower and upper corners."""
    return np.ascontiguousarray(np.stack([corners.min(axis=1), corners.max(axis=1)], axis=1))


def _grid(boxes: Array) -> tuple[Array, Array, np.ndarray, np.ndarray, Ints]:
    """A grid with about as many cells as boxes, and the boxes that intersect each cell."""
    low, high = boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)
    span = np.maximum(high - low, 1e-300)
    edge = (span.prod() / len(boxes)) ** (1.0 / 3.0)
    shape = np.clip(np.ceil(span / edge), 1, 256).astype(np.int64)
    size = span / shape
    lo = np.clip(((boxes[:, 0] - low) // size).astype(np.int64), 0, shape - 1)
    hi = np.clip(((boxes[:, 1] - low) // size).astype(np.int64), 0, shape - 1)
    cells, members = [], []
    for q, (a, b) in enumerate(zip(lo, hi, strict=True)):
        i, j, k = np.meshgrid(*(np.arange(a[d], b[d] + 1) for d in range(3)), indexing="ij")
        own = ((i * shape[1] + j) * shape[2] + k).ravel()
        cells.append(own)
        members.append(np.full(len(own), q, dtype=np.int32))
    cell, member = np.concatenate(cells), np.concatenate(members)
    order = np.argsort(cell, kind="stable")
    start = np.zeros(int(shape.prod()) + 1, dtype=np.int64)
    np.cumsum(np.bincount(cell, minlength=len(start) - 1), out=start[1:])
    return low, size, shape, start, np.ascontiguousarray(member[order])
