"""Error control: any one-step method with steps as long as its error permits, estimated by step doubling.

One step of dt and two of dt/2 end at x1 and x2; e = |x2 - x1|/(2^p - 1), with the order p, estimates the error of the
two half steps, which are kept. Norms are mass-weighted root mean squares. A step is accepted if
    rate = e/(L dt) <= tolerance
with the size L of the bodies; otherwise a shorter step is tried. Errors relative to L thus add up to about the
tolerance times the elapsed time, if the motion neither damps nor amplifies them. The next step is (PI control,
Gustafsson 1991)
    dt (aim/rate)^(0.7/p) (last rate/aim)^(0.4/p),  at least dt/5 and at most 2 dt,  aim = 0.8 tolerance

Limits: each accepted step costs three solves for two steps of motion. The symmetry of a reversible method is lost, so
its energy may drift as far as the tolerance permits. A velocity jump (projection, impulses) counts as an error and
shortens the steps.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Gt

from supple.dynamics import ledger
from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.errors import StepRejected, SuppleError
from supple.integrators.method import Method, TwoStep
from supple.integrators.pieces import joined
from supple.integrators.wrapper import Wrapper, inside, outside
from supple.linalg.reduce import dot
from supple.types import Array

AIM, FAST, SLOW = 0.8, 0.7, 0.4
SHORTER, LONGER = 0.2, 2.0
QUIET = 1e-4
"""Errors below this fraction of the tolerance do not indicate how much longer a step could be."""
TRIES = 200
SHORTEST, LONGEST = 1e-4, 16.0
"""Default limits of the steps, relative to time.step."""


@dataclass(frozen=True)
class ErrorControl(Wrapper):
    """Any one-step method, with steps as long as its error permits."""

    name: ClassVar[str] = "error-control"
    table_key: ClassVar[str] = "adaptive"

    of: Method
    """The method that takes the steps."""
    tolerance: Annotated[float, Gt(0)] = 1e-3
    """Permitted error per second of motion, relative to the size of the bodies [1/s]."""
    h_min: Annotated[float, Gt(0)] | None = None
    """Shortest step, accepted whatever its error; 1e-4 times time.step if not given [s]."""
    h_max: Annotated[float, Gt(0)] | None = None
    """Longest step; 16 times time.step if not given [s]."""

    def __post_init__(self) -> None:
        why = ""
        if isinstance(self.of, TwoStep):
            why = "uses the previous step, which would have a different length; take tr-bdf2"
        elif self.of.facts.order == 0:
            why = "has no time scale"
        elif self.of.adapts:
            why = "chooses its steps itself"
        if why:
            raise SuppleError(f"integrator.adaptive: found '{self.of.name}', which {why}")
        if not self.tolerance > 0.0:
            raise SuppleError(f"integrator.adaptive.tolerance: found {self.tolerance}; allowed are positive numbers")
        if self.h_min is not None and self.h_max is not None and self.h_min > self.h_max:
            raise SuppleError(f"integrator.adaptive.h_min: found {self.h_min:g}, above h_max = {self.h_max:g}")

    @property
    def adapts(self) -> bool:
        return True

    @property
    def facts(self) -> Facts:
        return replace(
            self.of.facts,
            solves=3 * self.of.facts.solves,
            choose=f"for the steps of {self.of.name} at a given accuracy",
            symmetric=False,
        )

    def refuses_step(self, h: float) -> str:
        if self.h_min is None or self.h_max is not None or self.h_min <= LONGEST * abs(h):
            return self.of.refuses_step(h)
        return (
            f"integrator.adaptive.h_min: found {self.h_min:g} s, above the default h_max of {LONGEST:g} time.step = "
            f"{LONGEST * abs(h):g} s; give a smaller h_min, or h_max too"
        )

    def start(self, system: System, state: State) -> Memory:
        free = state.x[system.free]
        size = float(np.linalg.norm(np.ptp(free, axis=0))) if len(free) else 0.0
        control = np.array([self.tolerance, 0.0])  # the rate of the last step, the length of the next
        return {"control": control, "size": np.array(size or 1.0), **outside(self.of.start(system, state))}

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        return self.advance(system, state, memory, h, tools)

    def advance(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        last, dt = memory["control"].tolist()
        least, most = self.h_min or SHORTEST * h, self.h_max or LONGEST * h
        dt = min(max(dt or h, least), most)
        for rejected in range(TRIES):
            try:
                new, inner, report, other = self._both(system, state, memory, dt, tools)
            except StepRejected:
                if dt <= least:
                    raise
                dt = max(dt / 2, least)
                continue
            error = _norm(system, new.x - other.x) / (2.0**self.of.facts.order - 1.0)
            rate = error / (float(memory["size"]) * dt)
            if not math.isfinite(rate):
                raise StepRejected(f"the error of a step of {dt:g} s is {rate}")
            longer = self._factor(rate, last)
            if rate <= self.tolerance or dt <= least:
                control = np.array([rate, dt * (min(longer, 1.0) if rejected else longer)])
                kept = {"control": control, "size": memory["size"], **outside(inner)}
                return new, kept, replace(report, rejected=report.rejected + rejected)
            dt = max(dt * min(longer, AIM), least)
        raise StepRejected(f"no step from t = {state.t:g} s has an error below the tolerance {self.tolerance:g}")

    def _both(
        self, system: System, state: State, memory: Memory, dt: float, tools: Tools
    ) -> tuple[State, Memory, StepReport, State]:
        """Two steps of dt/2, reported as one, and the end point of one step of dt."""
        other, _, _ = self.of.advance(system, state, inside(memory), dt, tools)
        middle, inner, first = self.of.advance(system, state, inside(memory), dt / 2, tools)
        first = ledger.measured(system, state, middle, first)
        new, inner, second = self.of.advance(system, middle, inner, dt / 2, tools)
        second = ledger.measured(system, middle, new, second)
        return new, inner, joined(first, second), other

    def _factor(self, rate: float, last: float) -> float:
        """Growth factor of the next step."""
        p, aim = self.of.facts.order, AIM * self.tolerance
        now, before = max(rate / aim, QUIET), max(last / aim, QUIET)
        return min(max(now ** (-FAST / p) * before ** (SLOW / p), SHORTER), LONGER)


def _norm(system: System, field: Array) -> float:
    """Mass-weighted root mean square over the free vertices."""
    mass, field = system.mass[system.free], field[system.free]
    return math.sqrt(dot(mass[:, None] * field, field) / float(mass.sum())) if len(mass) else 0.0
