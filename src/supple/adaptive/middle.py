"""The midpoint step with rule-based length, as an equation for the new positions x alone.

With q = (x0 + x)/2, dt = dt(q), u = (x - x0)/dt:
    r(x) = M (x - x0 - dt v0) + dt^2/2 [grad W(q) + D'(u)] + dt lam/2 grad dt(q) = 0
lam = 0 for reversible control; lam = u . M u/2 + W(q) - E - w/2 for symplectic control, with w = -(x - x0) . D'(u)
the work of damping and external forces in this step, and E the energy level at its start (symplectic.py). Since dt, u
and lam are functions of x, no unknowns are added; with G = grad dt(q) the Jacobian is
    M + dt^2/4 W'' + dt/2 D''  +  dr/ddt (G/2)^T  +  dt/2 G (grad lam)^T
    dr/ddt = -M v0 + dt [grad W + D'] - D'' (x - x0)/2 + lam/2 G
    grad lam = M u/dt - (u . M u/dt) G/2 + grad W/2 + [D' + D'' u - (u . D'' u) G/2]/2
without the term lam dt/4 dG/dq, which is small if lam is.
"""

from __future__ import annotations

import numpy as np

from supple.adaptive.pace import Pace
from supple.adaptive.place import Place, multiplied
from supple.dynamics.equation import Jacobian, Residual
from supple.dynamics.state import State
from supple.dynamics.system import System
from supple.energies.samples import one_sample
from supple.linalg.reduce import dot, largest
from supple.types import Array


class MiddleEquation:
    """r(x) of a step from `state`; `level` E [J] for symplectic control."""

    def __init__(self, system: System, state: State, pace: Pace, energy: float, level: float | None = None) -> None:
        self._system, self._state, self._pace, self._energy, self._level = system, state, pace, energy, level
        self._mass = system.mass[:, None]
        self._momentum = system.on_free(self._mass * state.v)
        self._middle = Place(system, state.x, energy)
        self._start = state.x + pace.step(self._middle) * state.v

    @property
    def start(self) -> Array:
        return self._start

    @property
    def origin(self) -> Array:
        return self._state.x

    def place(self, x: Array) -> Array:
        return self._system.motion.place(x, self._state.t)

    def max_step(self, x: Array, p: Array) -> float:
        return self._system.potential.max_step(x, p)

    def taken(self, x: Array) -> tuple[float, Array, float]:
        """dt [s], u (n, 3) [m/s] and the energy of the step, u . M u/2 + W(q) [J]."""
        q = self._at(x)
        dt = self._pace.step(q)
        u = (x - self._state.x) / dt
        return dt, u, 0.5 * dot(self._system.on_free(self._mass * u), u) + q.potential

    def work(self, x: Array) -> float:
        """w, the work of damping and external forces in the step [J]."""
        if not self._system.dissipation.terms:
            return 0.0
        dt, u, _ = self.taken(x)
        return -dt * dot(self._friction(u), u)

    def residual(self, x: Array) -> Residual:
        q = self._at(x)
        dt, u, energy = self.taken(x)
        parts = [
            self._system.on_free(self._mass * (x - self._state.x)) - dt * self._momentum,
            dt * dt / 2 * q.gradient,
        ]
        if self._system.dissipation.terms:
            parts.append(dt * dt / 2 * self._friction(u))
        if self._level is not None:
            parts.append(dt / 2 * (energy - self._level - self.work(x) / 2) * self._pace.gradient(q))
        return Residual(sum(parts, np.zeros_like(x)), max(map(largest, parts)))

    def jacobian(self, x: Array) -> Jacobian:
        q = self._at(x)
        dt, u, energy = self.taken(x)
        G = self._pace.gradient(q)
        values = dt * dt / 4 * q.stiffness
        growth = dt * q.gradient - self._momentum  # dr/ddt
        p = self._system.on_free(self._mass * u)
        slope = p / dt - dot(p, u) / dt * G / 2 + q.gradient / 2  # grad lam
        if self._system.dissipation.terms:
            damping = np.zeros_like(values)
            self._system.dissipation.frozen.add_hessian(one_sample(u), damping)
            values = values + dt / 2 * damping
            rate, friction = multiplied(self._system, damping, self._system.on_free(u)), self._friction(u)
            growth = growth + dt * friction - dt / 2 * rate
            slope = slope + (friction + rate - dot(rate, u) * G / 2) / 2
        products = [(growth, G / 2)]
        if self._level is not None:
            lam = energy - self._level - self.work(x) / 2
            products = [(growth + lam / 2 * G, G / 2), (dt / 2 * G, slope)]
        return Jacobian(self._system.mass, products=tuple(products) if G.any() else (), symmetric=values)

    def _friction(self, u: Array) -> Array:
        return self._system.on_free(self._system.dissipation.frozen.gradient(u))

    def _at(self, x: Array) -> Place:
        """The middle of the step, cached for the last x."""
        q = 0.5 * (self._state.x + x)
        if not np.array_equal(q, self._middle.x):
            self._middle = Place(self._system, q, self._energy)
        return self._middle
