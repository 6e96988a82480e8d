"""Triangulation of polygons: quads along an inner diagonal, larger faces as a fan or, where that folds, by ear clipping.

A face need not be flat or convex. Its Newell normal, half the sum of x_i cross x_(i+1), defines its orientation.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from supple.errors import MeshError
from supple.types import Array, Ints

Longs = npt.NDArray[np.int64]
THIN = 1e-9
"""Fraction of a face's area below which a triangle of it counts as folded or flat."""
MOST_EARS = 2000
"""Most corners of a face that is triangulated by ears, at a cost quadratic in their number; larger ones become a fan."""
TESTS = 20
"""Ears tested per corner of a face; a self-intersecting face has hardly any."""
MOST_WORK = 400_000
"""Ears clipped in one mesh, each counted as 1 + k/300 for a face of k corners: they take half a minute."""
FIRST = np.array([[0, 1, 2], [0, 2, 3]])
SECOND = np.array([[0, 1, 3], [1, 2, 3]])


def triangulated(x: Array, counts: Ints, corners: Ints) -> tuple[Longs, Longs]:
    """(t, 3) indices into `corners`, and (t,) faces that the triangles belong to; in the order of the faces. A `MeshError` if
    large faces that are not convex would take minutes."""
    with np.errstate(all="ignore"):  # coordinates may be anything: the doctor checks them later
        return _triangulated(x, counts, corners)


def _triangulated(x: Array, counts: Ints, corners: Ints) -> tuple[Longs, Longs]:
    starts = np.cumsum(counts, dtype=np.int64) - counts
    three, four = np.flatnonzero(counts == 3), np.flatnonzero(counts == 4)
    places = [starts[three, None] + np.arange(3), (starts[four, None, None] + _halves(x, corners, starts[four]))]
    owners = [three, np.repeat(four, 2)]
    cut = [places[0], places[1].reshape(-1, 3)]
    folded = []
    for k in np.unique(counts[counts > 4]).tolist():
        faces = np.flatnonzero(counts == k)
        good = _is_fan(x[corners[starts[faces, None] + np.arange(k)]])
        cut.append((starts[faces[good], None, None] + _fan(k)).reshape(-1, 3))
        owners.append(np.repeat(faces[good], k - 2))
        folded.append(faces[~good])
    for face in _affordable(counts, folded):
        local = cut_face(x[corners[starts[face] : starts[face] + counts[face]]])
        cut.append(local + starts[face])
        owners.append(np.full(len(local), face, dtype=np.int64))
    owner = np.concatenate(owners)
    order = np.argsort(owner, kind="stable")
    return np.concatenate(cut)[order], owner[order]


def face_normals(x: Array, counts: Ints, corners: Ints) -> Array:
    """(f, 3) Newell normals; their length is the area of a flat face [m^2]."""
    c = int(counts.sum())
    starts = np.cumsum(counts, dtype=np.int64) - counts
    following = np.arange(1, c + 1)
    following[starts + counts - 1] = starts
    # relative to the first corner of each face, so faces far from the origin lose no digits
    away = x[corners] - np.repeat(x[corners[starts]], counts, axis=0) if c else np.empty((0, 3))
    return np.add.reduceat(np.cross(away, away[following]), starts, axis=0) / 2.0 if c else np.empty((0, 3))


def cut_face(points: Array) -> Longs:
    """(k - 2, 3) triangles of one face with k corners."""
    if _is_fan(points[None])[0]:
        return _fan(len(points))
    normal = _normals(points[None])[0]
    return _by_ears(points, normal / float(np.linalg.norm(normal)))


def _fan(k: int) -> Longs:
    return np.stack([np.zeros(k - 2, dtype=np.int64), np.arange(1, k - 1), np.arange(2, k)], axis=1)


def _is_fan(points: Array) -> npt.NDArray[np.bool_]:
    """(f,) whether each face of k corners (f, k, 3) is cut as a fan: it does not fold, or has no area, or too many corners."""
    k = points.shape[1]
    if k > MOST_EARS:
        return np.ones(len(points), dtype=bool)
    normals = _normals(points)
    area = np.linalg.norm(normals, axis=1)
    along = _along(points[:, _fan(k)], (normals / area[:, None])[:, None])
    return np.asarray((area == 0.0) | (along > THIN * area[:, None]).all(axis=1))


def _normals(points: Array) -> Array:
    """(f, 3) Newell normals of faces (f, k, 3)."""
    f, k = points.shape[:2]
    return face_normals(points.reshape(-1, 3), np.full(f, k, dtype=np.int32), np.arange(f * k, dtype=np.int32))


def _affordable(counts: Ints, folded: list[Longs]) -> list[int]:
    """The faces that are cut by ears, if that takes seconds."""
    faces = np.concatenate([np.empty(0, dtype=np.int64), *folded])
    work = float((counts[faces] * (1.0 + counts[faces] / 300.0)).sum())
    if work > MOST_WORK:
        raise MeshError(
            f"{len(faces)} of {len(counts)} faces have more than four corners and are not convex, which would take minutes to "
            "triangulate; triangulate them in the program that made the mesh"
        )
    return faces.tolist()


def _halves(x: Array, corners: Ints, starts: Longs) -> Longs:
    """(q, 2, 3) corners of the two triangles of each quad, 0 to 3."""
    quads = x[corners[starts[:, None] + np.arange(4)]]
    normal = np.cross(quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]) / 2.0
    area = np.linalg.norm(normal, axis=1)
    unit = np.divide(normal, area[:, None], out=np.zeros_like(normal), where=area[:, None] > 0)
    least = [_along(quads[:, halves], unit[:, None]).min(axis=1) for halves in (FIRST, SECOND)]
    turn = (least[0] <= THIN * area) & (least[1] > least[0])
    return np.where(turn[:, None, None], SECOND, FIRST)


def _along(triangles: Array, unit: Array) -> Array:
    """Signed areas (...) of triangles (..., 3, 3), seen along a unit vector."""
    across = np.cross(triangles[..., 1, :] - triangles[..., 0, :], triangles[..., 2, :] - triangles[..., 0, :])
    return (across * unit).sum(axis=-1) / 2.0


def _by_ears(points: Array, unit: Array) -> Longs:
    """Clip the best-shaped ear until three corners are left; the rest of a self-intersecting face becomes a fan."""
    left = list(range(len(points)))
    cut = []
    flat = points @ _plane(unit)
    tests = iter(range(TESTS * len(points)))  # bounds the search where hardly any ear is free
    while len(left) > 3:
        ring = np.array(left)
        ears = np.stack([np.roll(ring, 1), ring, np.roll(ring, -1)], axis=1)
        corners = points[ears]
        sides = np.roll(corners, -1, axis=1) - corners
        shape = _along(corners, unit) / (sides**2).sum(axis=(1, 2)).clip(1e-300)
        order = np.argsort(-shape, kind="stable")
        good = (k for k in order if shape[k] > THIN and next(tests, None) is not None)
        best = next((k for k in good if _is_free(flat, ring, int(k))), int(order[0]))
        cut.append(ears[best])
        left.pop(int(best))
    cut.append(np.array(left))
    return np.array(cut, dtype=np.int64)


def _plane(unit: Array) -> Array:
    """(3, 2) axes across a unit vector, which is their cross product."""
    first = np.cross(unit, np.eye(3)[np.argmin(np.abs(unit))])
    first /= np.linalg.norm(first)
    return np.stack([first, np.cross(unit, first)], axis=1)


def _is_free(flat: Array, ring: Longs, k: int) -> bool:
    """Whether no other corner lies in the ear at place k of the ring."""
    near = [k - 1, k, (k + 1) % len(ring)]
    a, b, c = flat[ring[near]]
    others = np.delete(ring, near)
    x, y = flat[others, 0], flat[others, 1]
    inside = np.ones(len(others), dtype=bool)
    for p, q in ((a, b), (b, c), (c, a)):
        inside &= (q[0] - p[0]) * (y - p[1]) >= (q[1] - p[1]) * (x - p[0])
    return not inside.any()
