"""Obstacles in position-based steps: a vertex closer than the reach of the contact's law is moved to that distance.

    C = d(x) - reach >= 0, without compliance:    x += (reach - d) n
    friction (Coulomb, in positions): the tangential displacement since the start of the substep is reduced by at most
    mu (reach - d)
At that distance the law's energy is zero, so bodies at rest on an obstacle have no contact energy.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.contact.friction import Friction
from supple.contact.obstacles.obstacle import ObstacleContact
from supple.dynamics.system import System
from supple.energies.drive import at_time
from supple.types import Array


@dataclass(frozen=True)
class Rubbing:
    """An obstacle and its coefficients of friction, one per vertex."""

    obstacle: ObstacleContact
    mu: Array

    def push(self, x0: Array, u: Array, free: np.ndarray, saved: Array, touched: np.ndarray) -> None:
        """Push vertices out; u (n, 3), the displacements since the start x0 of the substep, and `touched` are updated;
        `saved` (n,) accumulates the reduction of squared displacements by friction [m^2]."""
        term, reach = self.obstacle, self.obstacle.law.reach
        per = len(term.elements) // len(term.shape.parts)
        for first in range(0, len(term.elements), per):  # part by part: each vertex occurs once per part
            x = x0 + u
            gaps = term.gaps(x)
            near = np.flatnonzero(gaps < reach)
            own = (near >= first) & (near < first + per) & free[term.elements[near, 0]]
            if not own.any():
                continue
            (touch,) = term.touches(x)
            v, n, depth = touch.corners[own, 0], touch.normal[own], reach - gaps[near[own]]
            touched[v] = True
            u[v] += depth[:, None] * n
            way = u[v] - np.einsum("mi,mi->m", u[v], n)[:, None] * n
            length = np.sqrt(np.einsum("mi,mi->m", way, way))
            less = np.minimum(self.mu[v] * depth, length)
            u[v] -= (less / np.where(length > 0.0, length, 1.0))[:, None] * way
            saved[v] += less * (2.0 * length - less)


def rubbings(system: System, obstacles: tuple[ObstacleContact, ...], t: float) -> list[Rubbing]:
    """Each obstacle with the friction on it at a time [s]."""
    found = []
    for obstacle in obstacles:
        mu = np.zeros(system.n)
        for term in system.dissipation.terms:
            now = at_time(term, t)
            if isinstance(now, Friction) and now.contact is obstacle:
                mu = now.mu
        found.append(Rubbing(obstacle, mu))
    return found
