"""The points of a surface as fixed combinations of the vertices of tets.

A point p in the tet with rest corners X_0 .. X_3 is at p = sum w_i X_i, sum w_i = 1; in motion it is at sum w_i x_i. A
point outside all tets follows the nearest point c of their boundary and extrapolates the motion from there:

    x(p) = x(c) + F(c) (p - c),   F(c) = sum_i b_i F_i
with b_i the weights of c in its boundary triangle and F_i the volume-weighted mean deformation gradient of the tets
around its corners. Both parts are continuous in p, so neighbours outside do not separate where their nearest tets
differ. All weights are constant and add up to 1, and every affine motion of the tets moves all points by the same map.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, vstack

from supple.errors import MeshError
from supple.mesh.measure import tet_volumes
from supple.mesh.nearest import Tets
from supple.types import Array, Ints

Longs = npt.NDArray[np.int64]
HELD = 1e-6
"""Smallest weight at which a vertex counts as carrying a point."""


@dataclass(frozen=True, eq=False)
class Binding:
    """`matrix` (k, n): positions of n vertices -> positions of k points."""

    matrix: csr_array
    host: Longs
    """(k,) tet that contains each point, or the nearest one."""
    corners: Ints
    """(k, 4) vertices of that tet."""
    weights: Array
    """(k, 4) weights of these corners, some negative for points outside."""
    outside: Array
    """(k,) distance [m] to the nearest tet, 0 for points inside."""

    def carriers(self, points: Ints | Longs) -> Ints:
        """Vertices that carry some of the points, ascending: constraining them constrains the points."""
        some = self.matrix[points]
        return np.unique(some.indices[np.abs(some.data) > HELD]).astype(np.int32)


def bind(points: Array, rest: Array, tets: Ints) -> Binding:
    """Points (k, 3) bound to tets (m, 4) with rest positions (n, 3)."""
    try:
        solid = Tets(rest, tets)
    except np.linalg.LinAlgError as error:
        raise MeshError("the body at rest has flat tets, to which no surface can be bound; repair its mesh") from error
    host, distance, side = solid.located(points)
    weights = solid.weights(points, host)
    k = len(points)
    plain = csr_array((weights.ravel(), tets[host].ravel(), np.arange(k + 1) * 4), shape=(k, len(rest)))
    out = np.flatnonzero(distance > 0.0)
    if not len(out):
        return Binding(plain, host, tets[host], weights, distance)
    continued = _continued(points[out], rest, tets, solid.side_corners[side[out]])
    inside = np.flatnonzero(~(distance > 0.0))
    order = np.argsort(np.concatenate([inside, out]), kind="stable")
    matrix = csr_array(vstack([plain[inside], continued]).tocsr()[order])
    return Binding(matrix, host, tets[host], weights, distance)


def _continued(points: Array, rest: Array, tets: Ints, corners: Ints) -> csr_array:
    """(k, n) matrix of points outside the tets; corners (k, 3) of the nearest side of each."""
    foot, b = _feet(points, rest[corners])
    k, n = len(points), len(rest)
    rows = np.repeat(np.arange(k), 3)
    at_foot = csr_array((b.ravel(), (rows, corners.ravel())), shape=(k, n))
    slopes = _vertex_gradients(rest, tets)
    out = at_foot
    for axis in range(3):
        # x(p) - x(c) = sum_i b_i sum_axis (p - c)_axis dx/dX_axis at corner i
        share = csr_array(((b * (points - foot)[:, axis, None]).ravel(), (rows, corners.ravel())), shape=(k, n))
        out = out + share @ slopes[axis]
    return csr_array(out)


def _vertex_gradients(rest: Array, tets: Ints) -> list[csr_array]:
    """Three (n, n): positions -> volume-weighted mean of dx/dX_axis over the tets around each vertex."""
    m, n = len(tets), len(rest)
    edges = np.swapaxes(rest[tets[:, 1:]] - rest[tets[:, :1]], 1, 2)
    last = np.linalg.inv(edges)  # rows are the gradients of the weights 1 to 3
    shapes = np.concatenate([-last.sum(axis=1, keepdims=True), last], axis=1)
    volume = np.abs(tet_volumes(rest, tets))
    total = np.bincount(tets.ravel(), np.repeat(volume, 4), n)
    mean = csr_array(
        (np.repeat(volume, 4) / total[tets.ravel()], (tets.ravel(), np.repeat(np.arange(m), 4))), shape=(n, m)
    )
    start = np.arange(m + 1) * 4
    return [
        csr_array(mean @ csr_array((shapes[:, :, axis].ravel(), tets.ravel(), start), shape=(m, n)))
        for axis in range(3)
    ]


def _feet(points: Array, triangles: Array) -> tuple[Array, Array]:
    """The nearest point of each triangle (k, 3, 3) to its point (k, 3), and its weights (k, 3)."""
    a = triangles[:, 0]
    sides = triangles[:, 1:] - a[:, None]
    gram = np.einsum("kai,kbi->kab", sides, sides)
    over = np.linalg.solve(gram, np.einsum("kai,ki->ka", sides, points - a)[:, :, None])[:, :, 0]
    best = np.column_stack([1.0 - over.sum(axis=1), over])
    distance = np.where((best >= 0.0).all(axis=1), 0.0, np.inf)
    for i, j in ((0, 1), (1, 2), (2, 0)):
        p, side = triangles[:, i], triangles[:, j] - triangles[:, i]
        s = np.clip(np.einsum("ki,ki->k", side, points - p) / np.einsum("ki,ki->k", side, side), 0.0, 1.0)
        away = np.linalg.norm(points - p - s[:, None] * side, axis=1)
        nearer = away < distance
        distance[nearer] = away[nearer]
        edge = np.zeros((len(points), 3))
        edge[:, i], edge[:, j] = 1.0 - s, s
        best[nearer] = edge[nearer]
    return np.einsum("ka,kai->ki", best, triangles), best
