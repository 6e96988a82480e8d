"""Rotation vectors: axis times angle [rad], of any length, so several revolutions differ from none.

    exp(w) = 1 + sin(a)/a [w]x + (1 - cos(a))/a^2 [w]x^2,   a = |w|
The logarithm has one value for each number of full revolutions; the value nearest to a given vector is used.
"""

from __future__ import annotations

import math

import numpy as np

from supple.types import Array

STRAIGHT = 1e-12
"""Angle below which a rotation has no axis [rad]."""
HALF = 1e-9
"""Distance from half a revolution within which both directions of rotation count as equally long [rad]."""


def turned_by(w: Array) -> Array:
    """(3, 3) rotation by the vector w (3,)."""
    a = float(np.linalg.norm(w))
    K = crossed(w)
    return np.asarray(np.eye(3) + np.sinc(a / math.pi) * K + 0.5 * np.sinc(0.5 * a / math.pi) ** 2 * (K @ K))


def crossed(w: Array) -> Array:
    """(3, 3) matrix of y -> w x y."""
    return np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])


def shortest(turn: Array) -> Array:
    """(3,) vector of a rotation (3, 3) by at most half a revolution; for exactly half, with a positive first component."""
    q = quaternion(turn)
    q = -q if q[0] < 0.0 else q
    size = float(np.linalg.norm(q[1:]))
    if size < STRAIGHT:
        return np.asarray(2.0 * q[1:])
    angle, axis = 2.0 * math.atan2(size, q[0]), q[1:] / size
    if angle > math.pi - HALF and axis[np.flatnonzero(np.abs(axis) > HALF)[0]] < 0.0:
        angle, axis = 2.0 * math.pi - angle, -axis
    return np.asarray(angle * axis)


def nearest(turn: Array, guess: Array) -> Array:
    """(3,) vector of a rotation (3, 3), with the number of full revolutions nearest to the guess (3,)."""
    w = shortest(turn)
    angle, expected = float(np.linalg.norm(w)), float(np.linalg.norm(guess))
    if angle < STRAIGHT:
        whole = round(expected / (2.0 * math.pi))
        return w + 2.0 * math.pi * whole * guess / expected if whole else w
    axis = w / angle
    return np.asarray(w + 2.0 * math.pi * round((float(guess @ axis) - angle) / (2.0 * math.pi)) * axis)


def quaternion(turn: Array) -> Array:
    """(4,) w, x, y, z of a rotation (3, 3): of the four formulas, the one with the largest divisor."""
    a, b, c = np.diag(turn)
    square = np.array([1.0 + a + b + c, 1.0 + a - b - c, 1.0 - a + b - c, 1.0 - a - b + c])
    plus, minus = turn + turn.T, turn - turn.T
    rows = np.array(
        [
            [square[0], minus[2, 1], minus[0, 2], minus[1, 0]],
            [minus[2, 1], square[1], plus[0, 1], plus[0, 2]],
            [minus[0, 2], plus[0, 1], square[2], plus[1, 2]],
            [minus[1, 0], plus[0, 2], plus[1, 2], square[3]],
        ]
    )
    best = rows[square.argmax()]
    return np.asarray(best / np.linalg.norm(best))
