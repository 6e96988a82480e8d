"""The size of an element as a function of its corners y (m, k, 3): values, gradients (m, k, 3), Hessians (m, 3k, 3k).

area of a triangle     A = |n|/2, n = (y1 - y0) x (y2 - y0)
volume of a tet        V = det(y1 - y0, y2 - y0, y3 - y0)/6, signed
cone over a triangle   det(y0, y1, y2)/6: its contribution to the volume inside a closed surface
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from supple.energies.areas import cone_kernels
from supple.types import Array


@dataclass(frozen=True)
class Measure:
    """One measure."""

    noun: str
    corners: int
    degree: int | None
    """Degree along a straight line, if it is a polynomial."""
    values: Callable[[Array], Array]
    gradients: Callable[[Array], Array]
    hessians: Callable[[Array], Array]


def _cross_matrix(a: Array) -> Array:
    """(m, 3, 3) [a] with [a] b = a x b."""
    zero = np.zeros(len(a))
    x, y, z = a.T
    return np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=1).reshape(-1, 3, 3)


def _area_vectors(y: Array) -> tuple[Array, Array, Array]:
    """n, |n| and the edges opposite each corner (m, 3, 3), in the order of the corners."""
    n = np.cross(y[:, 1] - y[:, 0], y[:, 2] - y[:, 0])
    return n, np.sqrt(np.einsum("mi,mi->m", n, n)), y[:, [2, 0, 1]] - y[:, [1, 2, 0]]


def _areas(y: Array) -> Array:
    return 0.5 * _area_vectors(y)[1]


def _area_gradients(y: Array) -> Array:
    # dA/dy_a = u x e_a/2, u = n/|n|, e_a the edge opposite corner a
    n, size, opposite = _area_vectors(y)
    return 0.5 * np.cross((n / size[:, None])[:, None], opposite)


def _area_hessians(y: Array) -> Array:
    # dn/dy_a = -[e_a];  d2A = (dn_a^T (I - u u^T) dn_b)/(2 |n|) + u . d2n/2, d2n/(dy_a dy_b) = -+ the third unit tensor
    n, size, opposite = _area_vectors(y)
    u = n / size[:, None]
    slopes = np.stack([_cross_matrix(opposite[:, a]) for a in range(3)], axis=1)  # (m, a, 3, 3) dn/dy_a, up to the sign
    across = np.eye(3) - u[:, :, None] * u[:, None, :]
    H = (
        np.einsum("mapi,mpq,mbqj->maibj", slopes, across, slopes, optimize=True)
        / (2.0 * size)[:, None, None, None, None]
    )
    turn = 0.5 * _cross_matrix(u)
    for a in range(3):
        b = (a + 1) % 3
        H[:, a, :, b] -= turn
        H[:, b, :, a] += turn
    return H.reshape(-1, 9, 9)


def _edges(y: Array) -> Array:
    return y[:, 1:] - y[:, :1]


def _volumes(y: Array) -> Array:
    return cone_kernels.volumes(_edges(y))


def _volume_gradients(y: Array) -> Array:
    g = cone_kernels.gradients(_edges(y))
    return np.concatenate([-g.sum(axis=1, keepdims=True), g], axis=1)


def _volume_hessians(y: Array) -> Array:
    inner = cone_kernels.hessians(_edges(y)).reshape(-1, 3, 3, 3, 3)
    H = np.zeros((len(y), 4, 3, 4, 3))
    H[:, 1:, :, 1:] = inner
    H[:, 0, :, 1:] = -inner.sum(axis=1)
    H[:, 1:, :, 0] = -inner.sum(axis=3)
    H[:, 0, :, 0] = inner.sum(axis=(1, 3))
    return H.reshape(-1, 12, 12)


AREA = Measure("area", 3, None, _areas, _area_gradients, _area_hessians)
CONE = Measure("enclosed volume", 3, 3, cone_kernels.volumes, cone_kernels.gradients, cone_kernels.hessians)
VOLUME = Measure("volume", 4, 3, _volumes, _volume_gradients, _volume_hessians)
