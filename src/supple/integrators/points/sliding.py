"""Implicit steps along obstacles at nodes: what slips, and what may leave.

Nodes inside an obstacle lose the part of their velocity along its normal n before the step, and n . u = 0 is an equation of the
step. `separate` finds out in a few passes whom to hold: a node that the obstacle would have to pull is let go, one that went in
without being held is held. Coulomb's friction is lagged: in each pass it takes mu J off the velocity along the surface
before the step, at most all of it, with J the normal impulse of the pass before. So every pass is a step of an ordinary
system under linear constraints, which do no work, and what obstacles take is known by itself:
    collided  -m/2 (v . n)^2 of the nodes that were stopped,   friction  m/2 (|v|^2 - |v'|^2) along the surface
A node inside several obstacles has their normals made orthogonal, which is exact for right angles.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from supple.constraints.holonomic import Constraints, Holonomic
from supple.dynamics.system import System
from supple.points.node_contact import found_inside
from supple.types import Array, Ints

PASSES = 5
"""Steps that are tried for one; the last one counts."""
SETTLED = 0.02
"""Part of all friction by which two passes may differ."""
PARALLEL = 1e-6
"""Part of a normal that other normals of a node must leave for it to count."""
PULL = 1e-9
"""Force, relative to the largest, that an obstacle must exert towards itself for a node to be let go."""


@dataclass(frozen=True)
class Faces:
    """Places where an obstacle may hold a node along its normal, one for each node and obstacle."""

    nodes: Ints
    """(k,)"""
    normals: Array
    """(k, 3) orthonormal at each node."""
    friction: Array
    """(k,)"""
    separate: np.ndarray
    """(k,) whether the node may leave."""


@dataclass(frozen=True)
class Slid:
    """The start of a step along obstacles."""

    v: Array
    """(N, 3) velocities after obstacles stopped nodes."""
    collided: float
    friction: float
    """Energies that this took [J]."""


class _Along(Holonomic):
    """n . (x - X) = 0 for single nodes."""

    name, degree = "obstacle", 1

    def __init__(self, faces: Faces, held: np.ndarray, nodes: Array) -> None:
        self.vertices = faces.nodes[held][:, None].astype(np.int32)
        self._normals, self._places = faces.normals[held], nodes[faces.nodes[held]]

    def values(self, x: Array) -> Array:
        return np.asarray(np.einsum("ki,ki->k", x[self.vertices[:, 0]] - self._places, self._normals))

    def gradients(self, x: Array) -> Array:
        return self._normals[:, None, :].copy()

    def hessians(self, x: Array) -> Array:
        return np.zeros((len(self.vertices), 3, 3))


def faces_of(system: System, nodes: System, places: Array, dx: float, t: float, h: float) -> Faces | None:
    """Where obstacles let nodes at `places` (N, 3) slide; None if that is nowhere."""
    rows: dict[int, list[tuple[Array, float, bool]]] = {}
    held = nodes.motion.held(nodes.n)
    for obstacle, found in zip(
        system.node_obstacles, found_inside(system.node_obstacles, places, dx, t, h), strict=True
    ):
        if obstacle.law == "sticky":
            continue
        for i, n in zip(found.nodes.tolist(), found.normals, strict=True):
            rest = n - sum((np.dot(n, other) * other for other, _, _ in rows.get(i, [])), np.zeros(3))
            size = float(np.linalg.norm(rest))
            if not held[i] and size > PARALLEL:
                rows.setdefault(i, []).append((rest / size, obstacle.friction, obstacle.law == "separate"))
    if not rows:
        return None
    flat = [(i, *row) for i, own in sorted(rows.items()) for row in own]
    numbers, normals, friction, separate = zip(*flat, strict=True)
    return Faces(np.array(numbers, dtype=np.int32), np.array(normals), np.array(friction), np.array(separate))


def slide(
    faces: Faces, nodes: System, places: Array, v: Array, h: float, take: Callable[[System, Slid], tuple[Array, Array]]
) -> None:
    """Find out whom to hold. `take` tries a step of the nodes, which had velocities v (N, 3), from a start; it returns
    displacements (N, 3) and the reactions (N, 3) of the constraints. Its last step counts."""
    approach = np.einsum("ki,ki->k", v[faces.nodes], faces.normals)
    held = ~faces.separate | (approach <= 0.0)
    impact = nodes.mass[faces.nodes] * np.maximum(-approach, 0.0)
    impulse = impact
    locked = np.zeros(len(held), dtype=bool)
    for trial in range(PASSES):
        constraints = Constraints([_Along(faces, held, places)] if held.any() else [])
        stopped = held | (faces.separate & (approach < 0.0))
        start = _started(faces, stopped, nodes.mass, v, impulse)
        u, reaction = take(replace(nodes, constraints=constraints), start)
        push = -np.einsum("ki,ki->k", reaction[faces.nodes], faces.normals)
        pulled = held & faces.separate & ~locked & (push < -PULL * np.abs(push).max(initial=0.0))
        entered = ~held & (np.einsum("ki,ki->k", u[faces.nodes], faces.normals) < 0.0)
        used, impulse = impulse, impact + h * np.maximum(push, 0.0)
        off = float(np.abs(faces.friction * (impulse - used)).sum())
        if not (pulled.any() or entered.any()) and off <= SETTLED * float((faces.friction * impulse).sum()):
            return
        locked |= entered & (trial > 0)
        held = (held & ~pulled) | entered


def _started(faces: Faces, stopped: np.ndarray, mass: Array, v: Array, impulse: Array) -> Slid:
    """Velocities v (N, 3) without what obstacles stop, and with friction by normal impulses (k,)."""
    along = v.copy()
    rows, normals = faces.nodes[stopped], faces.normals[stopped]
    np.add.at(along, rows, -np.einsum("ki,ki->k", v[rows], normals)[:, None] * normals)
    brake = np.bincount(rows, (faces.friction * impulse)[stopped], len(v)) / mass
    speed = np.sqrt(np.einsum("ki,ki->k", along, along))
    kept = np.maximum(0.0, 1.0 - np.divide(brake, speed, out=np.zeros_like(speed), where=speed > 0.0))
    energies = [0.5 * float(mass @ np.einsum("ki,ki->k", w, w)) for w in (v, along, kept[:, None] * along)]
    return Slid(kept[:, None] * along, energies[1] - energies[0], energies[1] - energies[2])
