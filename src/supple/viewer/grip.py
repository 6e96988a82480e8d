"""What a hand holds: one vertex of a mesh, or all points around one of a cloud.

A point of a cloud has no neighbours to pull along: a spring at it alone would draw it out of the body. So the hand takes a
neighbourhood, each point by a spring of its own, with weights that fall to zero at its border. They see the grid by their
weights there, like all particles, in explicit and implicit steps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.dynamics.system import System
from supple.energies.springs.anchor import Anchors
from supple.types import Array, Ints

HANDLE_HERTZ = 4.0
"""Frequency at which the handle's springs would swing the whole body: firm for soft bodies, gentle for stiff ones."""
CELLS = 1.5
"""Radius of a grip, in cells of the grid."""
HEAVIEST = 30.0
"""Mass that the springs are made for, over that of the points that they hold: what is held stays slow for explicit steps."""


@dataclass(frozen=True)
class Grip:
    """What is held, as long as it is."""

    vertex: int
    """That under the mouse."""
    held: Ints
    """(k,) vertices with a spring."""
    offsets: Array
    """(k, 3) from the vertex under the mouse to each, when they were taken [m]."""
    stiffness: Array
    """(k,) of the springs [N/m]."""

    def tighten(self, anchors: Anchors, target: Array) -> None:
        """Pull towards a point (3,)."""
        anchors.stiffness[self.held] = self.stiffness
        anchors.points[self.held] = target + self.offsets


def grip_at(system: System, x: Array, vertex: int, cell: float | None) -> Grip:
    """At a vertex of a system at x (n, 3); `cell`: size of the grid's cells, if there is a grid [m]."""
    square, whole = (2.0 * np.pi * HANDLE_HERTZ) ** 2, float(system.mass.sum())
    near = _around(system, x, vertex, cell)
    offsets = x[near] - x[vertex]
    if len(near) == 1 or cell is None:
        return Grip(vertex, near, offsets, np.full(len(near), square * whole))
    part = np.einsum("ki,ki->k", offsets, offsets) / (CELLS * cell) ** 2
    share = system.mass[near] * (1.0 - part) ** 2
    held = float(share.sum())
    return Grip(vertex, near, offsets, square * min(whole, HEAVIEST * held) * share / held)


def _around(system: System, x: Array, vertex: int, cell: float | None) -> Ints:
    """The vertex, or the points of its body on the grid that are near."""
    bodies = [*(cloud.vertices for cloud in system.clouds), system.riders]
    own = [body for body in bodies if vertex in body]
    if cell is None or not own:
        return np.array([vertex], dtype=np.int32)
    away = np.linalg.norm(x[own[0]] - x[vertex], axis=1)
    return own[0][away < CELLS * cell].astype(np.int32)
