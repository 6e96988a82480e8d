"""Gauss's method with two stages (Butcher 1964), order 4: fully implicit, symmetric, symplectic.

    a_j = -M^-1 [V'(x_j) + D'(v_j)],  x_i = x0 + h c_i v0 + h^2 sum_j (A^2)_ij a_j      (dynamics/coupled.py)
    x1 = x0 + h v0 + h^2 sum_j (b A)_j a_j,  v1 = v0 + h sum_j b_j a_j
Conserves quadratic invariants: both momenta, and the energy of linear bodies. Both stages are solved at once, as an
equation without a variational form: a nonsymmetric matrix of twice the size. Stiff nonlinear bodies may gain energy at
large steps. With damping that depends on the configuration, which is frozen in the middle of the step, the order is 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from supple.dynamics.coupled import CoupledStages
from supple.dynamics.needs import SMOOTH, Need
from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.integrators import INTEGRATORS
from supple.integrators.method import Method

R = math.sqrt(3.0) / 6.0
A = np.array([[1 / 4, 1 / 4 - R], [1 / 4 + R, 1 / 4]])
B = np.array([1 / 2, 1 / 2])


@INTEGRATORS("gauss4")
@dataclass(frozen=True)
class Gauss4(Method):
    """Fourth order, symplectic and symmetric, at the cost of one solve of both stages."""

    @property
    def meets(self) -> frozenset[Need]:
        return SMOOTH - {Need.WHOLE_BODY}

    @property
    def facts(self) -> Facts:
        return Facts(
            order=4,
            solves=1,
            stability="linear problems only",
            damping="none; stiff bodies may gain energy",
            choose="for accurate, well-resolved motion over long times",
            conserves=("energy of linear bodies", "linear momentum", "angular momentum"),
            symmetric=True,
        )

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        stages = CoupledStages(system, state, h, A)
        x = tools.coupled(stages)
        a = -stages.gradients(x) / system.mass[:, None]
        x1 = state.x + h * state.v + h * h * np.tensordot(B @ A, a, axes=1)
        new = self.arrived(system, state.t + h, x1, state.v + h * np.tensordot(B, a, axes=1))
        damping = stages.dissipative(x)
        mean = None if damping is None else np.tensordot(B, damping, axes=1)
        return new, memory, StepReport(h, mean_dissipation=mean)
