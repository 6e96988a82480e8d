"""Time per step and peak memory of the hanging bar from 3,500 to 1,008,000 tets, with the solver's automatic choice.

Every size runs in a separate process, so that its peak memory is measured separately, including the assembly of the system. Steps
are solved to a gradient of 1e-8 of the largest single force. `exponent`: growth of the time per step after the first, relative to
the previous size.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import subprocess
import sys
import time

import numpy as np

from bars import STEP, bar, show
from supple.integrators import INTEGRATORS
from supple.linalg.threads import threads, use_threads
from supple.loop import simulate
from supple.progress import begin
from supple.solvers.options import Linear, SolverOptions
from supple.solvers.tools import StepTools

SIZES = ("small", "middle", "large", "huge")


def measure(size: str, name: str, steps: int, linear: Linear) -> dict[str, object]:
    """One size in this process."""
    began = time.perf_counter()
    problem = bar(size)
    _ = problem.system.pattern.indices
    built = time.perf_counter() - began
    integrator = INTEGRATORS.find(name)()
    options = SolverOptions(linear=linear, tolerance=1e-8, energy_tolerance=1e-8)
    tools = StepTools(problem.system, options)
    progress = begin(problem.system, integrator, problem.state, tools)
    frames = [f for f in simulate(problem.system, integrator, progress, STEP, steps, tools) if f.step]
    row = {
        "tets": problem.tets,
        "unknowns": problem.system.pattern.unknowns,
        "integrator": name,
        "threads": threads(),
        "build_s": built,
        "first_step_s": frames[0].wall_seconds,
        "step_s": float(np.mean([f.wall_seconds for f in frames[1:]])),
        "strategy": tools.solver.strategy,
        "iterations": sum(f.solve.iterations for f in frames),
        "cg_iterations": sum(f.solve.cg_iterations for f in frames),
        "factorisations": sum(f.solve.factorisations for f in frames),
        "gradient_norm": max(f.solve.gradient_norm for f in frames),
        "peak_memory_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    tools.close()
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default=",".join(SIZES), help="small, middle, large, huge")
    parser.add_argument("--integrators", default="backward-euler,avf")
    parser.add_argument("--steps", type=int, default=6)
    parser.add_argument("--linear", default="auto", help="solver.linear")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--alone", action="store_true", help="one size and integrator, in this process")
    parser.add_argument("--json", action="store_true", help="one JSON document on the last line")
    options = parser.parse_args()
    if options.alone:
        use_threads(options.threads)
        print(json.dumps(measure(options.sizes, options.integrators, options.steps, options.linear)))
        return
    rows: list[dict[str, object]] = []
    for name in options.integrators.split(","):
        before: dict[str, float] | None = None
        for size in options.sizes.split(","):
            given = {"sizes": size, "integrators": name, "steps": options.steps, "linear": options.linear}
            flags = [f"--{key}={value}" for key, value in {**given, "threads": options.threads}.items()]
            done = subprocess.run([sys.executable, __file__, "--alone", *flags], stdout=subprocess.PIPE, check=True)
            row = json.loads(done.stdout.splitlines()[-1])
            growth = 0.0
            if before is not None:
                growth = math.log(row["step_s"] / before["step_s"]) / math.log(row["tets"] / before["tets"])
            rows.append({**row, "exponent": growth})
            before = row
    show(rows, options.json)


if __name__ == "__main__":
    main()
