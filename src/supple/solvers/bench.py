"""All solvers of a run, created on first use, and energies computed once per state."""

from __future__ import annotations

from functools import cached_property

from supple.dynamics.invariants import Energies, energies
from supple.dynamics.potential import Potential
from supple.dynamics.state import State
from supple.dynamics.system import System
from supple.solvers.constrained import ConstrainedSolver
from supple.solvers.coupled import CoupledSolver
from supple.solvers.direct import DirectSolver
from supple.solvers.newton import NewtonSolver
from supple.solvers.options import SolverOptions
from supple.solvers.root import RootSolver
from supple.types import Array

HELD = "constrained."
"""Prefix of the memory of the solver for stages with constraints."""


class Bench:
    """Belongs to one system; freezing terms within a step changes neither its pattern nor its masses."""

    def __init__(self, system: System, options: SolverOptions) -> None:
        self._system = system
        self.options = options
        self.newton = NewtonSolver(system, options)
        self.direct = DirectSolver(system, options)
        self._coupled: dict[int, CoupledSolver] = {}
        self._known: list[tuple[State, Potential, Energies]] = []

    @cached_property
    def roots(self) -> RootSolver:
        return RootSolver(self._system, self.options)

    @cached_property
    def constrained(self) -> ConstrainedSolver:
        return ConstrainedSolver(self._system, self.options)

    def coupled(self, stages: int) -> CoupledSolver:
        """The solver for the coupled equations of this many stages."""
        if stages not in self._coupled:
            self._coupled[stages] = CoupledSolver(self._system, stages, self.options)
        return self._coupled[stages]

    def energies(self, system: System, state: State) -> Energies:
        """Energies of a state; those of the last two states are cached [J]."""
        for known, potential, value in self._known:
            if known is state and potential is system.potential:
                return value
        value = energies(system, state)
        self.remember(system, state, value)
        return value

    def remember(self, system: System, state: State, value: Energies) -> None:
        self._known = [*self._known[-1:], (state, system.potential, value)]

    def memory(self) -> dict[str, Array]:
        """Everything that influences later steps."""
        own = self.newton.memory()
        if "roots" in vars(self):
            own |= {f"root.{k}": v for k, v in self.roots.memory().items()}
        if "constrained" in vars(self):
            own |= {f"{HELD}{k}": v for k, v in self.constrained.memory().items()}
        return own

    def restore(self, memory: dict[str, Array]) -> None:
        self.newton.restore(memory)
        if "root.grown" in memory:
            self.roots.restore({k.removeprefix("root."): v for k, v in memory.items() if k.startswith("root.")})
        held = {k.removeprefix(HELD): v for k, v in memory.items() if k.startswith(HELD)}
        if held:
            self.constrained.restore(held)

    def close(self) -> None:
        """Free the memory of the factorisations."""
        made = [vars(self)[name] for name in ("roots", "constrained") if name in vars(self)]
        for solver in (self.newton, self.direct, *self._coupled.values(), *made):
            solver.close()
