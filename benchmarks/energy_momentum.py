"""Wall time of a converged step of the energy-momentum methods beside AVF, mean of the first ten of a hanging bar.

All solve to the default tolerances of a scene. `over_avf` compares with AVF on the same bar in the same sitting. `residual` is
the largest remaining relative residual. `drift` is the largest change of energy in one step, relative to the energy exchanged
so far. Loops are compiled, or read from the cache, before the clock starts.
"""

from __future__ import annotations

import argparse

import numpy as np

from bars import CELLS, STEP, bar, show
from supple.integrators import INTEGRATORS
from supple.linalg.threads import threads, use_threads
from supple.loop import simulate
from supple.progress import begin
from supple.solvers.options import SolverOptions
from supple.solvers.tools import StepTools

STEPS = 10
METHODS = ("avf", "simo-tarnow", "gonzalez")


def measure(size: str, name: str, material: str, steps: int) -> dict[str, object]:
    problem = bar(size, material)
    integrator = INTEGRATORS.find(name)()
    tools = StepTools(problem.system, SolverOptions())
    progress = begin(problem.system, integrator, problem.state, tools)
    walls, residuals, exchanged = [], [0.0], 0.0
    iterations = factorisations = inner = 0
    worst = 0.0
    for frame in simulate(problem.system, integrator, progress, STEP, steps, tools):
        if frame.step:
            walls.append(frame.wall_seconds)
        iterations += frame.solve.iterations
        factorisations += frame.solve.factorisations
        inner += frame.solve.cg_iterations
        worst = max(worst, frame.solve.gradient_norm)
        residuals.append(frame.ledger.residual)
        exchanged = max(exchanged, frame.ledger.energies.kinetic + frame.ledger.energies.elastic)
    tools.close()
    return {
        "tets": problem.tets,
        "material": material,
        "method": name,
        "threads": threads(),
        "step_s": float(np.mean(walls)),
        "median_step_s": float(np.median(walls)),
        "iterations": iterations,
        "factorisations": factorisations,
        "krylov_iterations": inner,
        "residual": worst,
        "drift": float(np.abs(np.diff(residuals)).max() / exchanged),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="small,medium,middle", help=", ".join(CELLS))
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--material", default="stvk")
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", action="store_true", help="one JSON document on the last line")
    options = parser.parse_args()
    use_threads(options.threads)
    rows = []
    for size in options.sizes.split(","):
        avf = float("nan")
        for name in options.methods.split(","):
            measure(size, name, options.material, 1)  # large bars use other loops
            row = measure(size, name, options.material, options.steps)
            seconds = float(str(row["step_s"]))
            avf = seconds if name == "avf" else avf
            rows.append({**row, "over_avf": seconds / avf})
    show(rows, options.json)


if __name__ == "__main__":
    main()
