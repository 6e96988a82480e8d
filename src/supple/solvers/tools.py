"""The tools that a step works with: one solver, its counts, and energies that are computed once a state."""

from __future__ import annotations

from supple.dynamics.invariants import Energies, energies
from supple.dynamics.stage import Stage
from supple.dynamics.state import State
from supple.dynamics.system import System
from supple.solvers.newton import NewtonSolver
from supple.solvers.options import SolverOptions
from supple.solvers.report import SolveReport
from supple.types import Array


class StepTools:
    """Lives as long as a run; `report` is emptied before every step."""

    def __init__(self, system: System, options: SolverOptions | None = None) -> None:
        self.solver = NewtonSolver(system, options)
        self.report = SolveReport()
        self._system = system
        self._known: list[tuple[State, Energies]] = []

    @property
    def energy_tolerance(self) -> float:
        return self.solver.options.energy_tolerance

    def minimise(self, stage: Stage) -> Array:
        x, report = self.solver.minimise(stage)
        self.report.add(report)
        return x

    def energies(self, state: State) -> Energies:
        for known, value in self._known:
            if known is state:
                return value
        value = energies(self._system, state)
        self._known = [*self._known[-1:], (state, value)]
        return value
