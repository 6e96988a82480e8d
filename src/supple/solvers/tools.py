"""The tools that a step works with: one solver, its counts, and energies that are computed once a state."""

from __future__ import annotations

from dataclasses import replace

from supple.dynamics.coupled import CoupledStages
from supple.dynamics.equation import Equation, EquationOf
from supple.dynamics.invariants import Energies, energies
from supple.dynamics.linearised import Linearised
from supple.dynamics.modes import Modes
from supple.dynamics.reactions import Reactions, forces, pull
from supple.dynamics.stage import Stage
from supple.dynamics.state import State
from supple.dynamics.system import System
from supple.dynamics.tangent import tangent
from supple.errors import StageNotConverged
from supple.linalg.forks import demand_threads
from supple.solvers.constrained import ConstrainedSolver, Solution
from supple.solvers.coupled import CoupledSolver
from supple.solvers.direct import DirectSolver, Factored
from supple.solvers.modes import find_modes
from supple.solvers.newton import NewtonSolver
from supple.solvers.options import SolverOptions
from supple.solvers.report import SolveReport
from supple.solvers.root import RootSolver
from supple.solvers.root_search import J, RootSearch
from supple.types import Array


class StepTools:
    """Lives as long as a run; `report` is emptied before every step."""

    def __init__(self, system: System, options: SolverOptions | None = None) -> None:
        """Without options, those of the system count: a scene's `[solver]`."""
        demand_threads()
        self.solver = NewtonSolver(system, options or SolverOptions(**system.solver))
        self.report = SolveReport()
        self._direct = DirectSolver(system, self.solver.options)
        self._system = system
        self.reaction: Array | None = None
        self._roots: RootSolver | None = None
        self._coupled: dict[int, CoupledSolver] = {}
        self._constrained: ConstrainedSolver | None = None
        self._known: list[tuple[State, Energies]] = []

    def bind(self, system: System) -> None:
        if system.potential is not self._system.potential:
            self._known = []  # those of another potential
        self._system = self.solver.system = system

    @property
    def energy_tolerance(self) -> float:
        return self.solver.options.energy_tolerance

    def minimise(self, stage: Stage) -> Array:
        if stage.reactions is not None:
            return self._constrain(stage, stage.reactions).x
        self.reaction = None
        x, report = self.solver.minimise(stage)
        # a start for another solve: its work counts, its gradient is not the step's
        self.report.add(report if stage.rough is None else replace(report, gradient_norm=0.0))
        return x

    def conserve(self, stage: Stage, reactions: Reactions) -> tuple[Array, Array]:
        solution = self._constrain(stage, reactions)
        return solution.x, solution.move

    def tangent(self, x: Array, v: Array, h: float) -> Array:
        v, mu = tangent(self._system, x, v)
        gradients = [kind.gradients(x) for kind in self._system.constraints.kinds]
        taken = pull(self._system.constraints, gradients, mu / h, self._system.n)
        self.reaction = taken if self.reaction is None else self.reaction + taken
        self.report.constraint_forces = self.report.constraint_forces + forces(gradients, mu / h)
        return v

    def linearise(self, state: State, project: bool = False) -> Linearised:
        return Linearised(self._system, state, project)

    def factor(self, values: Array, definite: bool = False) -> Factored:
        return self._direct.factor(values, self.report, definite)

    def modes(self, linearised: Linearised, count: int) -> Modes:
        return find_modes(linearised, count, self._direct, self.report)

    def root(self, equation: Equation) -> Array:
        return self._searched(self._root_solver(), equation)

    def coupled(self, stages: CoupledStages) -> Array:
        count = len(stages.start)
        if count not in self._coupled:
            self._coupled[count] = CoupledSolver(self._system, count, self.solver.options)
        return self._searched(self._coupled[count], stages)

    def _searched(self, solver: RootSearch[J], equation: EquationOf[J]) -> Array:
        try:
            x, report = solver.solve(equation)
        except StageNotConverged as problem:  # a step may go on another way: its work counts, its residual does not
            self.report.add(replace(problem.report, gradient_norm=0.0))
            raise
        self.report.add(report)
        return x

    def energies(self, state: State) -> Energies:
        for known, value in self._known:
            if known is state:
                return value
        value = energies(self._system, state)
        self.remember(state, value)
        return value

    def remember(self, state: State, energies: Energies) -> None:
        self._known = [*self._known[-1:], (state, energies)]

    def _constrain(self, stage: Stage, reactions: Reactions) -> Solution:
        if self._constrained is None:
            self._constrained = ConstrainedSolver(self._system, self.solver.options)
        solution = self._constrained.solve(self._system, stage, reactions)
        self.report.add(solution.report)
        self.reaction = solution.reaction
        return solution

    def memory(self) -> dict[str, Array]:
        """Everything in the solvers that influences later steps."""
        own = self.solver.memory()
        return own if self._roots is None else own | {f"root.{k}": v for k, v in self._roots.memory().items()}

    def restore(self, memory: dict[str, Array]) -> None:
        self.solver.restore(memory)
        if "root.grown" in memory:
            self._root_solver().restore({"grown": memory["root.grown"]})

    def _root_solver(self) -> RootSolver:
        if self._roots is None:
            self._roots = RootSolver(self._system, self.solver.options)
        return self._roots

    def close(self) -> None:
        """Give the factorisations' memory back."""
        self.solver.close()
        self._direct.close()
        if self._roots is not None:
            self._roots.close()
        for coupled in self._coupled.values():
            coupled.close()
        if self._constrained is not None:
            self._constrained.close()
