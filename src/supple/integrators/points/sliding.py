"""Implicit steps along obstacles at nodes: sliding and separation.

Nodes inside an obstacle take its velocity r = V . n along its normal n before the step, and n . u = h r is an equation of the
step. `separate` determines the constrained nodes in a few passes: a node that the obstacle would have to pull is
released, an unconstrained node that penetrated is constrained. Coulomb friction is lagged: J is the normal impulse
of the previous pass. Each pass subtracts mu J from the velocity w = v - V along the surface before the step, at most all of
it. So every pass is a step of an ordinary system under linear constraints, and the energy exchanged with
obstacles is explicit:
    collided  -m/2 (r - v . n)^2 of the stopped nodes,   friction  m/2 (|w|^2 - |w'|^2) along the surface
    work      m (r - v . n) r + m (w' - w) . V, and h r times the force of each constraint over the step
None of it enters the energy residual of the ledger, and the work vanishes for stationary obstacles.
A node inside several obstacles has their normals made orthogonal, which is exact for right angles; r follows them.
Friction then acts relative to their mean velocity, weighted by the braking impulses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from supple.constraints.holonomic import Constraints, Holonomic
from supple.dynamics.system import System
from supple.points.node_contact import found_inside
from supple.types import Array, Ints

PASSES = 5
"""Number of trial steps per step; the last one counts."""
SETTLED = 0.02
"""Tolerance between two passes, as a fraction of the total friction."""
PARALLEL = 1e-6
"""Smallest fraction of a normal not spanned by other normals of a node for it to count."""
PULL = 1e-9
"""Attractive force of an obstacle, relative to the largest force, above which a node is released."""


Face: TypeAlias = tuple[Array, float, bool, float, Array]
"""Normal, friction, whether the node may leave, rate along the normal, velocity of the obstacle."""


@dataclass(frozen=True)
class Faces:
    """Possible constraints of nodes along the normals of obstacles, one per node and obstacle."""

    nodes: Ints
    """(k,)"""
    normals: Array
    """(k, 3) orthonormal at each node."""
    friction: Array
    """(k,)"""
    separate: np.ndarray
    """(k,) whether the node may leave."""
    rates: Array
    """(k,) velocities of obstacles along the normals [m/s]."""
    velocities: Array
    """(k, 3) of obstacles [m/s]."""


@dataclass(frozen=True)
class Slid:
    """The start of a step along obstacles."""

    v: Array
    """(N, 3) velocities after obstacles stopped nodes."""
    collided: float = 0.0
    friction: float = 0.0
    """Energies dissipated by this [J]."""
    work: float = 0.0
    """Work of moving obstacles [J]."""


class _Along(Holonomic):
    """n . (x - X) = h r for single nodes at the end of a step."""

    name, degree = "obstacle", 1

    def __init__(self, faces: Faces, held: np.ndarray, nodes: Array, h: float) -> None:
        self.vertices = faces.nodes[held][:, None].astype(np.int32)
        self._normals, self._places = faces.normals[held], nodes[faces.nodes[held]]
        self.strides: Array = h * faces.rates[held]

    def values(self, x: Array) -> Array:
        along = np.einsum("ki,ki->k", x[self.vertices[:, 0]] - self._places, self._normals)
        return np.asarray(along - self.strides)

    def work(self, reaction: Array) -> float:
        """Work of moving obstacles, against reactions (N, 3) of the nodes [J]."""
        return -float(np.einsum("ki,ki,k->", reaction[self.vertices[:, 0]], self._normals, self.strides))

    def gradients(self, x: Array) -> Array:
        return self._normals[:, None, :].copy()

    def hessians(self, x: Array) -> Array:
        return np.zeros((len(self.vertices), 3, 3))


def faces_of(system: System, nodes: System, places: Array, dx: float, t: float, h: float) -> Faces | None:
    """The sliding constraints of nodes at `places` (N, 3); None if there are none."""
    rows: dict[int, list[Face]] = {}
    held = nodes.motion.held(nodes.n)
    for obstacle, found in zip(
        system.node_obstacles, found_inside(system.node_obstacles, places, dx, t, h), strict=True
    ):
        if obstacle.law == "sticky":
            continue
        for i, n, V in zip(found.nodes.tolist(), found.normals, found.velocities, strict=True):
            others = [(float(np.dot(n, face[0])), face) for face in rows.get(i, [])]
            rest = n - sum((part * face[0] for part, face in others), np.zeros(3))
            size = float(np.linalg.norm(rest))
            if not held[i] and size > PARALLEL:
                rate = (float(np.dot(n, V)) - sum(part * face[3] for part, face in others)) / size
                own = (rest / size, obstacle.friction, obstacle.law == "separate", rate, V)
                rows.setdefault(i, []).append(own)
    if not rows:
        return None
    flat = [(i, *row) for i, own in sorted(rows.items()) for row in own]
    numbers, *columns = zip(*flat, strict=True)
    return Faces(np.array(numbers, dtype=np.int32), *map(np.array, columns))


def slide(
    faces: Faces, nodes: System, places: Array, v: Array, h: float, take: Callable[[System, Slid], tuple[Array, Array]]
) -> None:
    """Determine the constrained nodes. `take` tries a step of the nodes, which had velocities v (N, 3), from a start;
    it returns displacements (N, 3) and the reactions (N, 3) of the constraints. Its last step counts."""
    approach = np.einsum("ki,ki->k", v[faces.nodes], faces.normals) - faces.rates
    held = ~faces.separate | (approach <= 0.0)
    impact = nodes.mass[faces.nodes] * np.maximum(-approach, 0.0)
    impulse = impact
    locked = np.zeros(len(held), dtype=bool)
    for trial in range(PASSES):
        constraints = Constraints([_Along(faces, held, places, h)] if held.any() else [])
        stopped = held | (faces.separate & (approach < 0.0))
        start = _started(faces, stopped, nodes.mass, v, impulse)
        u, reaction = take(replace(nodes, constraints=constraints), start)
        push = -np.einsum("ki,ki->k", reaction[faces.nodes], faces.normals)
        pulled = held & faces.separate & ~locked & (push < -PULL * np.abs(push).max(initial=0.0))
        entered = ~held & (np.einsum("ki,ki->k", u[faces.nodes], faces.normals) < h * faces.rates)
        used, impulse = impulse, impact + h * np.maximum(push, 0.0)
        off = float(np.abs(faces.friction * (impulse - used)).sum())
        if not (pulled.any() or entered.any()) and off <= SETTLED * float((faces.friction * impulse).sum()):
            return
        locked |= entered & (trial > 0)
        held = (held & ~pulled) | entered


def work_of(constraints: Constraints, reaction: Array) -> float:
    """Work of moving obstacles along which nodes slide, over a step with mean reactions (N, 3) of the nodes [J]."""
    return sum(kind.work(reaction) for kind in constraints.kinds if isinstance(kind, _Along))


def _started(faces: Faces, stopped: np.ndarray, mass: Array, v: Array, impulse: Array) -> Slid:
    """Velocities v (N, 3) after obstacles stopped nodes, with friction by normal impulses (k,)."""
    rows, n, rates = faces.nodes[stopped], faces.normals[stopped], faces.rates[stopped]
    jump = rates - np.einsum("ki,ki->k", v[rows], n)
    along = v.copy()
    np.add.at(along, rows, jump[:, None] * n)
    braking = (faces.friction * impulse)[stopped]
    brake = np.bincount(rows, braking, len(v))
    carrier = np.zeros_like(v)  # tangential velocity of the obstacles
    np.add.at(carrier, rows, braking[:, None] * faces.velocities[stopped])
    carrier = np.divide(carrier, brake[:, None], out=carrier, where=brake[:, None] > 0.0)
    np.add.at(carrier, rows, -np.einsum("ki,ki->k", carrier[rows], n)[:, None] * n)
    w = along - carrier
    np.add.at(w, rows, -rates[:, None] * n)
    speed = np.sqrt(np.einsum("ki,ki->k", w, w))
    lost = np.minimum(1.0, np.divide(brake / mass, speed, out=np.zeros_like(speed), where=speed > 0.0))
    slower = -lost[:, None] * w
    heat = 0.5 * float((mass * speed**2) @ (lost * (2.0 - lost)))
    work = float((mass[rows] * jump) @ rates) + float(mass @ np.einsum("ki,ki->k", slower, carrier))
    return Slid(along + slower, -0.5 * float((mass[rows] * jump) @ jump), heat, work)
