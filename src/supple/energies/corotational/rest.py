"""Data of the rest shape and of pins that the frames of corotational elements depend on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from supple.energies.corotational.frames import ABOUT_AXIS, FIXED, FREE
from supple.errors import SuppleError
from supple.types import Array, Ints

Frame: TypeAlias = Literal["polar", "kabsch"]
OPPOSITE = 1e-8
"""Sine below which two directions are opposite, so any axis across them rotates one into the other."""


@dataclass(frozen=True)
class Held:
    """Pinned vertices and their pinned positions (k, 3) [m]."""

    vertices: Ints
    x: Array


@dataclass(frozen=True)
class RestFrames:
    """Fields of FramedParameters that follow from the rest shape."""

    metric: Array
    kind: Ints
    axis: Array
    start: Array


def metrics(corners: Array, frame: Frame) -> Array:
    """(m, 3, 3) J of each element: I, or sum_a (X_a - b0)(X_a - b0)^T with the mean eigenvalue 1."""
    if frame not in ("polar", "kabsch"):
        raise SuppleError(f"frame: found '{frame}'; known: polar, kabsch")
    if frame == "polar":
        return np.tile(np.eye(3), (len(corners), 1, 1))
    return normalised(spread(corners - corners.mean(axis=1, keepdims=True)))


def spread(d: Array) -> Array:
    """sum_a d_a d_a^T."""
    return np.einsum("mai,maj->mij", d, d)


def normalised(J: Array) -> Array:
    """Any multiple of J gives the same frame."""
    return 3.0 * J / np.maximum(J.trace(axis1=1, axis2=2), np.finfo(float).tiny)[:, None, None]


def rest_frames(rest: Array, tets: Ints, frame: Frame, held: Held | None) -> RestFrames:
    """Frames of tets (m, 4) at rest positions (n, 3)."""
    m, corners = len(tets), rest[tets]
    J, kind = metrics(corners, frame), np.full(m, FREE, dtype=np.int32)
    axis, start = np.zeros((m, 3)), np.tile(np.eye(3), (m, 1, 1))
    if held is not None:
        pinned = np.zeros(len(rest), dtype=bool)
        pinned[held.vertices] = True
        place = rest.copy()
        place[held.vertices] = held.x
        order = np.argsort(~pinned[tets], axis=1, kind="stable")  # pinned corners first
        X, x = (np.take_along_axis(points[tets], order[:, :, None], axis=1) for points in (rest, place))
        count = pinned[tets].sum(axis=1)
        two, three = count == 2, count >= 3
        kind[two], kind[three] = ABOUT_AXIS, FIXED
        axis[two] = _unit(X[two, 1] - X[two, 0])
        start[two] = _smallest_turn(axis[two], _unit(x[two, 1] - x[two, 0]))
        J[two] = normalised(spread(X[two] - X[two, :1]))
        start[three] = _triad(x[three]) @ np.swapaxes(_triad(X[three]), 1, 2)
    return RestFrames(J.reshape(m, 9), kind, axis, np.ascontiguousarray(start.reshape(m, 9)))


def _unit(d: Array) -> Array:
    return d / np.linalg.norm(d, axis=-1, keepdims=True)


def _triad(corners: Array) -> Array:
    """(m, 3, 3) orthonormal columns along and across the triangle of the first three corners."""
    along = _unit(corners[:, 1] - corners[:, 0])
    normal = _unit(np.cross(along, corners[:, 2] - corners[:, 0]))
    return np.stack([along, np.cross(normal, along), normal], axis=2)


def _smallest_turn(a: Array, b: Array) -> Array:
    """(m, 3, 3) rotations of unit vectors a to b about a x b; beyond a right angle a goes to -b, then by half a revolution."""
    beyond = np.einsum("mi,mi->m", a, b) < 0.0
    near = np.where(beyond[:, None], -b, b)
    v, c = np.cross(a, near), np.einsum("mi,mi->m", a, near)
    cross = np.zeros((len(a), 3, 3))
    cross[:, [2, 0, 1], [1, 2, 0]], cross[:, [1, 2, 0], [2, 0, 1]] = v, -v
    turn = np.eye(3) + cross + cross @ cross / (1.0 + c)[:, None, None]
    opposite = np.linalg.norm(v, axis=1) < OPPOSITE
    u = np.where(opposite[:, None], np.cross(b, np.eye(3)[np.abs(b).argmin(axis=1)]), v)
    u = u - np.einsum("mi,mi->m", u, b)[:, None] * b
    u /= np.maximum(np.linalg.norm(u, axis=1, keepdims=True), np.finfo(float).tiny)
    half = 2.0 * u[:, :, None] * u[:, None, :] - np.eye(3)
    return np.where(beyond[:, None, None], half @ turn, turn)
