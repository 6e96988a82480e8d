"""Energy-momentum steps: r(x) = M (x - y) + h^2/2 [gbar(x0, x) + grad D((x - x0)/h)] = 0.

gbar is symmetric in its ends, so that its derivative by x0 is the Jacobian with the ends exchanged. The Jacobian by x is not
symmetric: the reverse sweep solves with its transpose.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from supple.dynamics.equation import Jacobian, MeanForceEquation
from supple.dynamics.mean_gradient import ElementMean
from supple.dynamics.state import State
from supple.dynamics.system import System
from supple.energies.samples import Samples
from supple.errors import SuppleError
from supple.linalg.reduce import largest
from supple.sensitivity.frozen import pulled_places, pushed_place
from supple.sensitivity.linear import JacobianMatrix, block_product
from supple.sensitivity.program import MeanSolve
from supple.sensitivity.replay import Played
from supple.types import Array

ROUNDS = 60
SETTLED = 1e-13


class MeanStep:
    """One such step, at its solution x."""

    def __init__(self, played: Played, asked: MeanSolve, x: Array) -> None:
        self._played, self._asked, self._x = played, asked, x
        self._x0 = played.of(asked.x0)
        self._h = asked.h
        self._v0 = (played.of(asked.target) - self._x0) / self._h

    def _equation(self, system: System) -> MeanForceEquation:
        t = self._played.t + self._asked.time - self._h
        return MeanForceEquation(system, State(t, self._x0, self._v0), self._h, ElementMean(system, self._x0))

    @cached_property
    def _jacobian(self) -> Jacobian:
        return self._equation(self._played.system).jacobian(self._x)

    @cached_property
    def _matrix(self) -> JacobianMatrix:
        return JacobianMatrix(self._played.system, self._jacobian)

    @property
    def dissipation_samples(self) -> Samples | None:
        """The mean velocity, with the weight of its force."""
        if not self._played.system.dissipation.terms:
            return None
        weight = np.array([self._h**2 / 2])
        return Samples(((self._x - self._x0) / self._h)[None], weight, weight, weight)

    def residual(self, system: System) -> Array:
        """r at the same places, of a neighbouring system."""
        return self._equation(system).residual(self._x).vector

    def multiplier(self, bar: Array) -> Array:
        """lam with (dr/dx)^T lam = xb; that torque-free damping follows the middle of the step is settled in rounds."""
        lam = self._matrix.solve(bar, transposed=True)
        if not self._played.system.dissipation.follows:
            return lam
        for _ in range(ROUNDS):
            before, lam = lam, self._matrix.solve(bar - 0.5 * self._middle(lam), transposed=True)
            if largest(lam - before) <= SETTLED * largest(lam):
                return lam
        raise SuppleError("damping and motion did not agree in a reverse sweep; take smaller steps")

    def end_product(self, lam: Array) -> Array:
        """(dr/dx)^T lam on all vertices, without inertia on prescribed ones."""
        jacobian = self._jacobian
        product = jacobian.diagonal[:, None] * lam + block_product((*jacobian.blocks, *jacobian.couplings), lam, True)
        return product + 0.5 * self._middle(lam)

    def start_product(self, lam: Array) -> Array:
        """(dr/dx0)^T lam at fixed target."""
        weight = self._h**2 / 2
        jacobian = ElementMean(self._played.system, self._x).jacobian(self._x0)
        total = weight * block_product((*jacobian.blocks, *jacobian.couplings), lam, True)
        samples = self.dissipation_samples
        if samples is not None:
            moved = self._played.system.moved(0.5 * (self._x0 + self._x))
            total -= moved.dissipation.frozen.product(samples, lam) / self._h
            total += 0.5 * self._middle(lam)
        return total

    def _middle(self, lam: Array) -> Array:
        """Bar of the middle of the step, at which torque-free damping is frozen."""
        samples, system = self.dissipation_samples, self._played.system
        if samples is None or not system.dissipation.follows:
            return np.zeros_like(lam)
        at = system.moved(0.5 * (self._x0 + self._x)).dissipation.instant
        assert at is not None
        return pulled_places(system, at, samples, lam, following=True)[0]

    # -- forwards ----------------------------------------------------------------------------------------------------

    def tangent(self, target: Array, x0: Array, held: Array, change: Array) -> Array:
        """xd of the step, for changes of the target and of x0, of prescribed rows of x, and of r itself."""
        system = self._played.system
        mass = system.mass[:, None]
        rhs = mass * target - change - self._along_start(x0)
        jacobian = self._jacobian
        rhs = rhs - block_product((*jacobian.blocks, *jacobian.couplings), held)
        samples = self.dissipation_samples
        xd = self._matrix.solve(rhs) + held
        if samples is None or not system.dissipation.follows:
            return xd
        at = system.moved(0.5 * (self._x0 + self._x)).dissipation.instant
        assert at is not None
        for _ in range(ROUNDS):
            moved = pushed_place(system, at, samples, 0.5 * (x0 + xd), np.zeros_like(xd), following=True)
            before, xd = xd, self._matrix.solve(rhs - moved) + held
            if largest(xd - before) <= 1e-11 * largest(xd):
                return xd
        raise SuppleError("damping and motion did not agree in a tangent sweep; take smaller steps")

    def _along_start(self, x0: Array) -> Array:
        """dr/dx0 times a change of x0, at fixed target, without what follows the middle."""
        jacobian = ElementMean(self._played.system, self._x).jacobian(self._x0)
        total = self._h**2 / 2 * block_product((*jacobian.blocks, *jacobian.couplings), x0)
        samples = self.dissipation_samples
        if samples is not None:
            moved = self._played.system.moved(0.5 * (self._x0 + self._x))
            total = total - moved.dissipation.frozen.product(samples, x0) / self._h
        return total
