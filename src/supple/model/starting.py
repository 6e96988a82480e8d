"""Where a body starts: rest positions turned into the positions and velocities of time 0."""

from __future__ import annotations

import numpy as np

from supple.constraints.scripts import rotated
from supple.formulas.expressions import Expression
from supple.scene.tables.motion import Initial, Twist
from supple.types import Array


def initial_positions(initial: Initial, X: Array) -> Array:
    """Positions at time 0 from the rest positions X (n, 3) [m]."""
    if initial.position is not None:
        return _components(initial.position, X)
    x, centroid = X.copy(), X.mean(axis=0)
    if initial.stretch is not None:
        x = centroid + (x - centroid) * np.asarray(initial.stretch)
    if initial.twist is not None:
        x = _twisted(initial.twist, x, centroid)
    if initial.rotate is not None:
        turn = initial.rotate
        x = rotated(x, turn.axis, centroid if turn.centre is None else turn.centre, turn.angle)
    if initial.translate is not None:
        x = x + np.asarray(initial.translate)
    return x


def initial_velocities(initial: Initial, X: Array) -> Array:
    """Velocities at time 0 [m/s]; the spin acts on rest positions about their centroid."""
    return _components(initial.velocity, X) + np.cross(np.asarray(initial.spin), X - X.mean(axis=0))


def _components(components: tuple[float | str, ...], X: Array) -> Array:
    columns = [Expression(c).values(X) if isinstance(c, str) else np.full(len(X), c) for c in components]
    return np.stack(columns, axis=1)


def _twisted(twist: Twist, x: Array, centroid: Array) -> Array:
    axis = "xyz".index(twist.axis)
    a, b = (axis + 1) % 3, (axis + 2) % 3
    centre = centroid if twist.centre is None else np.asarray(twist.centre)
    angle = twist.rate * (x[:, axis] - centre[axis])
    c, s = np.cos(angle), np.sin(angle)
    out = x.copy()
    out[:, a] = centre[a] + c * (x[:, a] - centre[a]) - s * (x[:, b] - centre[b])
    out[:, b] = centre[b] + s * (x[:, a] - centre[a]) + c * (x[:, b] - centre[b])
    return out
