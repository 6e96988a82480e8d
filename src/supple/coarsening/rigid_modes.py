"""Rigid-body modes of a set of points, which traction alone cannot determine."""

from __future__ import annotations

import numpy as np
from scipy.linalg import qr

from supple.types import Array, Ints


def rigid_modes(vertices: Array) -> Array:
    """(6, n, 3) orthonormal translations and infinitesimal rotations."""
    y = vertices - vertices.mean(axis=0)
    shifts = np.broadcast_to(np.eye(3)[:, None], (3, *y.shape))
    turns = np.cross(np.eye(3)[:, None], y[None])
    modes = np.concatenate([shifts, turns]).reshape(6, -1)
    return np.linalg.qr(modes.T)[0].T.reshape(6, *y.shape)


def pinned_unknowns(modes: Array) -> Ints:
    """(6,) scalar unknowns 3 i + axis whose constraint removes all rigid motion; well separated, by pivoted QR."""
    pivots = qr(modes.reshape(6, -1), mode="r", pivoting=True)[1]
    return np.sort(pivots[:6]).astype(np.int32)


def without_rigid(field: Array, modes: Array) -> Array:
    """Fields (r, n, 3) without their rigid part."""
    flat, basis = field.reshape(len(field), -1), modes.reshape(6, -1)
    return (flat - (flat @ basis.T) @ basis).reshape(field.shape)
