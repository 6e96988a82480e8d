"""Exponential Rosenbrock-Euler (ERE), order 2: u1 = u0 + h phi_1(h J) F(u0), phi_1(z) = (e^z - 1)/z, J = dF/du at u0.

Exact for linear systems, so no linear vibration is damped. phi_1 is applied by Krylov subspaces (linalg/exponential);
the cost grows with h omega_max, that is, with the square root of the stiffness and with mesh refinement.
Prescribed vertices are taken at the middle of the step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt, Le

from supple.dynamics.linear.linearised import Linearised
from supple.dynamics.needs import SMOOTH, Need
from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.integrators import INTEGRATORS
from supple.integrators.method import Method
from supple.integrators.phase import at, phase, slope
from supple.linalg.exponential import phi1_integral
from supple.types import Array


@INTEGRATORS("ere")
@dataclass(frozen=True)
class ERE(Method):
    """Exact for linear vibrations; expensive for stiff bodies."""

    tolerance: Annotated[float, Gt(0), Le(1e-2)] = 1e-12
    """Error of the exponential, relative to h F(u0) in the energy norm [-]."""
    basis: Annotated[int, Ge(4), Le(500)] = 40
    """Largest Krylov basis; beyond it the exponential is computed in substeps."""

    @property
    def meets(self) -> frozenset[Need]:
        return SMOOTH - {Need.WHOLE_BODY}

    @property
    def facts(self) -> Facts:
        return Facts(
            order=2,
            solves=0,
            stability="linear problems; violent motion may gain energy",
            damping="none for linear vibrations",
            choose="for soft bodies whose vibrations must not be damped",
            conserves=("energy of linear bodies", "linear momentum"),
        )

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        u0, middle = phase(state), state.t + h / 2
        linearised = tools.linearise(at(system, u0, middle))
        u1 = u0 + self._increment(linearised, slope(system, u0, middle), h)
        return self.arrived(system, state.t + h, *u1), memory, StepReport(h)

    def _increment(self, linearised: Linearised, F: Array, h: float) -> Array:
        """h phi_1(h J) F, computed in the variables (w sqrt(M) x, sqrt(M) v), in which J is nearly skew."""
        system = linearised.system
        root = np.sqrt(system.mass)[:, None]
        stiffest = linearised.stiffness[system.pattern.diagonal] / system.unknown_mass
        w = max(float(np.sqrt(np.max(np.abs(stiffest), initial=0.0))), 1.0 / abs(h))
        size = np.stack([w * root, root])

        def product(z: Array) -> Array:
            x, v = z.reshape(F.shape) / size
            out = np.empty_like(F)
            out[0] = w * root * v
            out[1] = -(linearised.stiff(x) + linearised.damp(v)) / root
            return out.ravel()

        return phi1_integral(product, (F * size).ravel(), h, self.tolerance, self.basis).value.reshape(F.shape) / size
