"""Semi-implicit methods: one Newton step of an implicit method, without iteration. u = (x, v), u' = F(u), J = dF/du.

SI (Baraff and Witkin 1998), order 1:  u1 = u0 + (I - h J)^-1 h F(u0)
SBDF2, order 2, r = h / previous h, b = r^2/(1 + 2r), k = h (1 + r)/(1 + 2r):
    u1 = u0 + (I - k J)^-1 (b (u0 - u_-1) + k F(u0)); the first step is STR-SBDF2
STR-SBDF2 (g = 1/2) and S-SDIRK (g = 2 - sqrt(2)), order 2, t = g h/2, w = 1/(g (2 - g)), k = h (1 - g)/(2 - g):
    ug = u0 + (I - t J0)^-1 2t F(u0),  u1 = ug + (I - k Jg)^-1 ((w - 1)(ug - u0) + k F(ug))
    S-SDIRK has t = k and keeps J0 in its second stage: one factorisation per step.
Every (I - c J)^-1 is one symmetric solve with M + c D'' + c^2 K. There is no line search, so a step that is much too
long for the motion can overshoot and gain energy; a smaller h or an implicit method is then required.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from supple.dynamics.needs import SMOOTH, Need
from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.integrators import INTEGRATORS
from supple.integrators.implicit.tableau import Tableau
from supple.integrators.implicit.tr_bdf2 import SDIRK2, TRBDF2
from supple.integrators.method import Method, TwoStep
from supple.integrators.phase import implicit, phase, slope


@INTEGRATORS("si")
@dataclass(frozen=True)
class SemiImplicit(Method):
    """One linear solve per step: the classic of cloth animation."""

    @property
    def meets(self) -> frozenset[Need]:
        return SMOOTH - {Need.WHOLE_BODY}

    @property
    def facts(self) -> Facts:
        return Facts(
            order=1,
            solves=1,
            stability="linear problems; violent motion may overshoot",
            damping="strong, as in backward Euler",
            choose="for cheap, calm motion",
            conserves=("linear momentum",),
        )

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        u0, t1 = phase(state), state.t + h
        u1 = u0 + implicit(system, u0, t1, h, tools)(h * slope(system, u0, t1))
        new = self.arrived(system, t1, *u1)
        return new, memory, StepReport(h, mean_dissipation=self.dissipative_force(system, new.v))


@INTEGRATORS("str-sbdf2")
@dataclass(frozen=True)
class STRSBDF2(Method):
    """TR-BDF2 with one Newton step per stage."""

    tableau: ClassVar[Tableau] = TRBDF2.tableau
    frozen: ClassVar[bool] = False

    @property
    def meets(self) -> frozenset[Need]:
        return SMOOTH - {Need.WHOLE_BODY}

    @property
    def facts(self) -> Facts:
        return Facts(
            order=2,
            solves=2,
            stability="linear problems; violent motion may overshoot",
            damping="of high frequencies, little of resolved motion",
            choose="for accurate motion at a known cost per step",
            conserves=("linear momentum",),
        )

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        u0, t1 = phase(state), state.t + h
        one, two = self.tableau.stages
        t, k, (w,) = one.k.of(h), two.k.of(h), two.d
        middle = state.t + one.c * h
        first = implicit(system, u0, middle, t, tools)
        ug = u0 + first(t * (slope(system, u0, state.t) + slope(system, u0, middle)))
        second = first if self.frozen else implicit(system, ug, t1, k, tools)
        u1 = ug + second((w - 1) * (ug - u0) + k * slope(system, ug, t1))
        return self.arrived(system, t1, *u1), memory, StepReport(h)


@INTEGRATORS("s-sdirk")
@dataclass(frozen=True)
class SSDIRK(STRSBDF2):
    """SDIRK with one Newton step per stage, and one factorisation for both."""

    tableau: ClassVar[Tableau] = SDIRK2.tableau
    frozen: ClassVar[bool] = True


@INTEGRATORS("sbdf2")
@dataclass(frozen=True)
class SBDF2(TwoStep):
    """BDF2 with one Newton step: second order for one linear solve."""

    @property
    def meets(self) -> frozenset[Need]:
        return SMOOTH - {Need.WHOLE_BODY}

    @property
    def facts(self) -> Facts:
        return Facts(
            order=2,
            solves=1,
            stability="linear problems; violent motion may overshoot",
            damping="moderate, grows with the step",
            choose="for second order at the cost of one linear solve",
            conserves=("linear momentum",),
        )

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        u0, t1 = phase(state), state.t + h
        now = {"x": state.x, "v": state.v, "h": np.array(h)}
        if not memory:
            new, _, report = STRSBDF2().step(system, state, memory, h, tools)
            return new, now, report
        r = h / float(memory["h"])
        b, k = r * r / (1 + 2 * r), h * (1 + r) / (1 + 2 * r)
        u_1 = np.stack([memory["x"], memory["v"]])
        past = u0 - u_1
        u1 = u0 + implicit(system, u0, t1, k, tools)(b * past + k * slope(system, u0, t1))
        return self.arrived(system, t1, *u1), now, StepReport(h)
