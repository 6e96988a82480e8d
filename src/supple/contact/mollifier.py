"""What takes nearly parallel edges out of the contact energy: m = z (2 - z) for z = |u x v|^2/threshold < 1, else 1.

With u, v the two edges and C = |u x v|^2 = |u|^2 |v|^2 - (u.v)^2:
    C_u = 2 (|v|^2 u - (u.v) v),  C_uu = 2 (|v|^2 I - v v^T),  C_uv = 4 u v^T - 2 v u^T - 2 (u.v) I
"""

from __future__ import annotations

import numpy as np

from supple.types import Array

EDGES = np.array([[-1.0, 1.0, 0.0, 0.0], [0.0, 0.0, -1.0, 1.0]])
"""Edges as combinations of the four corners."""
PARALLEL = 1e-3
"""Squared sine of the angle, at the edges' rest lengths, below which edges count as nearly parallel."""


def mollified(x: Array, threshold: Array) -> tuple[Array, Array]:
    """m (p,) and its gradient (p, 4, 3) for edge pairs at x (p, 4, 3)."""
    z, C_x, _ = _cross(x, threshold)
    slope = np.where(z < 1.0, 2.0 - 2.0 * z, 0.0) / threshold
    return np.where(z < 1.0, z * (2.0 - z), 1.0), slope[:, None, None] * C_x


def mollified_hessians(x: Array, threshold: Array) -> Array:
    """(p, 12, 12) second derivatives of m."""
    z, C_x, (u, v) = _cross(x, threshold)
    slope = np.where(z < 1.0, 2.0 - 2.0 * z, 0.0) / threshold
    bend = np.where(z < 1.0, -2.0, 0.0) / threshold**2
    uu, uv, vv = (np.einsum("mi,mi->m", a, b)[:, None, None] for a, b in ((u, u), (u, v), (v, v)))
    eye = np.eye(3)
    outer = {k: a[:, :, None] * b[:, None, :] for k, (a, b) in {"uu": (u, u), "uv": (u, v), "vv": (v, v)}.items()}
    C_uv = 4.0 * outer["uv"] - 2.0 * np.swapaxes(outer["uv"], 1, 2) - 2.0 * uv * eye
    small = np.empty((len(x), 2, 2, 3, 3))
    small[:, 0, 0], small[:, 1, 1] = 2.0 * (vv * eye - outer["vv"]), 2.0 * (uu * eye - outer["uu"])
    small[:, 0, 1], small[:, 1, 0] = C_uv, np.swapaxes(C_uv, 1, 2)
    C_xx = np.einsum("ka,mklij,lb->maibj", EDGES, small, EDGES).reshape(len(x), 12, 12)
    flat = C_x.reshape(len(x), 12)
    return slope[:, None, None] * C_xx + bend[:, None, None] * flat[:, :, None] * flat[:, None, :]


def _cross(x: Array, threshold: Array) -> tuple[Array, Array, tuple[Array, Array]]:
    """z, the gradient of C (p, 4, 3), and both edges."""
    u, v = np.einsum("ka,mai->kmi", EDGES, x)
    uu, uv, vv = (np.einsum("mi,mi->m", a, b)[:, None] for a, b in ((u, u), (u, v), (v, v)))
    C = (uu * vv - uv * uv)[:, 0]
    both = np.stack([2.0 * (vv * u - uv * v), 2.0 * (uu * v - uv * u)], axis=1)
    return C / threshold, np.einsum("ka,mki->mai", EDGES, both), (u, v)
