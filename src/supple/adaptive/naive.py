"""Naive step control: any one-step method with dt = h sigma evaluated at one end of the step.

    at = "start":  dt = h sigma(x0)
    at = "end":    dt = h sigma(x1(dt)), where x1(dt) is the end of a step of dt: a secant iteration over full steps
Both are obvious choices, and both destroy the conservation properties of the inner method. A step backwards in time
would have a different length, and the energy of recurrent motion drifts or grows without bound (Skeel and Gear 1992).
The same rule at the other end of the step drifts with the opposite sign. Use it for comparison, and for damped
motion, where it is harmless.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

from supple.adaptive.adaptive import Ruled
from supple.adaptive.pace import Pace
from supple.dynamics.needs import Need, Objection
from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.errors import StepRejected, SuppleError
from supple.integrators import INTEGRATORS
from supple.integrators.implicit.midpoint import Midpoint
from supple.integrators.method import Method
from supple.integrators.wrapper import Wrapper, inside, outside

TRIES = 40
"""Limit on the full steps tried in the search for a step length that agrees with the rule at its end."""
AGREED = 1e-10
"""Tolerated relative difference between a step length and the rule at its end."""

Taken = tuple[State, Memory, StepReport]


@INTEGRATORS("adaptive-naive")
@dataclass(frozen=True)
class AdaptiveNaive(Ruled, Wrapper):
    """Any method with step lengths from a rule at the start or at the end of each step; the energy drifts."""

    takes_jumps: ClassVar[bool] = True

    of: Method = field(default_factory=Midpoint)
    """The method that takes the steps: its name, or a table with its name and options."""
    at: Literal["start", "end"] = "start"
    """Positions at which the rule is evaluated: before the step, or after it, which requires several tries."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.of.adapts:
            raise SuppleError(f"{self.name}.of: found '{self.of.name}', which chooses its steps itself")
        if self.at == "end" and not self.rule.smooth:
            raise SuppleError(
                f"{self.name}.at: \"end\" needs a continuous rule, found rule '{self.rule.name}'; "
                'take at = "start", or a smooth rule such as poses'
            )

    @property
    def facts(self) -> Facts:
        inner = self.of.facts
        if not self.adapts:
            return replace(inner, choose="to compare with adaptive-reversible, and for damped motion")
        # a rule of positions preserves the invariants of each single step
        return replace(
            inner,
            damping="energy drifts, whatever the inner method",
            choose="to compare with adaptive-reversible, and for damped motion",
            symmetric=False,
        )

    @property
    def meets(self) -> frozenset[Need]:
        return self.of.meets - {Need.POINTS}

    def objection(self, system: System) -> Objection | None:
        return Wrapper.objection(self, system)

    def start(self, system: System, state: State) -> Memory:
        return {**super().start(system, state), **outside(self.of.start(system, state))}

    def step(self, system: System, state: State, memory: Memory, h: float, tools: Tools) -> Taken:
        return self._followed(
            system, state, memory, h, lambda dt: self.of.step(system, state, inside(memory), dt, tools)
        )

    def advance(self, system: System, state: State, memory: Memory, h: float, tools: Tools) -> Taken:
        return self._followed(
            system, state, memory, h, lambda dt: self.of.advance(system, state, inside(memory), dt, tools)
        )

    def _followed(
        self, system: System, state: State, memory: Memory, h: float, take: Callable[[float], Taken]
    ) -> Taken:
        """The step of the length given by the rule; `take`: the method's step of any length."""
        pace = self.pace(h)
        dt = pace.step(self.place(system, state, memory))
        if self.at == "end" and self.adapts:
            new, inner, report = self._matched(system, memory, pace, dt, take)
        else:
            new, inner, report = take(dt)
        return new, {"energy": memory["energy"], **outside(inner)}, report

    def _matched(self, system: System, memory: Memory, pace: Pace, dt: float, take: Callable[[float], Taken]) -> Taken:
        """The step whose length agrees with the rule at its end: a root of g(dt) = dt - h sigma(x1(dt)) by the secant method."""
        last: tuple[float, float] | None = None
        for _ in range(TRIES):
            taken = take(dt)
            asked = pace.step(self.place(system, taken[0], memory))
            miss = dt - asked
            if abs(miss) <= AGREED * abs(dt):
                return taken
            slope = 1.0 if last is None or last[0] == dt else (miss - last[1]) / (dt - last[0])
            last, following = (dt, miss), dt - miss / slope if slope else asked
            # a secant may lead anywhere; a step stays between half and twice the last try
            dt = following if 0.5 <= following / dt <= 2.0 else dt + (asked - dt) / 2
        raise StepRejected(
            f"adaptive-naive: {TRIES} tries gave no step whose length agrees with rule {self.rule.name} at its end "
            f'(at = "end"); take a smaller time.step or at = "start"'
        )
