"""Hybrids of an exponential and an implicit method (after Chen, Sheen, Ascher and Pai 2020, and Ascher et al. 2021).

The low modes of a body (G, see splitting) follow an exponential, everything else (H) a stiffly stable method:
    u1 = y + k H(u1),  with the low modes' own motion already in y; flow(t) = t phi_1(t J_G) G(u)
    Euler  (SIERE, BEERE):             y = u0 + flow(h),                                    k = h,               about u0
    BDF2   (SBDF2ERE, BDF2ERE):        y = u0 + b (u0 - u_-1) + flow(h) + b flow(-h_-1),    k = h (1+r)/(1+2r),  about u0
    TR-BDF2 (STR-SBDF2ERE, TR-BDF2ERE): y = ug + (ug - u0)/3 + flow(h)/3,                   k = h/3,             about ug
with r = h/h_-1, b = r^2/(1+2r), and ug the trapezoidal half step of the whole F. The semi-implicit ones solve once,
    u1 = u + (I - k J_H)^-1 (y - u + k H(u)),  u the state they are about (SIERE: y + (I - h J_H)^-1 h H(u0));
the others minimise 1/2 |x - y_x - k (I-P) y_v|_M^2 + k^2 V(x) with X^T M x = X^T M y_x,  v1 = P y_v + (x - y_x)/k,
where outdated modes, or damping that couples modes, add k P J (I - P) d to y, d the last increment of u: without it the
order is 1. Published forms of the BDF2 and TR-BDF2 hybrids use phi_1(h J_G) and phi_1(h/2 J_G) G in place of these
flows; they are of order 1 and grow without bound, as the tests show. TR-BDF2 hybrids need h omega < 4.57 for every
exponential mode: faster ones are left to the implicit part.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np
from annotated_types import Ge, Gt, Le

from supple.dynamics.linear.modes import ritz_modes
from supple.dynamics.needs import SMOOTH, Need
from supple.dynamics.stage import ModalEqualities, Sample, Stage
from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.integrators import INTEGRATORS
from supple.integrators.exponential.splitting import Splitting
from supple.integrators.method import Method, TwoStep
from supple.integrators.phase import at, implicit, phase, slope
from supple.types import Array

FASTEST = 4.5
"""h omega up to which the TR-BDF2 hybrids treat a mode exponentially; they are stable up to 4.578."""


@dataclass(frozen=True)
class _Hybrid(Method):
    """The common part of the six hybrids; they differ in y and k, and in the solve for u1."""

    modes: Annotated[int, Ge(1)] = 10
    """Number of low modes that follow their exponential."""
    refresh: Literal["step", "interval", "residual"] = "step"
    """When modes are recomputed: every step, every `interval` steps, or once they fit the stiffness too poorly."""
    interval: Annotated[int, Ge(1)] = 10
    """With refresh = interval: steps between two mode computations."""
    residual: Annotated[float, Gt(0), Le(1)] = 0.1
    """With refresh = residual: largest |K X - M X Lambda| / |K X| before modes are recomputed [-]."""

    minimises: ClassVar[bool]
    """Whether the rest is implicit, by minimisation, or semi-implicit, by one linear solve."""
    from_flow: ClassVar[bool] = False
    """Whether the semi-implicit solve starts from y instead of u: the same for true modes, but not for outdated ones."""

    @property
    def meets(self) -> frozenset[Need]:
        return SMOOTH - {Need.WHOLE_BODY}

    def _split(
        self, system: System, u: Array, t: float, memory: Memory, tools: Tools
    ) -> tuple[Splitting, dict[str, Array]]:
        """The splitting about u, and its part of the memory."""
        linearised = tools.linearise(at(system, u, t))
        age = int(memory["age"]) if len(memory.get("modes", ())) else -1  # a body without modes has none to keep
        if age >= 0 and not (self.refresh == "interval" and age >= self.interval):
            ritz = ritz_modes(linearised, memory["modes"])
            if self.refresh == "interval" or ritz.residual <= self.residual:
                kept = {"modes": memory["modes"], "age": np.array(age + 1.0)}
                return Splitting.of_ritz(linearised, ritz), kept
        modes = tools.modes(linearised, self.modes)
        fresh = {} if self.refresh == "step" else {"modes": modes.vectors, "age": np.array(1.0)}
        return Splitting(linearised, modes), fresh

    def _solve(
        self, system: System, about: Array, y: Array, k: float, t: float, split: Splitting, tools: Tools
    ) -> State:
        """u1 = y + k H(u1)."""
        if self.minimises:
            return self._minimise(system, about, y, k, t, split, tools)
        F = slope(system, about, t)
        base = y if self.from_flow else about
        u1 = base + split.implicit(k, tools)(y - base + k * (F - split.low(F)))
        return self.arrived(system, t, *u1)

    def _minimise(
        self, system: System, about: Array, y: Array, k: float, t: float, split: Splitting, tools: Tools
    ) -> State:
        low = split.low(y[1])
        x1 = tools.minimise(
            Stage(
                time=t,
                target=y[0] + k * (y[1] - low),
                positions=(Sample(k * k),),
                velocities=(Sample(k * k, 1 / k, low - y[0] / k),),
                origin=about[0],
                start=y[0] + k * (y[1] - low),
                equalities=ModalEqualities(split.modes.vectors, split.coordinates(y[0])),
            )
        ).x
        return self.arrived(system, t, x1, low + (x1 - y[0]) / k)

    def _facts(self, order: int, solves: int, damping: str, choose: str) -> Facts:
        stability = (
            "unconditional except for the modes" if self.minimises else "linear problems; violent motion may overshoot"
        )
        return Facts(order, solves, stability, damping, choose, ("linear momentum",))


@dataclass(frozen=True)
class _EulerHybrid(_Hybrid):
    from_flow: ClassVar[bool] = True  # SIERE from u gained energy with modes ten steps old; this loses some

    @property
    def facts(self) -> Facts:
        choose = "for stiff bodies whose low modes must persist, at one linear solve per step"
        if self.minimises:
            choose = "as siere, where violent motion needs a minimisation"
        return self._facts(1, 1, "none for the low modes, strong for the rest", choose)

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        u0, t1 = phase(state), state.t + h
        split, kept = self._split(system, u0, t1, memory, tools)
        y = u0 + split.flow(slope(system, u0, t1), h)
        return self._solve(system, u0, y, h, t1, split, tools), kept, StepReport(h)


@dataclass(frozen=True)
class _TrapezoidHybrid(_Hybrid):
    @property
    def facts(self) -> Facts:
        choose = "for comparison; str-sbdf2 damps less" if not self.minimises else "for comparison; tr-bdf2 damps less"
        return self._facts(2, 2, "of high frequencies; slight for the low modes", choose)

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        u0, t1 = phase(state), state.t + h
        ug = self._half(system, state, h, tools)
        split, kept = self._split(system, ug, t1, memory, tools)
        split = split.below(FASTEST / abs(h))
        y = ug + (ug - u0 + split.flow(slope(system, ug, t1), h)) / 3
        if self.minimises:
            y += h / 3 * split.coupling(ug - u0)
        return self._solve(system, ug, y, h / 3, t1, split, tools), kept, StepReport(h)

    def _half(self, system: System, state: State, h: float, tools: Tools) -> Array:
        """The trapezoidal rule over half the step."""
        u0, middle, t = phase(state), state.t + h / 2, h / 4
        before = slope(system, u0, state.t)
        if not self.minimises:
            return u0 + implicit(system, u0, middle, t, tools)(t * (before + slope(system, u0, middle)))
        x0, v0 = state.x, state.v
        x = tools.minimise(
            Stage(
                time=middle,
                target=x0 + 2 * t * v0 + t * t * before[1],
                positions=(Sample(t * t),),
                velocities=(Sample(t * t, 1 / t, -x0 / t - v0),),
                origin=x0,
                start=x0 + 2 * t * v0,
            )
        ).x
        return np.stack([x, (x - x0) / t - v0])


@dataclass(frozen=True)
class _Bdf2Hybrid(TwoStep, _Hybrid):
    starter: ClassVar[type[_TrapezoidHybrid]]

    @property
    def facts(self) -> Facts:
        choose = "for second order and undamped low modes at the cost of one solve"
        return self._facts(2, 1, "none for the low modes, moderate for the rest", choose)

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        u0, t1 = phase(state), state.t + h
        now = {"x": state.x, "v": state.v, "h": np.array(h)}
        if not memory:
            starter = self.starter(self.modes, self.refresh, self.interval, self.residual)
            new, kept, report = starter.step(system, state, memory, h, tools)
            return new, now | kept, report
        split, kept = self._split(system, u0, t1, memory, tools)
        before = float(memory["h"])
        r = h / before
        b, k = r * r / (1 + 2 * r), h * (1 + r) / (1 + 2 * r)
        F = slope(system, u0, t1)
        past = u0 - np.stack([memory["x"], memory["v"]])
        y = u0 + b * past + split.flow(F, h) + b * split.flow(F, -before)
        if self.minimises:
            y += k * split.coupling(r * past)
        return self._solve(system, u0, y, k, t1, split, tools), now | kept, StepReport(h)


@INTEGRATORS("siere")
@dataclass(frozen=True)
class SIERE(_EulerHybrid):
    """Low modes exponential, the rest semi-implicit Euler."""

    minimises: ClassVar[bool] = False


@INTEGRATORS("beere")
@dataclass(frozen=True)
class BEERE(_EulerHybrid):
    """Low modes exponential, the rest backward Euler."""

    minimises: ClassVar[bool] = True


@INTEGRATORS("str-sbdf2-ere")
@dataclass(frozen=True)
class STRSBDF2ERE(_TrapezoidHybrid):
    """STR-SBDF2 whose second stage treats the low modes exponentially."""

    minimises: ClassVar[bool] = False


@INTEGRATORS("tr-bdf2-ere")
@dataclass(frozen=True)
class TRBDF2ERE(_TrapezoidHybrid):
    """TR-BDF2 whose second stage treats the low modes exponentially."""

    minimises: ClassVar[bool] = True


@INTEGRATORS("sbdf2-ere")
@dataclass(frozen=True)
class SBDF2ERE(_Bdf2Hybrid):
    """Low modes exponential, the rest SBDF2."""

    minimises: ClassVar[bool] = False
    starter: ClassVar[type[_TrapezoidHybrid]] = STRSBDF2ERE


@INTEGRATORS("bdf2-ere")
@dataclass(frozen=True)
class BDF2ERE(_Bdf2Hybrid):
    """Low modes exponential, the rest BDF2."""

    minimises: ClassVar[bool] = True
    starter: ClassVar[type[_TrapezoidHybrid]] = TRBDF2ERE
