"""Explicit Runge-Kutta methods as tableaus: forward Euler (1), explicit midpoint (2), RK4 (4).

    k_i = f(t + c_i h, y0 + h sum_j a_ij k_j),  y1 = y0 + h sum_i b_i k_i,  y = (x, v), f = (v, a(x, v))
Stable only while h omega is small; forward Euler gains energy at any step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.integrators import INTEGRATORS
from supple.integrators.method import Method
from supple.types import Array


@dataclass(frozen=True)
class Tableau:
    """Strictly lower triangular `a`, weights `b`; the times c are the row sums of a."""

    order: int
    a: tuple[tuple[float, ...], ...]
    b: tuple[float, ...]

    def __post_init__(self) -> None:
        if abs(sum(self.b) - 1.0) > 1e-14 or any(len(row) != i for i, row in enumerate(self.a)):
            raise ValueError("not an explicit, consistent tableau")


class _RungeKutta(Method):
    tableau: ClassVar[Tableau]

    @property
    def freezes_at(self) -> float | None:
        return None

    @property
    def asks_at_states(self) -> bool:
        return True

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        slopes: list[tuple[Array, Array]] = []
        dissipative = np.zeros_like(state.v) if system.dissipation.terms else None
        for row, share in zip(self.tableau.a, self.tableau.b, strict=True):
            x, v = state.x.copy(), state.v.copy()
            for weight, (dx, dv) in zip(row, slopes, strict=True):
                x += h * weight * dx
                v += h * weight * dv
            inner = self.arrived(system, state.t + h * sum(row), x, v)
            slopes.append((inner.v, system.acceleration(inner)))
            if dissipative is not None:
                dissipative += share * system.dissipation.at(inner.x, inner.t, inner.v).gradient(inner.v)
        x, v = state.x.copy(), state.v.copy()
        for weight, (dx, dv) in zip(self.tableau.b, slopes, strict=True):
            x += h * weight * dx
            v += h * weight * dv
        return self.arrived(system, state.t + h, x, v), memory, StepReport(h, mean_dissipation=dissipative)


@INTEGRATORS("forward-euler")
@dataclass(frozen=True)
class ForwardEuler(_RungeKutta):
    """x1 = x0 + h v0, v1 = v0 + h a0: the first method of every textbook, and the first to blow up."""

    tableau: ClassVar[Tableau] = Tableau(1, ((),), (1.0,))

    @property
    def facts(self) -> Facts:
        return Facts(
            1,
            0,
            "none for undamped motion",
            "negative: gains energy",
            "only to demonstrate instability",
            ("linear momentum",),
        )


@INTEGRATORS("explicit-midpoint")
@dataclass(frozen=True)
class ExplicitMidpoint(_RungeKutta):
    """A half step, then a full step with the slope found there."""

    tableau: ClassVar[Tableau] = Tableau(2, ((), (0.5,)), (0.0, 1.0))

    @property
    def facts(self) -> Facts:
        return Facts(
            2,
            0,
            "weakly unstable for undamped motion",
            "slightly negative: gains energy",
            "for short runs",
            ("linear momentum",),
        )


@INTEGRATORS("rk4")
@dataclass(frozen=True)
class RK4(_RungeKutta):
    """The classical fourth-order method."""

    tableau: ClassVar[Tableau] = Tableau(4, ((), (0.5,), (0.0, 0.5), (0.0, 0.0, 1.0)), (1 / 6, 1 / 3, 1 / 3, 1 / 6))

    @property
    def facts(self) -> Facts:
        return Facts(
            4, 0, "h omega < 2.8", "tiny while stable", "for reference solutions at small steps", ("linear momentum",)
        )
