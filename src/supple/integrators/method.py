"""What all methods share: no memory unless they say so, prescribed vertices put in place, dissipative forces for the ledger."""

from __future__ import annotations

from typing import ClassVar

from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.types import Array


class Method:
    """Base of the integrators; subclasses are frozen dataclasses of their options."""

    name: ClassVar[str]

    @property
    def facts(self) -> Facts:
        raise TypeError(f"{type(self).__name__} does not state its facts")

    def start(self, system: System, state: State) -> Memory:
        """Memory before the first step: none."""
        return {}

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        raise TypeError(f"{type(self).__name__} does not define step")

    @staticmethod
    def arrived(system: System, t: float, x: Array, v: Array) -> State:
        """The new state, with prescribed vertices where their script has them."""
        return State(t, system.motion.place(x, t), system.motion.drive(v, t))

    @staticmethod
    def friction(system: System, v: Array) -> Array | None:
        """grad D(v), or None in a system without dissipation."""
        return system.dissipation.gradient(v) if system.dissipation.terms else None
