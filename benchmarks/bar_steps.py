"""Wall time of a converged step of the hanging bar, mean of the first ten, for backward Euler and AVF.

Converged: gradient below 1e-8 of the gradient at the start of the step's minimisation (the convention of the figures it
is compared with), which is stricter or looser than the solver's own test by the ratio of the two scales; the solver's
tolerance is set so that the result meets both, and the worst ratio reached is printed.
"""

from __future__ import annotations

import resource
import time

import numpy as np

from bars import STEP, arguments, bar, show
from supple.integrators import INTEGRATORS
from supple.linalg.threads import threads
from supple.progress import begin
from supple.simulate import simulate
from supple.solvers.options import SolverOptions
from supple.solvers.tools import StepTools

STEPS = 10


def measure(size: str, name: str, backend: str, reuse: str) -> dict[str, object]:
    problem = bar(size)
    integrator = INTEGRATORS.find(name)()
    tools = StepTools(
        problem.system, SolverOptions(backend=backend, reuse=reuse, tolerance=1e-8, energy_tolerance=1e-8)
    )  # type: ignore[arg-type]
    progress = begin(problem.system, integrator, problem.state, tools)
    walls, iterations, factorisations, cg, worst = [], 0, 0, 0, 0.0
    for frame in simulate(problem.system, integrator, progress, STEP, STEPS, tools):
        if frame.step:
            walls.append(frame.wall_seconds)
        iterations += frame.solve.iterations
        factorisations += frame.solve.factorisations
        cg += frame.solve.cg_iterations
        worst = max(worst, frame.solve.gradient_norm)
    tools.solver.close()
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
