"""Quasi-static motion: at every time the body rests in the nearest minimum of its energy, without inertia.

x1 = argmin V(x) with prescribed vertices at their scripted positions, v1 = 0
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.dynamics.needs import MINIMISED, Need
from supple.dynamics.stage import Sample, Stage
from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.integrators import INTEGRATORS
from supple.integrators.method import Method


@INTEGRATORS("quasi-static")
@dataclass(frozen=True)
class QuasiStatic(Method):
    """A sequence of equilibria without a time scale."""

    @property
    def meets(self) -> frozenset[Need]:
        return MINIMISED - {Need.PROJECTION, Need.REPULSION}

    @property
    def facts(self) -> Facts:
        return Facts(
            order=0,
            solves=1,
            stability="unconditional",
            damping="total: there is no motion to damp",
            choose="for rest shapes under load and slow scripted motion",
            conserves=(),
        )

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        x1 = tools.minimise(
            Stage(
                time=state.t + h,
                target=state.x,
                positions=(Sample(1.0),),
                origin=state.x,
                start=state.x,
                inertia=0.0,
            )
        ).x
        return self.arrived(system, state.t + h, x1, np.zeros_like(x1)), memory, StepReport(h)
