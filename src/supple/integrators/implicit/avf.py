"""Average Vector Field (Rojas, Liu and Kavan 2018 in this form), order 2, conserves energy.

With a rule of nodes c_q and weights w_q on [0, 1]:
    y = x0 + h v0 + (h^2/2) w_0 a(x0)          (the last term only for a node at 0)
    x1 = argmin 1/2 |x - y|_M^2 + sum_{c_q > 0} (h^2 w_q / (2 c_q)) V((1 - c_q) x0 + c_q x),  v1 = 2 (x1 - x0)/h - v0
Any stationary point satisfies H1 - H0 = V1 - V0 - (mean of grad V by the rule) . (x1 - x0), which vanishes when the rule
integrates grad V exactly along the step: Gauss-s for forces of degree 2s - 1, Lobatto-s for 2s - 3 (Simpson is
Lobatto-3). A residual r of the solve appears as H1 - H0 = (2/h^2) (x1 - x0) . r. Angular momentum is conserved to
second order only. Constraints act along the mean of their gradients over the step, so they do no work.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Gt, Le

from supple.dynamics.needs import MINIMISED, Need
from supple.dynamics.path import Path, curved, smooth
from supple.dynamics.stage import EnergyStop, Sample, Stage
from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.errors import QuadratureTooCoarse
from supple.integrators import INTEGRATORS
from supple.integrators.implicit.avf_contact import End, TouchingStep
from supple.integrators.implicit.avf_held import HeldStep
from supple.integrators.method import KEPT, Method, keeps_books
from supple.linalg.quadrature import Rule, gauss, lobatto
from supple.linalg.reduce import dot
from supple.types import Array
from supple.values import Check
from supple.wording import in_digits


def rule_name(name: str) -> str:
    """auto, simpson, gauss-S or lobatto-S with S from 1 (2) to 64; otherwise a ValueError."""
    family, _, count = name.partition("-")
    smallest = {"gauss": 1, "lobatto": 2}.get(family)
    if name in {"auto", "simpson"} or (smallest and smallest <= in_digits(count) <= 64):
        return name
    raise ValueError(f"found '{name}'; known: auto, simpson, gauss-2, gauss-3, ..., lobatto-3, ...")


def named_rule(name: str) -> Rule:
    """The quadrature rule of that name."""
    if name == "simpson":
        return lobatto(3)
    family, _, count = name.partition("-")
    return gauss(int(count)) if family == "gauss" else lobatto(int(count))


@INTEGRATORS("avf")
@dataclass(frozen=True)
class AVF(Method):
    """Conserves energy at any step size: undamped motion at one step per frame."""

    rule: Annotated[str, Check(rule_name)] = "auto"
    """Quadrature: auto, simpson, gauss-S or lobatto-S; auto is exact for polynomial materials and adapts for others."""
    tolerance: Annotated[float, Gt(0), Le(1e-3)] = 1e-11
    """With auto: permitted energy error of the quadrature per step, relative to the total [-]."""
    max_points: Annotated[int, Ge(2), Le(64)] = 24
    """With auto: largest Gauss rule before the step is halved."""

    polish: bool = True
    """After a step with curved contact, integrate the contact exactly too (a few nonsymmetric solves)."""

    passes: Annotated[int, Ge(1), Le(10)] = 3
    """With friction: number of solves per step, each with the normal forces of the previous one."""

    stick: Literal["mean", "end"] = "mean"
    """Velocity used by friction where a contact sticks at the start of the step. The mean never adds energy, but lets bodies
    at rest vibrate. The end velocity stops them immediately."""

    predictor: Literal["coast", "target", "kick", "stay"] = "coast"
    """Start of the solve of a step: x0 + h v0; the target y of the inertia term, which adds the force of nodes at x0;
    x0 + h v0 + h^2/2 a(x0); or x0. This affects the iterations, not the result."""

    @property
    def meets(self) -> frozenset[Need]:
        return MINIMISED | {Need.CONSTRAINTS}

    @property
    def facts(self) -> Facts:
        return Facts(
            order=2,
            solves=1,
            stability="unconditional, by conserved energy",
            damping="none: energy conserved to round-off",
            choose="by default: undamped motion at any step, dissipation only where specified",
            conserves=(
                "energy",
                "energy of linear bodies",
                "linear momentum",
            ),
            symmetric=True,
        )

    @property
    def sticks_at_end(self) -> bool:
        return self.stick == "end"

    @property
    def relaxed(self) -> AVF:
        free = copy(self)
        object.__setattr__(free, "tolerance", math.inf)  # not available to users
        return free

    def promises(self, system: System) -> float | None:
        exact = self.rule == "auto" and (self.polish or not curved(system.potential).terms)
        return KEPT if exact and keeps_books(system) else None

    def start(self, system: System, state: State) -> Memory:
        return {"points": np.array(3.0)} if self._adapts(system) else {}

    def replayed(self, memory: Memory, samples: Sequence[int]) -> Memory:
        return {"points": np.array(float(samples[-1]))} if "points" in memory and samples else memory

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        if not self._adapts(system):
            rule = self._exact_rule(system) if self.rule == "auto" else named_rule(self.rule)
            new, end = self._solve(system, state, h, tools, rule)
            mean = end.means.mean_gradient(new.x) if system.motion.moves else None
            return new, memory, self._report(state, h, end, mean)
        return self._adaptive(system, state, int(memory["points"]), h, tools)

    def _adapts(self, system: System) -> bool:
        return self.rule == "auto" and smooth(system.potential).degree is None

    @staticmethod
    def _exact_rule(system: System) -> Rule:
        degree = smooth(system.potential).degree or 0
        return gauss(max(1, (degree + 1) // 2))  # force of degree d - 1 <= 2s - 1

    def _adaptive(
        self, system: System, state: State, points: int, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        """Raise the order of the rule until the energy error of the step is small; each solve starts from the previous result."""
        before = tools.energies(state)
        start = None
        while True:
            rule = gauss(points)
            new, end = self._solve(system, state, h, tools, rule, start)
            after = tools.energies(new)
            mean = end.means.mean_gradient(new.x)
            change = (after.total - after.kinetic) - (before.total - before.kinetic)
            seen = mean
            if curved(system.potential).terms:  # the error of the contact rule is not due to this rule
                seen = Path(smooth(system.potential), state.x, rule).mean_gradient(new.x)
                change = _change(system, state.x, new.x)
            missed = abs(change - dot(seen, new.x - state.x))
            allowed = self.tolerance * max(before.scale, after.scale)
            if missed <= allowed:
                fewer = points > 2 and missed <= 1e-3 * allowed
                return new, {"points": np.array(float(points - fewer))}, self._report(state, h, end, mean)
            if points >= self.max_points:
                raise QuadratureTooCoarse(
                    f"even Gauss-{points} has an energy error of {missed:.1e} J of {before.scale:.1e} J in one step of {h:g} s"
                )
            points = min(points + 1 + points // 4, self.max_points)
            start = new.x

    def _solve(
        self, system: System, state: State, h: float, tools: Tools, rule: Rule, start: Array | None = None
    ) -> tuple[State, End]:
        """The new state and its report; without a `start` the search begins at the predictor."""
        x0, v0 = state.x, state.v
        path = Path(system.potential, x0, rule)
        target = x0 + h * v0 - h * h / 2 * path.at_start() / system.mass[:, None]
        stage = Stage(
            time=state.t + h,
            target=target,
            positions=(),
            parts=path.parts(h * h / 2),
            velocities=(Sample(h * h / 2, 1 / h, -x0 / h),),
            origin=x0,
            start=self._predicted(system, state, h, target) if start is None else start,
            energy_stop=EnergyStop(x0, 2 / (h * h), tools.energy_tolerance * tools.energies(state).scale),
        )
        if system.constraints:
            end = HeldStep(state, h, tools, stage, self.passes, self.polish).taken(system, path)
        elif system.dissipation.freezes_again or curved(system.potential).terms:
            end = TouchingStep(state, h, tools, stage, self.passes, self.polish).taken(system, path)
        else:
            end = End(tools.minimise(stage).x, system, path)
        v1 = 2 * (end.x - x0) / h - v0 if end.v is None else end.v
        return self.arrived(end.system, state.t + h, end.x, v1), end

    def _predicted(self, system: System, state: State, h: float, target: Array) -> Array:
        """Start of the search for the new positions."""
        if self.predictor == "target":
            return target
        if self.predictor == "stay":
            return state.x
        coast = state.x + h * state.v
        if self.predictor == "coast":
            return coast
        return coast - h * h / 2 * system.on_free(system.potential.gradient(state.x)) / system.mass[:, None]

    def _report(self, state: State, h: float, end: End, mean: Array | None) -> StepReport:
        """With grad D of the mean velocity."""
        mean_dissipation = self.dissipative_force(end.system, (end.x - state.x) / h)
        return StepReport(h, mean, mean_dissipation, end.reaction, worked_after=end.worked)


def _change(system: System, x0: Array, x1: Array) -> float:
    """Change of the potential energy of the terms that the method's rule integrates [J]."""
    before, after = (sum(smooth(system.potential).by_group(x).values()) for x in (x0, x1))
    return after - before
