"""Common base of the rule-based methods: the rule and its limits, unsupported options, and stored energies."""

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
"""Terms that must be fixed before a step is solved, or that have no sparse matrix."""


@dataclass(frozen=True)
class Ruled(Method):
    """A method whose steps dt = h sigma follow a rule; h, the time.step, is the longest step."""

    takes_jumps: ClassVar[bool] = False
    """Whether a rule may be discontinuous or depend on velocities."""
    by_itself: ClassVar[bool] = False
    follows: ClassVar[frozenset[Need]] = SMOOTH - BEFOREHAND
    """Needs that it meets with rule-based steps."""
    plain: ClassVar[Method]
    """The same method with constant steps, used if the rule is constant."""

    rule: Rule = field(default_factory=ConstantRule)
    """Step-length rule: its name, or a table with its name and options."""
    h_min: Annotated[float, Gt(0)] | None = None
    """Shortest step; the limit is approached smoothly, which preserves reversibility [s]."""
    h_max: Annotated[float, Gt(0)] | None = None
    """Longest step; the limit is approached smoothly [s]."""

    def __post_init__(self) -> None:
        if not (self.rule.smooth or self.takes_jumps):
            raise SuppleError(
                f"{self.name}.rule: found '{self.rule.name}', which jumps or depends on velocities; only adaptive-naive "
                "supports it"
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
        other = "use integrator.adaptive = true with another method, or adaptive-naive"
        return Objection(found.reason, (*found.remedies, other))

    def refuses_step(self, h: float) -> str:
        if self.h_min is None or self.h_min <= abs(h):
            return ""
        return (
            f"{self.name}.h_min: found {self.h_min:g} s, longer than time.step = {abs(h):g} s; a rule only shortens steps, so "
            "give at most time.step"
        )

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
            return h  # not used
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
        """The state in the form used by rules."""
        return Place(system, state.x, float(memory["energy"]), state.v)
