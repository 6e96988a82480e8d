"""Single steps of one particle on a line: why steps are minimised.

In V = 10 x + 1500 (x^2 - 1)^2 the equation F(x) = 0 of an AVF step has one root, but F^2 has a second, false minimum in
which a damped Newton method on F gets stuck; the objective g with g' = F has none. In V = 128 x^4 the midpoint discrete
gradient in phase space (x, v) has a solution as well, but no objective to minimise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.polynomial import Polynomial

from supple.dynamics.stage import Sample, Stage
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.term import EnergyTerm
from supple.integrators.implicit.avf import AVF
from supple.loop import simulate
from supple.solvers.newton import NewtonSolver
from supple.solvers.options import SolverOptions
from supple.types import Array

DOUBLE_WELL = Polynomial([1500.0, 10.0, -3000.0, 0.0, 1500.0])
QUARTIC = Polynomial([0.0, 0.0, 0.0, 0.0, 128.0])
STARTS = np.linspace(-3.0, 3.0, 601)
ROOT = 1.101847148927514
SHORTEST = 1e-10
"""Fraction of a Newton step below which the damped methods give up."""


class Line(EnergyTerm):
    """V = p(x) of the first coordinate of every vertex; records where its curvature is evaluated."""

    def __init__(self, p: Polynomial, n: int = 1) -> None:
        self.elements = np.arange(n, dtype=np.int32)[:, None]
        self.degree = p.degree()
        self.visited: list[float] = []
        self._p, self._slope, self._bend = p, p.deriv(), p.deriv(2)

    def element_values(self, x: Array) -> Array:
        return self._p(x[:, 0])

    def element_gradients(self, x: Array) -> Array:
        gradients = np.zeros((len(x), 1, 3))
        gradients[:, 0, 0] = self._slope(x[:, 0])
        return gradients

    def element_hessians(self, x: Array) -> Array:
        self.visited.append(float(x[0, 0]))
        hessians = np.zeros((len(x), 3, 3))
        hessians[:, 0, 0] = self._bend(x[:, 0])
        return hessians


def particle(term: EnergyTerm, x0: float, v0: float) -> tuple[System, State]:
    """One particle of mass 1 on the first axis."""
    system = build_system(np.zeros((1, 3)), np.ones(1), [term])
    return system, State(0.0, np.array([[x0, 0.0, 0.0]]), np.array([[v0, 0.0, 0.0]]))


def avf_step(p: Polynomial, x0: float, v0: float, h: float) -> tuple[float, float]:
    """Position and velocity after one step of the engine."""
    system, state = particle(Line(p), x0, v0)
    *_, last = simulate(system, AVF(), state, h, 1)
    return float(last.state.x[0, 0]), float(last.state.v[0, 0])


def damped_newton(f: Callable[[Array], Array], jacobian: Callable[[Array], Array], z: Array) -> list[Array]:
    """Iterates of Newton's method on f = 0 that accepts only decreases of |f|^2; ends solved or stuck."""
    path = [z]
    for _ in range(200):
        r = f(z)
        if np.linalg.norm(r) <= 1e-12:
            break
        p, t = np.linalg.solve(jacobian(z), -r), 1.0
        while t >= SHORTEST and not np.dot(f(z + t * p), f(z + t * p)) < (1 - 2e-4 * t) * np.dot(r, r):
            t /= 2
        if t < SHORTEST:
            break
        z = z + t * p
        path.append(z)
    return path


@dataclass(frozen=True)
class WellStep:
    """One AVF step in the double well, by Simpson's rule, as an equation F = 0 and as the minimum of g."""

    x0: float = 0.6
    v0: float = -9.0
    h: float = 0.04

    @cached_property
    def target(self) -> float:
        # the node of the rule at x0
        return self.x0 + self.h * self.v0 - self.h**2 / 12 * DOUBLE_WELL.deriv()(self.x0)

    @cached_property
    def F(self) -> Polynomial:
        """x - target + h^2/3 V'((x0 + x)/2) + h^2/12 V'(x)."""
        x, slope = Polynomial([0.0, 1.0]), DOUBLE_WELL.deriv()
        return x - self.target + self.h**2 / 3 * slope((self.x0 + x) / 2) + self.h**2 / 12 * slope(x)

    @cached_property
    def g(self) -> Polynomial:
        """The integral of F, 0 at the root."""
        return self.F.integ(lbnd=ROOT)

    def on_F(self, start: float) -> list[float]:
        """Iterates of damped Newton on F."""
        F, slope = self.F, self.F.deriv()
        return [float(z[0]) for z in damped_newton(F, lambda z: np.atleast_2d(slope(z)), np.array([start]))]

    def on_g(self, start: float) -> list[float]:
        """Iterates of the engine's solver on g."""
        line = Line(DOUBLE_WELL)
        system, state = particle(line, self.x0, self.v0)
        samples = (Sample(self.h**2 / 3, 0.5, state.x / 2), Sample(self.h**2 / 12))
        target, first = np.array([[self.target, 0.0, 0.0]]), np.array([[start, 0.0, 0.0]])
        stage = Stage(self.h, target, samples, origin=state.x, start=first, may_start_at_origin=False)
        x, _ = NewtonSolver(system, SolverOptions(tolerance=1e-14)).minimise(system, stage)
        return [*line.visited[1::2], float(x[0, 0])]  # each Hessian is evaluated at the midpoint and at the iterate


@dataclass(frozen=True)
class QuarticStep:
    """One step of the midpoint discrete gradient in V = 128 x^4, in phase space: the roots z = (x, v) of

    a(z) = d - h S G,   d = z - z0,   S = [[0, 1], [-1, 0]],   m = (z0 + z)/2,
    G = H'(m) + c d,   c = (H(z) - H(z0) - H'(m).d)/d.d
    """

    h: float
    x0: float = -1.10
    v0: float = 12.25

    @property
    def start(self) -> Array:
        """z0."""
        return np.array([self.x0, self.v0])

    @staticmethod
    def energy(z: Array) -> float:
        """H = V(x) + v^2/2."""
        return float(QUARTIC(z[0]) + z[1] ** 2 / 2)

    def residual(self, z: Array) -> Array:
        """a(z)."""
        d, at_middle, c = self._parts(z)
        return d - self.h * TURN @ (at_middle + c * d)

    def jacobian(self, z: Array) -> Array:
        """da/dz."""
        d, at_middle, c = self._parts(z)
        bend = np.diag([QUARTIC.deriv(2)((self.x0 + z[0]) / 2), 1.0])
        dc = (_slope(z) - bend @ d / 2 - at_middle - 2 * c * d) / (d @ d)
        return np.eye(2) - self.h * TURN @ (bend / 2 + np.outer(d, dc) + c * np.eye(2))

    def path(self) -> list[Array]:
        """Iterates of damped Newton from the usual prediction (x0 + h v0, v0)."""
        return damped_newton(self.residual, self.jacobian, np.array([self.x0 + self.h * self.v0, self.v0]))

    def _parts(self, z: Array) -> tuple[Array, Array, float]:
        d, at_middle = z - self.start, _slope((self.start + z) / 2)
        return d, at_middle, float((self.energy(z) - self.energy(self.start) - at_middle @ d) / (d @ d))


TURN = np.array([[0.0, 1.0], [-1.0, 0.0]])


def _slope(z: Array) -> Array:
    return np.array([QUARTIC.deriv()(z[0]), z[1]])


def discrete_gradient(h: float, x0: float = -1.10, v0: float = 12.25) -> tuple[list[Array], float, float]:
    """Iterates of damped Newton on the step in the quartic well, last |a|, change of the energy."""
    step = QuarticStep(h, x0, v0)
    path = step.path()
    return path, float(np.linalg.norm(step.residual(path[-1]))), step.energy(path[-1]) - step.energy(step.start)
