"""The grip of the mouse: one vertex of a mesh, or all points around one of a cloud.

A point of a cloud has no neighbours to pull along: a single spring would draw it out of the body. So the grip takes a
neighbourhood, with one spring per point, weighted to fall to zero at its border. The springs act through the grid,
like all particle forces, in explicit and implicit steps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.dynamics.system import System
from supple.energies.springs.anchor import Anchors
from supple.types import Array, Ints

HANDLE_HERTZ = 4.0
"""Natural frequency of the whole body on the handle's springs: firm for soft bodies, gentle for stiff ones."""
CELLS = 1.5
"""Radius of a grip, in cells of the grid."""
HEAVIEST = 30.0
"""Mass for which the springs are sized, over that of the gripped points, limited for explicit steps."""


@dataclass(frozen=True)
class Grip:
    """A grip while it lasts."""

    vertex: int
    """Vertex under the mouse."""
    held: Ints
    """(k,) vertices with a spring."""
    offsets: Array
    """(k, 3) initial offsets from the vertex under the mouse [m]."""
    stiffness: Array
    """(k,) spring stiffnesses [N/m]."""

    def tighten(self, anchors: Anchors, target: Array) -> None:
        """Pull towards a point (3,)."""
        anchors.stiffness[self.held] = self.stiffness
        anchors.points[self.held] = target + self.offsets


def grip_at(system: System, x: Array, vertex: int, cell: float | None) -> Grip:
    """Grip at a vertex of a system at x (n, 3); `cell`: cell size of the grid, if there is one [m]."""
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
    """The vertex, or the nearby points of its body on the grid."""
    bodies = [*(cloud.vertices for cloud in system.clouds), system.riders]
    own = [body for body in bodies if vertex in body]
    if cell is None or not own:
        return np.array([vertex], dtype=np.int32)
    away = np.linalg.norm(x[own[0]] - x[vertex], axis=1)
    return own[0][away < CELLS * cell].astype(np.int32)
