"""Newmark(beta, gamma), the trapezoidal rule, and generalised-alpha: methods that carry an acceleration A.

Newmark:  y = x0 + h v0 + h^2 (1/2 - beta) A0,  x1 = argmin 1/2 |x - y|_M^2 + beta h^2 V(x),
          A1 = (x1 - y)/(beta h^2),  v1 = v0 + h ((1 - gamma) A0 + gamma A1).  (1/4, 1/2) is the trapezoidal rule.
Generalised-alpha (Chung and Hulbert 1993, midpoint form), rho = spectral radius at infinity:
          am = (2 rho - 1)/(rho + 1), af = rho/(rho + 1), gamma = 1/2 - am + af, beta = (1 - am + af)^2/4,
          x1 = argmin 1/2 |x - (y - k am A0)|_M^2 + k/(1 - af) V(af x0 + (1 - af) x),  k = beta h^2/(1 - am).
          rho = 1 is the implicit midpoint rule; Newmark is am = af = 0.
Order 2 (Newmark with gamma != 1/2: order 1). Stable for linear problems; stiff nonlinear bodies may gain energy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Gt, Le

from supple.dynamics.needs import MINIMISED, Need
from supple.dynamics.stage import Sample, Stage
from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.integrators import INTEGRATORS
from supple.integrators.method import Method


@dataclass(frozen=True)
class Coefficients:
    """Generalised-alpha in full; Newmark has am = af = 0."""

    beta: float
    gamma: float
    am: float = 0.0
    af: float = 0.0


class _Accelerated(Method):
    """Memory is the acceleration at the step's start."""

    @property
    def meets(self) -> frozenset[Need]:
        return MINIMISED

    @property
    def freezes_at(self) -> float | None:
        return 1 - self.coefficients.af  # where the force is evaluated

    @property
    def coefficients(self) -> Coefficients:
        raise TypeError(f"{type(self).__name__} does not define its coefficients")

    def start(self, system: System, state: State) -> Memory:
        return {"a": system.acceleration(state)}

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        c = self.coefficients
        x0, v0, a0 = state.x, state.v, memory["a"]
        y = x0 + h * v0 + h * h * (0.5 - c.beta) * a0
        k = c.beta * h * h / (1 - c.am)
        rate = (1 - c.af) * c.gamma / (c.beta * h)  # stage velocity = rate (x - z)
        z = y - (v0 + (1 - c.af) * (1 - c.gamma) * h * a0) / rate
        x1 = tools.minimise(
            Stage(
                time=state.t + h,
                target=y - k * c.am * a0,
                positions=(Sample(k, 1 - c.af, c.af * x0 if c.af else None),),
                velocities=(Sample(k, rate, -rate * z),),
                origin=x0,
                start=x0 + h * v0,
            )
        ).x
        a1 = system.on_free((x1 - y) / (c.beta * h * h))
        v1 = v0 + h * ((1 - c.gamma) * a0 + c.gamma * a1)
        return self.arrived(system, state.t + h, x1, v1), {"a": a1}, StepReport(h)


@INTEGRATORS("newmark")
@dataclass(frozen=True)
class Newmark(_Accelerated):
    """The classic of structural dynamics."""

    beta: Annotated[float, Gt(0), Le(0.5)] = 0.25
    """Weight of the new acceleration in the position [-]."""
    gamma: Annotated[float, Ge(0.5), Le(1)] = 0.5
    """Weight of the new acceleration in the velocity; above 1/2 it damps and the order drops to 1 [-]."""

    @property
    def coefficients(self) -> Coefficients:
        return Coefficients(self.beta, self.gamma)

    @property
    def facts(self) -> Facts:
        return Facts(
            order=2 if self.gamma == 0.5 else 1,
            solves=1,
            stability="linear problems only",
            damping="none with gamma = 1/2; stiff bodies may gain energy",
            choose="for comparison with structural codes",
            conserves=("energy of linear bodies", "linear momentum") if self.gamma == 0.5 else ("linear momentum",),
        )


@INTEGRATORS("generalized-alpha")
@dataclass(frozen=True)
class GeneralizedAlpha(_Accelerated):
    """Newmark with adjustable damping of the highest frequencies."""

    rho: Annotated[float, Ge(0), Le(1)] = 0.5
    """Remaining fraction of the highest frequencies after one step: 1 undamped, 0 fully damped [-]."""

    @property
    def coefficients(self) -> Coefficients:
        am, af = (2 * self.rho - 1) / (self.rho + 1), self.rho / (self.rho + 1)
        return Coefficients((1 - am + af) ** 2 / 4, 0.5 - am + af, am, af)

    @property
    def facts(self) -> Facts:
        return Facts(
            order=2,
            solves=1,
            stability="linear problems only",
            damping="of high frequencies, set by rho; stiff bodies may gain energy",
            choose="for moderate steps, when only the highest frequencies should be damped",
            conserves=("linear momentum",),
        )


@INTEGRATORS("trapezoid")
@dataclass(frozen=True)
class Trapezoid(Method):
    """Trapezoidal rule; the same as Newmark(1/4, 1/2), with the acceleration recomputed in every step."""

    @property
    def meets(self) -> frozenset[Need]:
        return MINIMISED

    @property
    def facts(self) -> Facts:
        return Facts(
            order=2,
            solves=1,
            stability="linear problems only",
            damping="none; stiff bodies may gain energy",
            choose="for well-resolved motion",
            conserves=(
                "energy of linear bodies",
                "linear momentum",
            ),
            symmetric=True,
        )

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        x0, v0 = state.x, state.v
        x1 = tools.minimise(
            Stage(
                time=state.t + h,
                target=x0 + h * v0 + h * h / 4 * system.acceleration(state),
                positions=(Sample(h * h / 4),),
                velocities=(Sample(h * h / 4, 2 / h, -(2 / h) * x0 - v0),),
                origin=x0,
                start=x0 + h * v0,
            )
        ).x
        return self.arrived(system, state.t + h, x1, 2 * (x1 - x0) / h - v0), memory, StepReport(h)
