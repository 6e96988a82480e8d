"""End points of a generalised spring: d = sum_i c_i x_i, c = base + sum_a theta_a slides_a, sum_i c_i = 0.

The feet slide to where the spring is shortest: theta minimises |d0 + sum_a theta_a e_a|^2, d0 = sum_i base_i x_i,
e_a = sum_i slides_ai x_i, so (e_a . e_b) theta_b = -e_a . d0.

    triangle altitude  c = (1, -(1 - t), -t)               corner 0 over the line of corners 1 and 2
    tet altitude       c = (1, -(1 - t1 - t2), -t1, -t2)   corner 0 over the plane of corners 1, 2 and 3
    axial bending      c = (-(1 - s), -s, 1 - t, t)        from the edge of corners 0 and 1 to that of 2 and 3; s, t in [0, 1]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.errors import StepRejected
from supple.types import Array, Ints

DEGENERATE = "springs end on a degenerate triangle or edge"
PARALLEL = 1e-12
"""det(e e^T) over the product of its diagonal below which two lines count as parallel."""


@dataclass(frozen=True)
class Feet:
    """The springs of one configuration."""

    c: Array
    """(m, k)"""
    d: Array
    """(m, 3)"""
    e: Array
    """(m, p, 3) derivatives of d as its feet slide."""
    theta: Array
    """(m, p)"""
    free: np.ndarray
    """(m, p) whether the foot may slide; not at the end of an edge."""
    inverse: Array
    """(m, p, p) of e e^T over the feet that slide, zero elsewhere."""

    @property
    def square(self) -> Array:
        """(m,) s = l^2."""
        return np.einsum("mi,mi->m", self.d, self.d)


@dataclass(frozen=True)
class Kind:
    """Coefficients of one kind of spring, and the orders of the corners among which the shortest spring is chosen."""

    orders: tuple[tuple[int, ...], ...]
    base: tuple[float, ...]
    slides: tuple[tuple[float, ...], ...]
    clamped: bool = False
    """Whether theta stays within [0, 1]."""

    @property
    def coefficients(self) -> tuple[Array, Array]:
        """`base` (k,) and `slides` (p, k) as arrays."""
        return np.array(self.base), np.array(self.slides)

    def feet(self, corners: Array) -> Feet:
        """At positions (m, k, 3), in the order of the coefficients."""
        base, slides = self.coefficients
        d0, e = np.einsum("k,mki->mi", base, corners), np.einsum("ak,mki->mai", slides, corners)
        gram, pull = np.einsum("mai,mbi->mab", e, e), np.einsum("mai,mi->ma", e, d0)
        free = np.ones(pull.shape, dtype=bool)
        if self.clamped:
            theta, free = _within_edges(gram, pull)
            inverse = _inverse(gram, free)
        else:
            inverse = _inverse(gram, free)
            theta = -np.einsum("mab,mb->ma", inverse, pull)
        c = base + theta @ slides
        return Feet(c, np.einsum("mk,mki->mi", c, corners), e, theta, free, inverse)


TRIANGLE_ALTITUDE = Kind(((0, 1, 2), (1, 2, 0), (2, 0, 1)), (1.0, -1.0, 0.0), ((0.0, 1.0, -1.0),))
TET_ALTITUDE = Kind(
    ((0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2)),
    (1.0, -1.0, 0.0, 0.0),
    ((0.0, 1.0, -1.0, 0.0), (0.0, 1.0, 0.0, -1.0)),
)
AXIAL_BENDING = Kind(
    ((0, 1, 2, 3),), (-1.0, 0.0, 1.0, 0.0), ((1.0, -1.0, 0.0, 0.0), (0.0, 0.0, -1.0, 1.0)), clamped=True
)


def bent(kind: Kind, feet: Feet) -> Array:
    """B (m, p, k, 3), B_ai = C_ai d + c_i e_a: half of d2s/(dtheta_a dx_i), C = dc/dtheta."""
    slides = np.asarray(kind.slides)
    return np.einsum("ak,mi->maki", slides, feet.d) + np.einsum("mk,mai->maki", feet.c, feet.e)


def _inverse(gram: Array, free: np.ndarray) -> Array:
    both = free[:, :, None] & free[:, None, :]
    eye = np.eye(gram.shape[1])
    try:
        return np.where(both, np.linalg.inv(np.where(both, gram, eye)), 0.0)
    except np.linalg.LinAlgError:
        raise StepRejected(DEGENERATE) from None


def _within_edges(gram: Array, pull: Array) -> tuple[Array, np.ndarray]:
    """Two parameters in [0, 1]: the minimum inside, or the best of the four sides; for parallel lines one foot stays."""
    det = np.linalg.det(gram)
    crossing = det > PARALLEL * gram[:, 0, 0] * gram[:, 1, 1]
    eye = np.eye(2)
    inside = -np.einsum("mab,mb->ma", np.linalg.inv(np.where(crossing[:, None, None], gram, eye)), pull)
    best, free = inside, np.ones(pull.shape, dtype=bool)
    ok = crossing & (inside >= 0.0).all(axis=1) & (inside <= 1.0).all(axis=1)
    least = np.where(ok, -np.inf, np.inf)
    for a, value in ((0, 0.0), (0, 1.0), (1, 0.0), (1, 1.0)):
        b = 1 - a
        there = -(pull[:, b] + value * gram[:, a, b]) / gram[:, b, b]
        theta = np.empty_like(pull)
        theta[:, a], theta[:, b] = value, np.clip(there, 0.0, 1.0)
        cost = np.einsum("ma,mab,mb->m", theta, gram, theta) + 2.0 * np.einsum("ma,ma->m", theta, pull)
        slides = np.empty(pull.shape, dtype=bool)
        slides[:, a], slides[:, b] = False, (there > 0.0) & (there < 1.0)
        better = cost < least
        least = np.where(better, cost, least)
        best, free = np.where(better[:, None], theta, best), np.where(better[:, None], slides, free)
    return best, free


def across_edges(triangles: Ints) -> Ints:
    """(b, 4) for each edge of exactly two triangles: its ends, and the corners opposite to it."""
    sides = triangles[:, [[1, 2, 0], [2, 0, 1], [0, 1, 2]]].reshape(-1, 3)  # edge, opposite corner
    edges = np.sort(sides[:, :2], axis=1)
    order = np.lexsort(edges.T[::-1])
    edges, opposite = edges[order], sides[order, 2]
    first = np.flatnonzero((edges[1:] == edges[:-1]).all(axis=1))
    starts = np.append(True, (edges[1:] != edges[:-1]).any(axis=1))
    size = np.bincount(np.cumsum(starts) - 1)[np.cumsum(starts) - 1]
    first = first[size[first] == 2]
    return np.ascontiguousarray(np.column_stack([edges[first], opposite[first], opposite[first + 1]]), dtype=np.int32)
