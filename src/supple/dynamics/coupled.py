"""The stages of a fully implicit Runge-Kutta method as one equation for all of their positions x_1 ... x_s.

    v = A^-1 (x - x0)/h,   r_i(x) = M (x_i - x0 - h c_i v0) + h^2 sum_j (A^2)_ij [V'(x_j) + D'(v_j)] = 0,   c = A 1
    dr_i/dx_l = delta_il M + h^2 (A^2)_il V''(x_l) + h sum_j (A^2)_ij (A^-1)_jl D''(v_j)
It is not a minimisation: A^2 is not symmetric for the methods of highest order. Prescribed vertices are at their
scripted positions at each stage.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.dynamics.equation import Residual
from supple.dynamics.state import State
from supple.dynamics.system import System
from supple.energies.samples import one_sample
from supple.linalg.reduce import largest
from supple.types import Array


@dataclass(frozen=True)
class CoupledJacobian:
    """(i, l): delta_il M + sum of weights[i, l] times a symmetric matrix."""

    parts: tuple[tuple[Array, Array], ...]
    """Weights (s, s), and entries in the system's pattern."""


class CoupledStages:
    """r(x) of a step of h [s] from `state`; x and residuals (s, n, 3)."""

    def __init__(self, system: System, state: State, h: float, A: Array) -> None:
        self._system, self._state, self._h = system, state, h
        self._A2, self._inverse, self._c = A @ A, np.linalg.inv(A), A.sum(axis=1)
        self._mass = system.mass[:, None]
        self.origin = np.stack([state.x for _ in self._c])
        self.start = np.stack([state.x + c * h * state.v for c in self._c])

    def place(self, x: Array) -> Array:
        motion, t, h = self._system.motion, self._state.t, self._h
        return np.stack([motion.place(each, t + c * h) for each, c in zip(x, self._c, strict=True)])

    def max_step(self, x: Array, p: Array) -> float:
        return min(self._system.potential.max_step(each, move) for each, move in zip(x, p, strict=True))

    def velocities(self, x: Array) -> Array:
        """(s, n, 3) velocities of all stages; prescribed vertices have scripted velocities."""
        motion, t, h = self._system.motion, self._state.t, self._h
        v = np.tensordot(self._inverse, x - self._state.x, axes=1) / h
        return np.stack([motion.drive(each, t + c * h) for each, c in zip(v, self._c, strict=True)])

    def dissipative(self, x: Array) -> Array | None:
        """(s, n, 3) D'(v_j) [N]; None in a system without dissipation."""
        if not self._system.dissipation.terms:
            return None
        return np.stack([self._system.dissipation.frozen.gradient(v) for v in self.velocities(x)])

    def gradients(self, x: Array) -> Array:
        """(s, n, 3) V'(x_j) + D'(v_j) of free vertices [N]."""
        total, damping = np.stack([self._system.potential.gradient(each) for each in x]), self.dissipative(x)
        total = total if damping is None else total + damping
        return np.stack([self._system.on_free(each) for each in total])

    def residual(self, x: Array) -> Residual:
        x0, v0, h = self._state.x, self._state.v, self._h
        moved = [each - x0 - h * c * v0 for each, c in zip(x, self._c, strict=True)]
        inertia = np.stack([self._system.on_free(self._mass * d) for d in moved])
        forces = h * h * np.tensordot(self._A2, self.gradients(x), axes=1)
        return Residual(inertia + forces, max(largest(inertia), largest(forces)))

    def jacobian(self, x: Array) -> CoupledJacobian:
        system, h, s = self._system, self._h, len(self._c)
        parts = []
        for j, each in enumerate(x):
            stiffness = np.zeros(system.pattern.nnz)
            system.potential.add_hessian(one_sample(each), stiffness)
            only = np.zeros((s, s))
            only[:, j] = self._A2[:, j]
            parts.append((h * h * only, stiffness))
        if system.dissipation.terms:
            for j, v in enumerate(self.velocities(x)):
                damping = np.zeros(system.pattern.nnz)
                system.dissipation.frozen.add_hessian(one_sample(v), damping)
                parts.append((h * np.outer(self._A2[:, j], self._inverse[j]), damping))
        return CoupledJacobian(tuple(parts))
