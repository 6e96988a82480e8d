"""Naive step control: any one-step method with dt = h sigma at the start of the step.

It is what comes to mind first, and it spoils what the method inside keeps: a step back would have another length, and the
energy of a motion that comes back drifts or grows without bound (Skeel and Gear 1992). For comparison, and for damped
motion, where it does no harm.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from supple.adaptive.adaptive import Ruled
from supple.dynamics.needs import Need, Objection
from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.errors import SuppleError
from supple.integrators import INTEGRATORS
from supple.integrators.implicit.midpoint import Midpoint
from supple.integrators.method import Method
from supple.integrators.wrapper import Wrapper, inside, outside


@INTEGRATORS("adaptive-naive")
@dataclass(frozen=True)
class AdaptiveNaive(Ruled, Wrapper):
    """Any method with steps that follow a rule at the start of each step; drifts."""

    takes_jumps: ClassVar[bool] = True

    of: Method = field(default_factory=Midpoint)
    """The method that takes the steps: its name, or a table with its name and options."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.of.adapts:
            raise SuppleError(f"{self.name}.of: found '{self.of.name}', which chooses its steps itself")

    @property
    def facts(self) -> Facts:
        inner = self.of.facts
        if not self.adapts:
            return replace(inner, choose="to compare with adaptive-reversible, and for damped motion")
        # a rule of positions keeps what each single step keeps
        return replace(
            inner,
            damping="energy drifts, whatever the method inside does",
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

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        dt = self.pace(h).step(self.place(system, state, memory))
        new, inner, report = self.of.step(system, state, inside(memory), dt, tools)
        return new, {"energy": memory["energy"], **outside(inner)}, report

    def advance(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        dt = self.pace(h).step(self.place(system, state, memory))
        new, inner, report = self.of.advance(system, state, inside(memory), dt, tools)
        return new, {"energy": memory["energy"], **outside(inner)}, report
