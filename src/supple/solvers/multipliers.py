"""The equations of stages with constraints, for positions, multipliers and, in conserving steps, velocities.

Plain, unknowns x and nu_j = s lam_j:
    r = grad Phi(x) + sum_j nu_j gbar_j = 0,  g(x) = 0

Conserving (discrete gradients of the constraints and of their rates, after Gear, Gupta and Leimkuhler 1985 and Gonzalez
1999), unknowns x, w = h v1, nu_j and mu_j, with psi_j = mean of g_j''(x_c) w_c along the step:
    grad Phi(x) + sum_j [ (nu_j - mu_j) gbar_j + mu_j/2 psi_j ] = 0,  g(x) = 0
    M (x - x0 - (h v0 + w)/2) - sum_j mu_j gbar_j = 0,                G(x) w = 0  (`strides` of constraints that move)
Both g and its rate keep their value along discrete gradients, so neither multiplier does work, except that of scripted
vertices: sum_j over these of nu gbar.dx + mu/2 (psi.dx + gbar.dw). Without the second line
the velocities that g forbids change sign in every step and never decay.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.dynamics.reactions import Reactions, forces, pull
from supple.dynamics.system import System
from supple.dynamics.tangent import slopes
from supple.linalg.reduce import dot, largest
from supple.solvers.saddle.layout import touched
from supple.solvers.saddle.unheld import Unheld
from supple.types import Array, Ints


@dataclass(frozen=True)
class Point:
    """An iterate and its residuals."""

    x: Array
    w: Array
    """(n, 3) h v1; not used in plain stages."""
    nu: Array
    """(J,)"""
    mu: Array
    """(J,)"""
    momentum: Array
    """(n, 3) first equation, zero on prescribed vertices."""
    velocity: Array
    """(n, 3) velocity equation, zero on prescribed vertices."""
    scale: float
    """Largest entry of any single part of them."""
    off: Array
    """(J,) or (2 J,) constraints, and their rates times h, as distances [m]."""
    merit: float
    gradients: list[Array]
    psi: list[Array]


class Problem:
    """The equations of one stage."""

    def __init__(self, system: System, unheld: Unheld, reactions: Reactions) -> None:
        self.system, self.unheld, self.reactions = system, unheld, reactions
        self.origin, self.start = unheld.ends()
        self.measure = 1.0 / slopes(system, reactions.x0)
        """(J,) distance per unit of g [m]."""
        self.size = max(largest(self.origin), largest(self.start))
        self.floor: Array | float = 0.0
        """(n, 3) round-off of the momentum equation, once its derivative is known [kg m]."""
        self._mass = float(system.mass[system.free].mean())
        self._loose = _loose(system) if reactions.moves is not None else None

    def at(self, x: Array, w: Array, nu: Array, mu: Array) -> Point:
        """The residuals for these unknowns; of w only constrained vertices count."""
        system, constraints, n = self.system, self.system.constraints, self.system.n
        gradients = self.reactions.gradients(constraints, x)
        unheld = self.unheld.residual(x)
        parts = [pull(constraints, gradients, nu - mu, n)]
        off, velocity, psi = self.measure * constraints.values(x), np.zeros_like(x), []
        if self.reactions.moves is not None and self._loose is not None:
            w0, loose = self.reactions.moves[0], self._loose
            w = w.copy()
            w[loose] = 2.0 * (x[loose] - self.reactions.x0[loose]) - w0[loose]
            psi = self._psi(x, w0, w)
            parts.append(pull(constraints, psi, 0.5 * mu, n))
            d = x - self.reactions.x0 - 0.5 * (w0 + w)
            velocity = system.on_free(system.mass[:, None] * d - pull(constraints, gradients, mu, n))
            velocity[loose] = 0.0
            off = np.concatenate([off, self.measure * self._rates(x, w)])
        parts = [system.on_free(part) for part in parts]
        momentum = unheld.vector + sum(parts)
        missed = sum(dot(r / system.mass[:, None], r) for r in (momentum, velocity))
        merit = missed + self._mass * float(off @ off)
        scale = max(unheld.scale, *map(largest, parts))
        return Point(x, w, nu, mu, momentum, velocity, scale, off, merit, gradients, psi)

    def outcome(self, now: Point) -> tuple[Array, Array, float]:
        """(n, 3) mean contribution of constraints to grad V, (J,) forces [N], and the part of the work of scripts that the
        former do not contain [J]."""
        constraints, s, n = self.system.constraints, self.reactions.weight, self.system.n
        reaction = pull(constraints, now.gradients, now.nu / s, n)
        if now.psi:
            reaction += pull(constraints, now.psi, 0.5 * now.mu / s, n)
        return reaction, forces(now.gradients, now.nu / s), self._turning(now)

    def _turning(self, now: Point) -> float:
        """Work of scripted vertices whose velocity changes in a conserving step: along a curve, x1 - x0 is not h times the
        mean of v0 and v1, and mu acts on the difference."""
        held = self.system.motion.held(self.system.n)
        if self.reactions.moves is None or not held.any():
            return 0.0
        by_mu = pull(self.system.constraints, now.gradients, 0.5 * now.mu / self.reactions.weight, self.system.n)
        return dot(by_mu[held], (now.w - self.reactions.moves[0])[held])

    def _psi(self, x: Array, w0: Array, w: Array) -> list[Array]:
        """(m, k, 3) mean of g'' w along the step, for each kind."""
        found = []
        for kind in self.system.constraints.kinds:
            total = np.zeros((*kind.vertices.shape, 3))
            for c, weight in self.reactions.nodes(kind):
                total += weight * kind.turned(self.reactions.between(c, x), (1.0 - c) * w0 + c * w)
            found.append(total)
        return found

    def _rates(self, x: Array, w: Array) -> Array:
        """(J,) G(x) w, less the prescribed rate of moving constraints."""
        constraints = self.system.constraints
        found = [(kind.gradients(x) * w[kind.vertices]).sum(axis=(1, 2)) for kind in constraints.kinds]
        return np.asarray(np.concatenate(found) - constraints.strides)


def _loose(system: System) -> Ints:
    """Free vertices without constraints."""
    return np.setdiff1d(system.free, touched(system), assume_unique=True).astype(np.int32)
