"""supple's own rows: the same problems, by AVF and by backward Euler, with the default options."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from judge import elastic
from problem import Problem
from runner import Method, main
from workloads import pile_scene, upright

from supple.constraints.motion import Hold, Motion, Prescribed
from supple.dynamics.stage import Stage, StageObjective
from supple.dynamics.state import State
from supple.dynamics.step import Solution
from supple.dynamics.system import System, build_system
from supple.energies.gravity import Gravity
from supple.integrators import INTEGRATORS
from supple.linalg.reduce import largest
from supple.linalg.threads import use_threads
from supple.loop import simulate
from supple.solvers.tools import StepTools

FINER = 4
"""Substeps per frame of the reference, whose error in time is 16 times smaller."""


class Watched(StepTools):
    """Keeps the last equation and its residual."""

    def __init__(self, system: System) -> None:
        super().__init__(system)
        self.solved: dict[str, tuple[Stage, np.ndarray]] = {}  # shared with the views that steps work with

    def minimise(self, stage: Stage) -> Solution:
        solution = super().minimise(stage)
        self.solved["last"] = (stage, self.report.residual)
        return solution


def ready(problem: Problem, law: str) -> tuple[System, State]:
    """The problem as a system; the pile with contact as its scene has it."""
    if problem.workload == "pile":
        built = pile_scene().make().assemble()
        return built.system, built.state
    terms = [elastic(problem, law)]
    if problem.gravity:
        terms.append(Gravity(problem.mass, np.array([0.0, 0.0, -problem.gravity])))
    motion = Motion((Prescribed(problem.held, problem.start[problem.held], Hold()),))
    start = problem.start.copy()
    return build_system(problem.rest, problem.mass, terms, motion), State(0.0, start, np.zeros_like(start))


class Steps:
    """A run of supple, a step at a time."""

    def __init__(self, problem: Problem, substeps: int, law: str, integrator: str) -> None:
        use_threads(0)
        self.problem = problem
        self.system, self.now = ready(problem, law)
        method = INTEGRATORS.find(integrator)()
        self.tools = Watched(self.system)
        count = problem.steps * substeps
        self.frames = simulate(self.system, method, self.now, problem.step / substeps, count, self.tools)
        next(self.frames)
        self.iterations = 0

    def advance(self) -> None:
        frame = next(self.frames)
        while not frame.whole:
            frame = next(self.frames)
        self.now = frame.state
        self.iterations += frame.solve.iterations

    def state(self) -> tuple[np.ndarray, np.ndarray]:
        turn = upright if self.problem.workload == "pile" else np.array
        return turn(self.now.x), turn(self.now.v)

    def extra(self) -> dict[str, object]:
        """Largest force left in the last equation over that at the old positions."""
        told: dict[str, object] = {"iterations": self.iterations}
        if not self.problem.ground:  # with contact the system of a step is frozen, and not at hand here
            stage, residual = self.tools.solved["last"]
            objective = StageObjective(self.system, stage)
            old = largest(objective.evaluate(objective.place(stage.origin)).gradient)
            told["residual"] = largest(residual) / old
        self.tools.close()
        return told


def method(integrator: str, law: str = "", substeps: int = 1) -> Callable[[Problem], Method]:
    def chosen(problem: Problem) -> Method:
        own = "stable-neo-hookean" if problem.workload == "pile" else "stvk"
        used = law or own
        return Method(lambda p, n: Steps(p, n, used, integrator), used, (substeps,), "own")

    return chosen


METHODS: dict[str, Callable[[Problem], Method]] = {
    "avf": method("avf"),
    "backward-euler": method("backward-euler"),
    "avf, other law": method("avf", "stable-neo-hookean"),
    **{f"reference {law}": method("avf", law, FINER) for law in ("stvk", "stable-neo-hookean", "log-neo-hookean")},
}


if __name__ == "__main__":
    main(METHODS)
