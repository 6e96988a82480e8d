"""The effect of obstacles on node velocities and on the energy.

With v the velocities before the step, v* after forces and v' after all obstacles, J_k = m dv_k the impulse of obstacle k:
    collided  -1/2 sum_touched m |v' - v|^2  and the work of J_k along its normal relative to it (0 for one obstacle)
    friction  -sum J_k . (v' - v_k), along the surface      (>= 0 is heat)
    work      sum J_k . v_k                                 (external work of moving obstacles)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from supple.linalg.reduce import dot
from supple.points.obstacle import LAWS, Inside, NodeObstacle, push
from supple.types import Array

ON_SURFACE = 1e-6
"""Distance, as a fraction of a cell, up to which a node outside counts as on the surface."""


@dataclass(frozen=True)
class Pushed:
    """Energies of one step [J]."""

    collided: float = 0.0
    friction: float = 0.0
    work: float = 0.0
    kick: float = 0.0
    """1/2 sum m |v' - v|^2 of the nodes touched by obstacles, included in `collided`."""
    touched: bool = False


def found_inside(obstacles: Sequence[NodeObstacle], nodes: Array, dx: float, t: float, h: float) -> list[Inside]:
    """Nodes inside each obstacle in a step of h [s] from t [s]."""
    return [obstacle.inside(nodes, t + 0.5 * h, ON_SURFACE * dx) for obstacle in obstacles]


class ObstacleNodes:
    """The nodes inside each obstacle, of a grid that persists for some steps; those in stationary obstacles are found once."""

    def __init__(self, obstacles: Sequence[NodeObstacle], nodes: Array, dx: float) -> None:
        self._obstacles, self._nodes, self._slack = obstacles, nodes, ON_SURFACE * dx
        self._standing = [None if o.moves else o.inside(nodes, 0.0, self._slack) for o in obstacles]

    def at(self, mass: Array, t: float, h: float) -> tuple[np.ndarray, list[Inside]]:
        """In a step of h [s] from t [s]: indices (k,) of the nodes with mass (N,) inside any obstacle, and the nodes
        inside each, as indices into the former."""
        carries = mass > 0.0
        own = np.flatnonzero(carries)
        inside = []
        for obstacle, found in zip(self._obstacles, self._standing, strict=True):
            if found is None:
                now = obstacle.inside(self._nodes[own], t + 0.5 * h, self._slack)
                inside.append(replace(now, nodes=own[now.nodes]))
            else:
                inside.append(found.where(carries[found.nodes]))
        touched = np.zeros(len(mass), dtype=bool)
        for each in inside:
            touched[each.nodes] = True
        rank = np.cumsum(touched) - 1
        return np.flatnonzero(touched), [replace(each, nodes=rank[each.nodes]) for each in inside]


def pushed(
    obstacles: Sequence[NodeObstacle], inside: Sequence[Inside], mass: Array, v: Array, star: Array
) -> tuple[Array, Pushed]:
    """Velocities (N, 3) after all obstacles, of nodes that changed from v to `star` in a step; `inside`: see `found_inside`."""
    after = star.copy()
    changes = []
    for obstacle, found in zip(obstacles, inside, strict=True):
        change = np.empty((len(found.nodes), 3))
        law = LAWS.index(obstacle.law)
        push(law, obstacle.friction, found.nodes, found.normals, found.velocities, mass, after, change)
        changes.append(change)
    collided = friction = work = 0.0
    touched = np.zeros(len(mass), dtype=bool)
    for found, change in zip(inside, changes, strict=True):
        J = mass[found.nodes, None] * change
        relative = after[found.nodes] - found.velocities
        along = np.einsum("ki,ki->k", J, found.normals) * np.einsum("ki,ki->k", relative, found.normals)
        work += dot(J, found.velocities)
        friction -= dot(J, relative) - float(np.sum(along))
        collided += float(np.sum(along))
        touched[found.nodes[change.any(axis=1)]] = True
    dv = after[touched] - v[touched]
    kick = 0.5 * dot(mass[touched, None] * dv, dv)
    return after, Pushed(collided - kick, friction, work, kick, bool(touched.any()))
