"""Obstacles that act on the velocities of nodes inside them, at the end of each explicit step.

With w = v* - v_o the velocity relative to the obstacle, n its normal:
    sticky     w' = 0
    slip       w' = w - (w . n) n
    separate   only if w . n < 0:  w_t' = w_t max(0, 1 + mu (w . n)/|w_t|), no normal part    (Coulomb friction)
The obstacle's impulse J = m (v' - v*) does the work J . v' = J . v_o + J . (v' - v_o): the first part is external work
on the obstacle, the second is dissipated by friction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
from numba import njit

from supple.constraints.motion import Script
from supple.contact.obstacles.shapes import Shape
from supple.errors import SuppleError
from supple.types import Array

NodeLaw: TypeAlias = Literal["sticky", "slip", "separate"]
LAWS = get_args(NodeLaw)


@dataclass(frozen=True)
class Inside:
    """The nodes inside an obstacle at one time."""

    nodes: np.ndarray
    """(k,) their indices."""
    normals: Array
    """(k, 3) out of the obstacle."""
    velocities: Array
    """(k, 3) of the obstacle there [m/s]."""

    def where(self, kept: np.ndarray) -> Inside:
        """Some of them, by a mask (k,)."""
        return Inside(self.nodes[kept], self.normals[kept], self.velocities[kept])


@dataclass(frozen=True)
class NodeObstacle:
    """A shape that is stationary or follows a scripted rigid-body motion."""

    shape: Shape
    law: NodeLaw = "separate"
    friction: float = 0.0
    """Coefficient of Coulomb's friction; for `separate` [-]."""
    script: Script | None = None
    """Motion of the points of the shape; stationary if not given."""

    def __post_init__(self) -> None:
        if self.law not in LAWS:
            raise SuppleError(f"obstacle.law: found '{self.law}'; on grid nodes allowed are {', '.join(LAWS)}")
        demand_friction(self.law, self.friction)

    @property
    def moves(self) -> bool:
        return self.script is not None

    def inside(self, nodes: Array, t: float, slack: float) -> Inside:
        """The nodes (N, 3) inside at time t [s], or outside by no more than `slack` [m]: a wall along a plane of nodes
        stops them regardless of round-off in their positions."""
        y, turn = self._own(nodes, t)
        found = np.flatnonzero(self.shape.distance(y) <= slack)
        y = y[found]
        velocities = np.zeros_like(y) if self.script is None else self.script.velocity(y, t)
        normals = self.shape.outward(y) @ turn.T
        return Inside(found.astype(np.int64), np.ascontiguousarray(normals), np.ascontiguousarray(velocities))

    def gaps(self, x: Array, t: float) -> Array:
        """(m,) signed distances of points at time t [m]."""
        return self.shape.distance(self._own(x, t)[0])

    def _own(self, nodes: Array, t: float) -> tuple[Array, Array]:
        """Nodes in the coordinates of the shape, and the rotation (3, 3) to world coordinates."""
        if self.script is None:
            return nodes, np.eye(3)
        frame = self.script.position(np.concatenate([np.zeros((1, 3)), np.eye(3)]), t)
        turn = (frame[1:] - frame[0]).T
        return (nodes - frame[0]) @ turn, turn


def demand_friction(law: str, friction: float) -> None:
    """Reject coefficients of friction that a law does not support."""
    if not (np.isfinite(friction) and friction >= 0.0):
        raise SuppleError(f"obstacle.friction: found {friction!r}; must be a finite number, 0 or more")
    if friction and law != "separate":
        raise SuppleError(f'obstacle.friction: law = "{law}" has none; use law = "separate"')


@njit(cache=True, nogil=True)
def push(law, friction, nodes, normals, velocities, mass, v, change):
    """Velocities v (N, 3) of the nodes after an obstacle; change (k, 3) is their change."""
    for a in range(nodes.size):
        i = nodes[a]
        for c in range(3):
            change[a, c] = 0.0
        if not mass[i] > 0.0:
            continue
        w0, w1, w2 = v[i, 0] - velocities[a, 0], v[i, 1] - velocities[a, 1], v[i, 2] - velocities[a, 2]
        n0, n1, n2 = normals[a, 0], normals[a, 1], normals[a, 2]
        along = w0 * n0 + w1 * n1 + w2 * n2
        t0, t1, t2 = w0 - along * n0, w1 - along * n1, w2 - along * n2
        kept = 1.0
        if law == 0:
            kept = 0.0
        elif law == 2:
            if along >= 0.0:
                continue
            speed = np.sqrt(t0 * t0 + t1 * t1 + t2 * t2)
            kept = max(0.0, 1.0 + friction * along / speed) if speed > 0.0 else 0.0
        change[a, 0], change[a, 1], change[a, 2] = kept * t0 - w0, kept * t1 - w1, kept * t2 - w2
        for c in range(3):
            v[i, c] += change[a, c]
