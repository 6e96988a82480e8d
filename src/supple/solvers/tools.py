"""The tools of a step: solvers of one system in its state within the step, and a report of their work."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Self

from supple.dynamics.coupled import CoupledStages
from supple.dynamics.equation import Equation, EquationOf
from supple.dynamics.invariants import Energies
from supple.dynamics.linear.linearised import Linearised
from supple.dynamics.linear.modes import Modes
from supple.dynamics.reactions import Reactions, forces, pull
from supple.dynamics.stage import Stage
from supple.dynamics.state import State
from supple.dynamics.step import Solution
from supple.dynamics.system import System
from supple.dynamics.tangent import tangent
from supple.errors import StageNotConverged
from supple.linalg.forks import demand_threads
from supple.solvers.bench import Bench
from supple.solvers.direct import Factored
from supple.solvers.modes import find_modes
from supple.solvers.newton import NewtonSolver
from supple.solvers.options import SolverOptions
from supple.solvers.report import SolveReport
from supple.solvers.root_search import J, RootSearch
from supple.solvers.saddle.unheld import Unheld, UnheldEquation, UnheldStage
from supple.types import Array


class StepTools:
    """A view of the solvers of a run, for one system and one report; `for_step` and `during` give others."""

    def __init__(self, system: System, options: SolverOptions | None = None) -> None:
        """Without options, the system's options apply: a scene's `[solver]`."""
        demand_threads()
        self._bench = Bench(system, options or SolverOptions(**system.solver))
        self._system = system
        self.report = SolveReport()
        """The work done with this view, and with views that share its report."""

    def for_step(self) -> Self:
        """The same with a separate report."""
        view = copy.copy(self)
        view.report = SolveReport()
        return view

    def during(self, system: System) -> Self:
        """The same for the system frozen in a step; its work counts in the same report."""
        view = copy.copy(self)
        view._system = system
        return view

    @contextmanager
    def beside(self, system: System) -> Iterator[StepTools]:
        """Solvers with the same options for a separate system, valid within the context; their work counts here."""
        other = StepTools(system, self._bench.options)
        other.report = self.report
        try:
            yield other
        finally:
            other.close()

    @property
    def solver(self) -> NewtonSolver:
        return self._bench.newton

    @property
    def vertices(self) -> int:
        """Of the system."""
        return self._system.n

    @property
    def energy_tolerance(self) -> float:
        return self._bench.options.energy_tolerance

    def minimise(self, stage: Stage) -> Solution:
        if stage.reactions is not None:
            return self.conserve(stage, stage.reactions)
        x, report = self.solver.minimise(self._system, stage)
        # a start for another solve: its work counts, its gradient is not the step's
        self.report.add(report if stage.rough is None else replace(report, gradient_norm=0.0))
        return Solution(x)

    def conserve(self, stage: Stage, reactions: Reactions) -> Solution:
        return self._held(UnheldStage(self._system, stage), reactions, stage.rough is not None)

    def hold(self, equation: Equation, reactions: Reactions) -> Solution:
        try:
            return self._held(UnheldEquation(self._system, equation), reactions)
        except StageNotConverged as problem:  # its work counts, its residual does not
            self.report.add(replace(problem.report, gradient_norm=0.0))
            raise

    def _held(self, unheld: Unheld, reactions: Reactions, rough: bool = False) -> Solution:
        solution, report = self._bench.constrained.solve(self._system, unheld, reactions)
        self.report.add(replace(report, gradient_norm=0.0) if rough else report)
        return solution

    def tangent(self, x: Array, v: Array, h: float) -> tuple[Array, Array]:
        v, mu = tangent(self._system, x, v, self._system.constraints.strides / h)
        gradients = [kind.gradients(x) for kind in self._system.constraints.kinds]
        self.report.constraint_forces = self.report.constraint_forces + forces(gradients, mu / h)
        return v, pull(self._system.constraints, gradients, mu / h, self._system.n)

    def linearise(self, state: State, project: bool = False) -> Linearised:
        return Linearised(self._system, state, project)

    def factor(self, values: Array, definite: bool = False) -> Factored:
        return self._bench.direct.factor(values, self.report, definite)

    def modes(self, linearised: Linearised, count: int) -> Modes:
        return find_modes(linearised, count, self._bench.direct, self.report)

    def root(self, equation: Equation, patience: int = 0) -> Array:
        return self._searched(self._bench.roots, equation, patience)

    def coupled(self, stages: CoupledStages) -> Array:
        return self._searched(self._bench.coupled(len(stages.start)), stages)

    def _searched(self, solver: RootSearch[J], equation: EquationOf[J], patience: int = 0) -> Array:
        try:
            x, report = solver.solve(equation, patience)
        except StageNotConverged as problem:  # a step may continue another way: its work counts, its residual does not
            self.report.add(replace(problem.report, gradient_norm=0.0))
            raise
        self.report.add(report)
        return x

    def energies(self, state: State) -> Energies:
        return self._bench.energies(self._system, state)

    def remember(self, state: State, energies: Energies) -> None:
        self._bench.remember(self._system, state, energies)

    def memory(self) -> dict[str, Array]:
        """Everything in the solvers that influences later steps."""
        return self._bench.memory()

    def restore(self, memory: dict[str, Array]) -> None:
        self._bench.restore(memory)

    def close(self) -> None:
        """Free the memory of the factorisations."""
        self._bench.close()
