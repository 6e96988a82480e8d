"""Interpolation of joints between frames: rotations stay rotations, and the motion is C1.

A pose is translation, rotation and stretch of each joint. Unit quaternions are interpolated by the same cubic pieces
as positions and normalised again, so vertices that follow one joint move rigidly at all times.
"""

from __future__ import annotations

import numpy as np

from supple.clips.interpolation import Frames
from supple.types import Array


def packed(poses: Array) -> Array:
    """(frames, J, 16) of transforms (frames, J, 4, 4): quaternion, translation, stretch; signs of quaternions agree."""
    u, s, vt = np.linalg.svd(poses[..., :3, :3])
    turn = u @ vt
    sign = np.sign(np.linalg.det(turn))[..., None, None]  # a mirror image is a negative stretch
    stretch = sign * (u * s[..., None, :]) @ np.swapaxes(u, -1, -2)
    q = quaternions(sign * turn)
    for k in range(1, len(q)):
        q[k] *= np.where((q[k] * q[k - 1]).sum(axis=-1, keepdims=True) < 0, -1.0, 1.0)
    made: Array = np.concatenate([q, poses[..., 3, :3], stretch.reshape(*stretch.shape[:-2], 9)], axis=-1)
    return made


def unpacked(values: Array, slopes: Array) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """((J, 3, 3), (J, 3)) linear part and translation of row vectors, and their time derivatives."""
    length = np.linalg.norm(values[:, :4], axis=1, keepdims=True)
    q = values[:, :4] / length
    dq = (slopes[:, :4] - q * (q * slopes[:, :4]).sum(axis=1, keepdims=True)) / length
    turn, d_turn = rotations(q, dq)
    stretch, d_stretch = (part[:, 7:].reshape(-1, 3, 3) for part in (values, slopes))
    return (stretch @ turn, values[:, 4:7]), (d_stretch @ turn + stretch @ d_turn, slopes[:, 4:7])


def rotations(q: Array, dq: Array) -> tuple[Array, Array]:
    """(J, 3, 3) of row vectors from unit quaternions w, x, y, z, and their time derivatives."""
    w, v, dw, dv = q[:, 0], q[:, 1:], dq[:, 0], dq[:, 1:]
    eye = np.eye(3)
    outer = np.einsum("ji,jk->jik", v, v)
    d_outer = np.einsum("ji,jk->jik", dv, v) + np.einsum("ji,jk->jik", v, dv)
    square, d_square = w * w - (v * v).sum(axis=1), 2.0 * (w * dw - (v * dv).sum(axis=1))
    # the transpose of (w^2 - v.v) I + 2 v v^T + 2 w [v]x
    made = square[:, None, None] * eye + 2.0 * outer - 2.0 * w[:, None, None] * _cross(v)
    rate = (
        d_square[:, None, None] * eye
        + 2.0 * d_outer
        - 2.0 * (dw[:, None, None] * _cross(v) + w[:, None, None] * _cross(dv))
    )
    return made, rate


def _cross(v: Array) -> Array:
    """(J, 3, 3) with [v]x a = v x a."""
    made = np.zeros((len(v), 3, 3))
    made[:, 0, 1], made[:, 0, 2], made[:, 1, 2] = -v[:, 2], v[:, 1], -v[:, 0]
    return made - np.swapaxes(made, 1, 2)


def quaternions(turns: Array) -> Array:
    """(..., 4) w, x, y, z of rotations (..., 3, 3) of row vectors."""
    from scipy.spatial.transform import Rotation

    flat = np.swapaxes(turns, -1, -2).reshape(-1, 3, 3)
    made: Array = np.roll(Rotation.from_matrix(flat).as_quat(), 1, axis=1).reshape(*turns.shape[:-2], 4)
    return made


class Skinned:
    """Points (k, 3) at the bind pose that follow joints (k, i) with weights (k, i); linear blend skinning."""

    def __init__(self, local: Array, joints: np.ndarray, weights: Array, poses: Frames) -> None:
        self.local, self.joints, self.weights, self.poses = local, joints, weights, poses

    def at(self, t: float) -> tuple[Array, Array]:
        """Positions and velocities (k, 3)."""
        (linear, move), (d_linear, d_move) = unpacked(*self.poses.at(t))
        return self._summed(linear, move), self._summed(d_linear, d_move)

    def _summed(self, linear: Array, move: Array) -> Array:
        each = np.einsum("kai,kaij->kaj", self.local, linear[self.joints]) + move[self.joints]
        made: Array = np.einsum("kaj,ka->kj", each, self.weights)
        return made
