"""Diagonally implicit Runge-Kutta methods on x' = v, v' = a(x, v): one minimisation per implicit stage of a tableau.

    X = x0 + sum_j d_ij (x_j - x0) + e_i h v0,  V in the same way with a0 for v0,  k = a_ii h
    x_i = argmin 1/2 |x - (X + k V)|_M^2 + k^2 V(x),  v_i = (x_i - X)/k
The last stage is the new state, so stiff motion is damped (R = 0 at infinity). Damping that depends on the
configuration is frozen in the middle of the step, which limits the order to 2.
"""

from __future__ import annotations

from typing import ClassVar

from supple.dynamics.needs import MINIMISED, Need
from supple.dynamics.stage import Sample, Stage
from supple.dynamics.state import State
from supple.dynamics.step import Conserved, Facts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.integrators.implicit.tableau import StageRow, Tableau
from supple.integrators.method import Method
from supple.types import Array


class Dirk(Method):
    """A method is its tableau."""

    tableau: ClassVar[Tableau]
    choose: ClassVar[str]
    conserves: ClassVar[tuple[Conserved, ...]] = ("linear momentum",)

    @property
    def meets(self) -> frozenset[Need]:
        return MINIMISED

    @property
    def facts(self) -> Facts:
        return Facts(
            order=self.tableau.order,
            solves=len(self.tableau.stages),
            stability="unconditional (L-stable)",
            damping="of high frequencies, little of resolved motion",
            choose=self.choose,
            conserves=self.conserves,
        )

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        rows = self.tableau.stages
        a0 = system.acceleration(state) if any(row.e for row in rows) else None
        x, v, before = state.x, state.v, 0.0
        taken: list[tuple[Array, Array]] = []
        for row in rows:
            x, v = self._stage(row, state, a0, taken, h, x + (row.c - before) * h * v, tools)
            taken.append((x, v))
            before = row.c
        return self.arrived(system, state.t + h, x, v), memory, StepReport(h)

    @staticmethod
    def _stage(
        row: StageRow,
        state: State,
        a0: Array | None,
        taken: list[tuple[Array, Array]],
        h: float,
        start: Array,
        tools: Tools,
    ) -> tuple[Array, Array]:
        """Positions and velocities of one stage."""
        x0, v0, k = state.x, state.v, row.k.of(h)
        X, V = x0, v0
        for weight, (x, v) in zip(row.d, taken, strict=True):
            X, V = X + weight * (x - x0), V + weight * (v - v0)
        target, slope = X + k * V, None
        if a0 is not None and row.e:
            e = row.e * h
            target, slope = X + (k + e) * v0 + k * e * a0 + k * (V - v0), e / k * v0
        x = tools.minimise(
            Stage(
                time=state.t + row.c * h,
                target=target,
                positions=(Sample(k * k),),
                velocities=(Sample(k * k, 1 / k, -X / k if slope is None else -X / k - slope),),
                origin=taken[-1][0] if taken else x0,
                start=start,
            )
        ).x
        v = (x - X) / k
        return x, v if slope is None else v - slope
