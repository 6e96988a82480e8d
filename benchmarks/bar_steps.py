"""Wall time of a converged step of the hanging bar, mean of the first ten, for backward Euler and AVF.

The solver stops at a gradient of 1e-8 of the largest single force. Engines that it is compared with measure against the
gradient at the old positions; `over_old_gradient` is the worst ratio in that measure, computed after the clock stopped.
"""

from __future__ import annotations

import resource
import time

import numpy as np

from bars import STEP, arguments, bar, show
from supple.dynamics.stage import Stage, StageObjective
from supple.dynamics.step import Solution
from supple.dynamics.system import System
from supple.integrators import INTEGRATORS
from supple.linalg.reduce import largest
from supple.linalg.threads import threads
from supple.loop import simulate
from supple.progress import begin
from supple.solvers.options import SolverOptions
from supple.solvers.tools import StepTools
from supple.types import Array

STEPS = 10


class Watched(StepTools):
    """Keeps the last stage, its solution and the residual."""

    def __init__(self, system: System, options: SolverOptions) -> None:
        super().__init__(system, options)
        self.solved: list[tuple[Stage, Array]] = []

    def minimise(self, stage: Stage) -> Solution:
        solution = super().minimise(stage)
        self.solved.append((stage, self.report.residual))
        return solution

    @staticmethod
    def ratio(system: System, stage: Stage, residual: Array) -> float:
        """Largest entry of the residual over that of the gradient at the old positions."""
        objective = StageObjective(system, stage)
        return largest(residual) / largest(objective.evaluate(objective.place(stage.origin)).gradient)


def measure(size: str, name: str, backend: str, reuse: str) -> dict[str, object]:
    problem = bar(size)
    integrator = INTEGRATORS.find(name)()
    tools = Watched(problem.system, SolverOptions(backend=backend, reuse=reuse, tolerance=1e-8, energy_tolerance=1e-8))
    progress = begin(problem.system, integrator, problem.state, tools)
    walls, iterations, factorisations, cg, worst = [], 0, 0, 0, 0.0
    for frame in simulate(problem.system, integrator, progress, STEP, STEPS, tools):
        if frame.step:
            walls.append(frame.wall_seconds)
        iterations += frame.solve.iterations
        factorisations += frame.solve.factorisations
        cg += frame.solve.cg_iterations
        worst = max(worst, frame.solve.gradient_norm)
    tools.close()
    over_old = max(tools.ratio(problem.system, stage, residual) for stage, residual in tools.solved)
    return {
        "tets": problem.tets,
        "integrator": name,
        "reuse": reuse,
        "threads": threads(),
        "step_s": float(np.mean(walls)),
        "median_step_s": float(np.median(walls)),
        "iterations": iterations,
        "factorisations": factorisations,
        "cg_iterations": cg,
        "gradient_norm": worst,
        "over_old_gradient": over_old,
        "peak_memory_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def main() -> None:
    options = arguments(__doc__ or "")
    rows = []
    for size in options.sizes:
        for name in ("backward-euler", "avf"):
            began = time.perf_counter()
            rows.append(measure(size, name, options.backend, "auto"))
            if not options.json:
                print(f"{size} {name}: {time.perf_counter() - began:.1f} s")
    show(rows, options.json)


if __name__ == "__main__":
    main()
