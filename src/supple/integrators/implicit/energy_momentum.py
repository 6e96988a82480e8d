"""Energy-momentum methods: Simo and Tarnow 1992, Gonzalez 1996 and 2000. Order 2, symmetric, energy-conserving.

    M (x - x0 - h v0) + h^2/2 gbar(x0, x) = 0,  v1 = 2 (x1 - x0)/h - v0
conserves energy if gbar . (x1 - x0) = V(x1) - V(x0). The gradient D'((x - x0)/h) of the dissipation is added to gbar.

simo-tarnow: every element's gbar is computed from its mean strain (energies/solids/strain_form.py, springs/springs.py),
which also conserves linear and angular momentum. gonzalez: one gbar for the whole system, with a metric W (mass or
identity) and d = x - x0, m = (x0 + x)/2:
    gbar = V'(m) + alpha W d,  alpha = [V(x) - V(x0) - V'(m) . d]/(d . W d)
The part along W d exerts forces and torques: neither momentum is conserved while bodies move.

There is no objective to minimise, the Jacobians are not symmetric, and at large steps a root may not be found. Such a
step is taken in 2, 4, ... substeps and, if these do not converge either, by AVF, which conserves energy only. The
step's note reports this.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Le

from supple.dynamics.equation import MeanForceEquation, MeanGradient
from supple.dynamics.mean_gradient import ElementMean, WholeMean
from supple.dynamics.needs import MINIMISED, Need
from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.errors import StepRejected
from supple.integrators import INTEGRATORS
from supple.integrators.implicit.avf import AVF
from supple.integrators.method import KEPT, Method, keeps_books
from supple.integrators.pieces import take_pieces
from supple.types import Array


@dataclass(frozen=True)
class _OneStep(Method):
    """A single step; raises if it does not converge."""

    method: EnergyMomentum

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        mean = self.method.mean(system, state.x)
        x1 = tools.root(MeanForceEquation(system, state, h, mean))
        new = self.arrived(system, state.t + h, x1, 2 * (x1 - state.x) / h - state.v)
        gradient = sum(mean.parts(x1), np.zeros_like(x1)) if system.motion.moves else None
        middle = 0.5 * (state.x + x1)
        at_middle = (
            system.moved(middle, x1) if system.dissipation.follows or system.dissipation.freezes_again else system
        )
        return new, memory, StepReport(h, gradient, self.dissipative_force(at_middle, (x1 - state.x) / h))


@dataclass(frozen=True)
class EnergyMomentum(Method):
    """The common part of both methods: the step, and the fallback when it does not converge."""

    halvings: Annotated[int, Ge(0), Le(6)] = 2
    """How often a step that does not converge is halved before AVF takes over."""

    @property
    def meets(self) -> frozenset[Need]:
        return MINIMISED - {Need.WHOLE_BODY}

    def promises(self, system: System) -> float | None:
        return KEPT if keeps_books(system) else None

    def mean(self, system: System, x0: Array) -> MeanGradient:
        """gbar(x0, .)."""
        raise TypeError(f"{type(self).__name__} does not define its mean gradient")

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        once = _OneStep(self)
        try:
            return once.step(system, state, memory, h, tools)
        except StepRejected:
            trouble = f"t = {state.t:g} s: {self.name} did not converge, taken"
        for pieces in (2**k for k in range(1, self.halvings + 1)):
            try:
                new, memory, report = take_pieces(system, once, state, memory, [h / pieces] * pieces, tools)
            except StepRejected:
                continue
            return new, memory, replace(report, note=f"{trouble} in {pieces} steps")
        avf = AVF()
        new, _, report = avf.step(system, state, avf.start(system, state), h, tools)
        return new, memory, replace(report, note=f"{trouble} with {avf.name}")


@INTEGRATORS("simo-tarnow")
@dataclass(frozen=True)
class SimoTarnow(EnergyMomentum):
    """Conserves energy, linear and angular momentum at any step that converges."""

    @property
    def facts(self) -> Facts:
        return Facts(
            order=2,
            solves=1,
            stability="by conserved energy, where the step converges; otherwise AVF is used",
            damping="none: energy conserved to round-off",
            choose="for free flight and spin, where angular momentum matters as much as energy",
            conserves=("energy", "energy of linear bodies", "linear momentum", "angular momentum"),
            symmetric=True,
        )

    def mean(self, system: System, x0: Array) -> MeanGradient:
        return ElementMean(system, x0)


@INTEGRATORS("gonzalez")
@dataclass(frozen=True)
class Gonzalez(EnergyMomentum):
    """Conserves the energy of any potential by one correction along the step, at the cost of both momenta."""

    metric: Literal["mass", "identity"] = "mass"
    """W, the metric in which the correction is smallest."""

    @property
    def facts(self) -> Facts:
        return Facts(
            order=2,
            solves=1,
            stability="by conserved energy, where the step converges; otherwise AVF is used",
            damping="none: energy conserved to round-off",
            choose="for comparison with simo-tarnow and avf",
            conserves=("energy", "energy of linear bodies"),
            symmetric=True,
        )

    @property
    def meets(self) -> frozenset[Need]:
        return super().meets - {Need.SURFACES}

    def mean(self, system: System, x0: Array) -> MeanGradient:
        return WholeMean(system, x0, system.mass if self.metric == "mass" else np.ones(system.n))
