"""The mean normal of a shape over a step from y0 to y1, for which nbar . (y1 - y0) is the change of the distance.

nbar = nmean + alpha dy,   alpha = (d1 - d0 - nmean . dy)/|dy|^2,   dy = y1 - y0,   nmean by Gauss-3
dnbar/dy1 = G + alpha I + dy (n1 - nmean - G dy - 2 alpha dy)^T/|dy|^2,   G = sum_g w_g c_g d''(y0 + c_g dy)
"""

from __future__ import annotations

import numpy as np

from supple.contact.shapes import Shape
from supple.linalg.quadrature import gauss
from supple.types import Array

RULE = gauss(3)
NOISE = 8 * np.finfo(np.float64).eps


def mean_normal(shape: Shape, y0: Array, y1: Array) -> Array:
    """(m, 3) nbar."""
    dy = y1 - y0
    nmean, alpha, _ = _mean(shape, y0, y1)
    return nmean + alpha[:, None] * dy


def mean_normal_jacobian(shape: Shape, y0: Array, y1: Array) -> Array:
    """(m, 3, 3) derivatives of nbar with respect to y1."""
    dy = y1 - y0
    nmean, alpha, weight = _mean(shape, y0, y1)
    G = np.zeros((len(dy), 3, 3))
    for c, w in zip(RULE.nodes, RULE.weights, strict=True):
        G += w * c * shape.bend(y0 + c * dy)
    slope = shape.outward(y1) - nmean - np.einsum("mij,mj->mi", G, dy) - 2.0 * alpha[:, None] * dy
    slope *= weight[:, None]
    return G + alpha[:, None, None] * np.eye(3) + dy[:, :, None] * slope[:, None, :]


def _mean(shape: Shape, y0: Array, y1: Array) -> tuple[Array, Array, Array]:
    """nmean, alpha, and 1/|dy|^2, or 0 where what Gauss-3 misses is rounding error."""
    dy = y1 - y0
    nmean = np.zeros_like(dy)
    for c, w in zip(RULE.nodes, RULE.weights, strict=True):
        nmean += w * shape.outward(y0 + c * dy)
    missed = shape.distance(y1) - shape.distance(y0) - np.einsum("mi,mi->m", nmean, dy)
    size = np.abs(y0).max(axis=1, initial=0.0) + np.abs(y1).max(axis=1, initial=0.0)
    matters = np.abs(missed) > NOISE * size
    weight = np.where(matters, 1.0, 0.0) / np.where(matters, np.einsum("mi,mi->m", dy, dy), 1.0)
    return nmean, weight * missed, weight
