"""Explicit steps of particles (symplectic Euler on the nodes), in stable substeps.

    f_i = -sum_p V_p tau_p grad w + (other forces on particles);  v* = v + h (f/m_i + g);  v' = obstacles(v*);  u = h v'

Energy of each substep, E = sum m/2 (|v|^2 + D |C|^2) + sum V psi(F) - sum m g.x + U(x) of other potentials:
    transfer   K_i - K_p + K_p' - K_i', and the asflip displacement against gravity
    force      psi(F_trial) - psi(F) - tau : grad u + U(x') - U(x) + push . u,  less 1/2 sum m |v' - v|^2 of free nodes
    collided, friction, work   see node_contact.py
    plastic, hardening, heat of viscosity
Gravity leaves no residual, since particles move with the grid.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from supple.linalg.pool import in_parts
from supple.linalg.reduce import dot
from supple.points.blocks import aligned
from supple.points.booked import Booked
from supple.points.kernels import collect, scatter, set_boxes
from supple.points.limit import Limit, fastest_particle
from supple.points.node_contact import ObstacleNodes, Pushed, pushed
from supple.points.obstacle import NodeObstacle
from supple.points.return_kernels import (
    FASTEST,
    HARDENED,
    HEAT,
    KINETIC,
    LEFT,
    PLASTIC,
    PUSHED,
    STORED,
    STRAYED,
    WORK,
    gather,
)  # fmt: skip
from supple.points.swarm import Swarm
from supple.points.transfer import PRESSED, Transfer
from supple.types import Array

Outer = Callable[[Array], tuple[float, Array]]
"""Value and gradient (n, 3) of other potentials at positions (n, 3) of all vertices [J, N]."""


@dataclass(frozen=True)
class Setting:
    """Data that is fixed within a step."""

    transfer: Transfer
    obstacles: Sequence[NodeObstacle]
    gravity: Array
    """(3,) [m/s^2]."""
    outer: Outer | None
    limit: Limit


class Explicit:
    """A swarm during one step."""

    def __init__(self, setting: Setting, swarm: Swarm) -> None:
        self.setting, self.swarm = setting, swarm
        self._lay()
        in_parts(lambda k: swarm.respond(k, flow=False), len(swarm.cuts) - 1)
        self._stored = float(swarm.sums[:, STORED].sum())
        transfer, matter = setting.transfer, swarm.C.reshape(-1, 3, 3)
        self._kinetic = transfer.kinetic(swarm.mass, swarm.v, matter, swarm.spline.D)
        self._fastest = fastest_particle(swarm.v)
        self._outer, self._push = self._pushes()
        self._leaving = False

    def limit(self) -> float:
        """The longest substep [s]."""
        return self.setting.limit.longest(self.swarm.wave_speed, self._fastest)

    def advance(self, t: float, h: float) -> Booked:
        """A step of h [s] from t [s]."""
        booked, taken, left = Booked(), 0, h
        while left > 0.0:
            if self._leaving:
                self._sort()
            count = self.setting.limit.pieces(left, taken, self.swarm.wave_speed, self._fastest)
            piece = left / count
            booked += self._substep(t + h - left, piece)
            taken, left = taken + 1, left - piece if count > 1 else 0.0
        return booked

    def _lay(self) -> None:
        """Tiles and nodes for the blocks of the swarm."""
        blocks, degree = self.swarm.blocks, self.swarm.spline.degree
        self._boxes = np.zeros((blocks.count, 6), dtype=np.int64)
        set_boxes(
            degree, blocks.start, self.swarm.laws.kinds, blocks.corner, self.swarm.spline.dx, self.swarm.x, self._boxes
        )
        self._tiles = aligned((blocks.count, (6 + degree) ** 3, 8))
        n = 64 * len(blocks.origin)
        self._mass, self._old, self._new = np.empty(n), np.zeros((n, 4)), np.zeros((n, 4))
        self._marks, self._sums = np.zeros((blocks.count, 2)), np.zeros((len(blocks.origin), 3))
        self._found: ObstacleNodes | None = None

    def _pushes(self) -> tuple[float, Array]:
        """Energy of other potentials, and their forces on the rows of the swarm."""
        if self.setting.outer is None:
            return 0.0, np.zeros((1, 3))
        value, gradient = self.setting.outer(self.swarm.original(self.swarm.x))
        return value, -gradient[self.swarm.index]

    def _substep(self, t: float, h: float) -> Booked:
        swarm = self.swarm
        self._to_nodes(h)
        before, after, kick = self._sums.sum(axis=0).tolist()
        contact, gained, more = self._contact(t, h)
        after, kick = after + gained, kick + more
        self._to_particles(h)
        sums = swarm.sums.sum(axis=0).tolist()
        outer, push = self._pushes()
        trial = sums[STORED] + sums[PLASTIC] - sums[HARDENED]
        booked = Booked(
            transfer=before - self._kinetic + sums[KINETIC] - after + sums[STRAYED],
            force=trial - self._stored - sums[WORK] + outer - self._outer + sums[PUSHED] - (kick - contact.kick),
            collided=contact.collided, friction=contact.friction, work=contact.work, heat=sums[HEAT],
            plastic=sums[PLASTIC], hardening=sums[HARDENED], touched=contact.touched,
        )  # fmt: skip
        self._kinetic, self._stored, self._outer, self._push = sums[KINETIC], sums[STORED], outer, push
        self._fastest = math.sqrt(float(self._marks[:, FASTEST].max()))
        self._leaving = bool(self._marks[:, LEFT].any())
        return booked

    def _sort(self) -> None:
        """Sort again before a particle leaves the tile of its block."""
        self.swarm.sort()
        self._lay()
        if self.setting.outer is not None:
            self._push = self._push[self.swarm.blocks.order]
        self._leaving = False

    def _to_nodes(self, h: float) -> None:
        swarm, spline, blocks = self.swarm, self.swarm.spline, self.swarm.blocks
        place = spline.degree, blocks.start, swarm.laws.kinds, blocks.corner, self._numbers(h)
        rows = swarm.x, swarm.v, swarm.C, swarm.tau, swarm.thick, swarm.mass, swarm.volume
        given = *rows, self._push, self._boxes, self._tiles
        cuts = swarm.cuts
        in_parts(lambda k: scatter(cuts[k], cuts[k + 1], *place, *given), len(cuts) - 1)
        count, parts, g = len(blocks.origin), len(cuts) - 1, self.setting.gravity
        to = self._mass, self._old, self._new, self._sums
        source = spline.degree, blocks.sources, self._boxes, self._tiles, h, g
        in_parts(lambda k: collect(k * count // parts, (k + 1) * count // parts, *source, *to), parts)

    def _numbers(self, h: float) -> Array:
        """Parameters shared by all particles, see vector/particle.py."""
        transfer, dx, D = self.setting.transfer, self.swarm.spline.dx, self.swarm.spline.D
        affine, slope = float(transfer.affine), dx / D
        return np.array([1.0 / dx, affine * dx, -slope, slope, h, transfer.kept, transfer.kept_affine, affine * D])

    def _contact(self, t: float, h: float) -> tuple[Pushed, float, float]:
        """The effect of obstacles, and the resulting changes of kinetic energy and impulse sums."""
        obstacles = self.setting.obstacles
        if not obstacles:
            return Pushed(), 0.0, 0.0
        if self._found is None:
            dx = self.swarm.spline.dx
            self._found = ObstacleNodes(obstacles, self.swarm.blocks.nodes(dx), dx)
        near, inside = self._found.at(self._mass, t, h)
        mass, old, star = self._mass[near], self._old[near, :3], self._new[near, :3]
        after, contact = pushed(obstacles, inside, mass, old, star)
        self._new[near, :3] = after
        return (
            contact,
            _kinetic(mass, after) - _kinetic(mass, star),
            _kinetic(mass, after - old) - _kinetic(mass, star - old),
        )

    def _to_particles(self, h: float) -> None:
        swarm, spline, blocks = self.swarm, self.swarm.spline, self.swarm.blocks
        strays = self.setting.transfer.strays, math.exp(PRESSED)
        place = spline.degree, blocks.start, swarm.laws.kinds, blocks.corner, spline.dx, self._numbers(h)
        nodes = self.setting.gravity, strays, self._boxes, blocks.reached, self._old, self._new
        rows = swarm.x, swarm.v, swarm.C, swarm.F, swarm.tau, swarm.thick, swarm.mass, swarm.volume, self._push
        cuts = swarm.cuts

        def part(k: int) -> None:
            gather(cuts[k], cuts[k + 1], *place, *nodes, *rows, swarm.sums, self._marks)
            swarm.respond(k)

        in_parts(part, len(cuts) - 1)


def _kinetic(mass: Array, v: Array) -> float:
    return 0.5 * dot(mass[:, None] * v, v)
