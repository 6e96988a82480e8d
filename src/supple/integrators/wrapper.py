"""A method wrapped around another: everything it does not change is delegated to the inner method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self, cast

from supple.dynamics.contact.springs import only_springs
from supple.dynamics.invariants import Energies
from supple.dynamics.needs import Need, Objection
from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, Tools
from supple.dynamics.system import System
from supple.integrators.method import Method
from supple.types import Array

INSIDE = "of."
"""Prefix of the memory of the inner method."""


class Wrapper(Method):
    """Subclasses are frozen dataclasses with a field `of`; their own memory has names without the prefix."""

    by_itself: ClassVar[bool] = False
    table_key: ClassVar[str] = ""
    """Key of the wrapper in the inner method's table of a scene; if empty, it has a separate table."""

    of: Method
    """The method that takes the steps."""

    @property
    def facts(self) -> Facts:
        return self.of.facts

    @property
    def meets(self) -> frozenset[Need]:
        return self.of.meets - {Need.POINTS}

    def objection(self, system: System) -> Objection | None:
        if system.on_grid and Need.POINTS not in self.meets:
            reason = f"{self.name} does not support material points"
            return Objection(reason, ("use mpm by itself, or with point-budget around it",), names_methods=False)
        return self.of.objection(system)

    def refuses_step(self, h: float) -> str:
        return self.of.refuses_step(h)

    @property
    def adapts(self) -> bool:
        return self.of.adapts

    @property
    def freezes_at(self) -> float | None:
        return self.of.freezes_at

    @property
    def asks_at_states(self) -> bool:
        return self.of.asks_at_states

    @property
    def sticks_at_end(self) -> bool:
        return self.of.sticks_at_end

    @property
    def relaxed(self) -> Self | None:
        inner = self.of.relaxed
        return None if inner is None else replace(cast(Any, self), of=inner)

    def promises(self, system: System) -> float | None:
        return self.of.promises(system)

    def replayed(self, memory: Memory, samples: Sequence[int]) -> Memory:
        return own(memory) | outside(self.of.replayed(inside(memory), samples))

    def energies(self, system: System, state: State, memory: Memory, tools: Tools) -> Energies:
        return self.of.energies(system, state, inside(memory) | only_springs(memory), tools)

    def momenta(self, system: System, state: State, memory: Memory) -> tuple[Array, Array]:
        return self.of.momenta(system, state, inside(memory))

    def densities(self, system: System, memory: Memory) -> Array | None:
        return self.of.densities(system, inside(memory))

    def deformations(self, memory: Memory) -> Array | None:
        return self.of.deformations(inside(memory))

    def kicked(self, memory: Memory, dv: Array) -> Memory:
        return own(memory) | outside(self.of.kicked(inside(memory), dv))


def own(memory: Memory) -> Memory:
    """The memory of the wrapper itself."""
    return {key: value for key, value in memory.items() if not key.startswith(INSIDE)}


def inside(memory: Memory) -> Memory:
    """The memory of the inner method, under its own names."""
    return {key.removeprefix(INSIDE): value for key, value in memory.items() if key.startswith(INSIDE)}


def outside(inner: Memory) -> Memory:
    """The same under the prefix."""
    return {INSIDE + key: value for key, value in inner.items()}
