"""The mean normal of a shape over a step from y0 to y1, such that nbar . (y1 - y0) is the change of the distance.

nbar = nmix + alpha dy,   alpha = (d1 - d0 - nmix . dy)/|dy|^2,   dy = y1 - y0
nmix = (1 - beta) n0 + beta n1,   beta = m1/(m0 + m1),   m = max(reach - d, 0): how deep each end is within reach
dnbar/dy1 = G + alpha I + dy (n1 - nmix - G^T dy - 2 alpha dy)^T/|dy|^2,   G = beta d''(y1) + (n1 - n0) (dbeta/dd1) n1^T

An end out of reach has zero weight: a vertex arriving from afar around a corner is pushed along the normal at its
contact. (A mean over the whole path would depend on every point passed, and near an edge jumps with the slightest
change of y1.)
"""

from __future__ import annotations

import numpy as np

from supple.contact.obstacles.shapes import Shape
from supple.types import Array

NOISE = 8 * np.finfo(np.float64).eps


def mean_normal(shape: Shape, y0: Array, y1: Array, m0: Array, m1: Array) -> Array:
    """(m, 3) nbar; m0, m1 (m,) [m]."""
    nmix, alpha, _ = _mean(shape, y0, y1, _share(m0, m1))
    return nmix + alpha[:, None] * (y1 - y0)


def mean_normal_jacobian(shape: Shape, y0: Array, y1: Array, m0: Array, m1: Array) -> Array:
    """(m, 3, 3) derivatives of nbar with respect to y1."""
    dy, beta = y1 - y0, _share(m0, m1)
    nmix, alpha, weight = _mean(shape, y0, y1, beta)
    n0, n1 = shape.outward(y0), shape.outward(y1)
    both = (m0 > 0.0) & (m1 > 0.0)
    slope = np.where(both, -m0, 0.0) / np.where(both, m0 + m1, 1.0) ** 2
    G = beta[:, None, None] * shape.bend(y1) + (slope[:, None] * (n1 - n0))[:, :, None] * n1[:, None, :]
    rest = n1 - nmix - np.einsum("mji,mj->mi", G, dy) - 2.0 * alpha[:, None] * dy
    return G + alpha[:, None, None] * np.eye(3) + dy[:, :, None] * (weight[:, None] * rest)[:, None, :]


def _share(m0: Array, m1: Array) -> Array:
    """beta; 1/2 if both ends are out of reach."""
    total = m0 + m1
    return np.where(total > 0.0, m1, 0.5) / np.where(total > 0.0, total, 1.0)


def _mean(shape: Shape, y0: Array, y1: Array, beta: Array) -> tuple[Array, Array, Array]:
    """nmix, alpha, and 1/|dy|^2, or 0 where the error of nmix is round-off."""
    dy = y1 - y0
    nmix = (1.0 - beta)[:, None] * shape.outward(y0) + beta[:, None] * shape.outward(y1)
    missed = shape.distance(y1) - shape.distance(y0) - np.einsum("mi,mi->m", nmix, dy)
    size = np.abs(y0).max(axis=1, initial=0.0) + np.abs(y1).max(axis=1, initial=0.0)
    matters = np.abs(missed) > NOISE * size
    weight = np.where(matters, 1.0, 0.0) / np.where(matters, np.einsum("mi,mi->m", dy, dy), 1.0)
    return nmix, weight * missed, weight
