"""What the methods with rules share: the rule and its limits, what they refuse, and the energies that they remember."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Gt

from supple.adaptive.pace import Pace
from supple.adaptive.place import Place
from supple.adaptive.rule import Rule
from supple.adaptive.rules import ConstantRule
from supple.dynamics.invariants import energies
from supple.dynamics.needs import SMOOTH, Need, Objection
from supple.dynamics.state import State
from supple.dynamics.step import Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.errors import SuppleError
from supple.integrators.method import Method

BEFOREHAND = {Need.SCRIPTS, Need.REPULSION, Need.WHOLE_BODY}
"""What has to be known before a step is solved, or has no sparse matrix."""


@dataclass(frozen=True)
class Ruled(Method):
    """A method whose steps dt = h sigma follow a rule; h, the time.step, is the longest one."""

    takes_jumps: ClassVar[bool] = False
    """Whether a rule may jump, or look at velocities."""
    by_itself: ClassVar[bool] = False
    follows: ClassVar[frozenset[Need]] = SMOOTH - BEFOREHAND
    """What it meets with steps that follow a rule."""
    plain: ClassVar[Method]
    """The same method with steps that are all alike, which takes them where the rule is constant."""

    rule: Rule = field(default_factory=ConstantRule)
    """How long steps are: the name of a rule, or a table with its name and options."""
    h_min: Annotated[float, Gt(0)] | None = None
    """Shortest step; the limit is approached smoothly, which keeps reversibility [s]."""
    h_max: Annotated[float, Gt(0)] | None = None
    """Longest step, likewise [s]."""

    def __post_init__(self) -> None:
        if not (self.rule.smooth or self.takes_jumps):
            raise SuppleError(
                f"{self.name}.rule: found '{self.rule.name}', which jumps or looks at velocities; only adaptive-naive "
                "takes it"
            )
        if self.h_min is not None and self.h_max is not None and self.h_min >= self.h_max:
            raise SuppleError(f"{self.name}.h_min: found {self.h_min:g}, which is not below h_max = {self.h_max:g}")

    @property
    def adapts(self) -> bool:
        return not self.rule.constant or self.h_min is not None or self.h_max is not None

    @property
    def meets(self) -> frozenset[Need]:
        return self.follows if self.adapts else self.plain.meets

    def objection(self, system: System) -> Objection | None:
        found = super().objection(system)
        if found is None or not self.adapts:
            return found
        other = "take integrator.adaptive = true with another method, or adaptive-naive"
        return Objection(found.reason, (*found.remedies, other))

    def start(self, system: System, state: State) -> Memory:
        return {"energy": np.array(energies(system, state).total)}

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        if self.adapts:
            return self.follow(system, state, memory, h, tools)
        new, _, report = self.plain.step(system, state, {}, h, tools)
        return new, memory, report

    def expected(self, system: System, state: State, memory: Memory, h: float) -> float:
        if not (self.adapts and (system.dissipation.changes or system.potential.roles.timed)):
            return h  # nobody asks
        return self.pace(h).step(self.place(system, state, memory))

    def follow(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        """A step whose length follows the rule."""
        raise TypeError(f"{type(self).__name__} does not define follow")

    def pace(self, h: float) -> Pace:
        return Pace(self.rule, h, self.h_min, self.h_max)

    @staticmethod
    def place(system: System, state: State, memory: Memory) -> Place:
        """The state as a rule sees it."""
        return Place(system, state.x, float(memory["energy"]), state.v)
