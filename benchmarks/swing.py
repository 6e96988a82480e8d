"""Robustness: the small bar swings down and hangs nearly vertical after about 20 steps, where plain Newton breaks.

60 steps of each integrator and material must complete; 300 steps of AVF from a stretch of 1.5 without gravity must keep
the energy.
"""

from __future__ import annotations

import time

import numpy as np

from bars import STEP, BarProblem, arguments, bar, show
from supple.errors import StepFailed
from supple.integrators import INTEGRATORS
from supple.loop import simulate
from supple.progress import begin
from supple.solvers.options import SolverOptions
from supple.solvers.tools import StepTools


def measure(problem: BarProblem, name: str, material: str, steps: int, options: SolverOptions) -> dict[str, object]:
    integrator = INTEGRATORS.find(name)()
    tools = StepTools(problem.system, options)
    progress = begin(problem.system, integrator, problem.state, tools)
    iterations, failed, halved, drift = [], "", 0, 0.0
    began = time.perf_counter()
    try:
        for frame in simulate(problem.system, integrator, progress, STEP, steps, tools):
            iterations.append(frame.solve.iterations)
            halved += bool(frame.note)
            drift = max(drift, abs(frame.ledger.residual) / frame.ledger.energies.scale)
    except StepFailed as problem_found:
        failed = str(problem_found)
    tools.close()
    tip = progress.state.x[np.argmax(problem.state.x[:, 0])]
    return {
        "tets": problem.tets,
        "integrator": name,
        "material": material,
        "steps": progress.whole_steps,
        "mean_iterations": float(np.mean(iterations[1:])),
        "max_iterations": int(max(iterations)),
        "halved": halved,
        "drift": drift,
        "tip_z": float(tip[2]),
        "step_s": (time.perf_counter() - began) / max(1, progress.whole_steps),
        "failed": failed,
    }


def main() -> None:
    chosen = arguments(__doc__ or "", sizes=("small",))
    options = SolverOptions(backend=chosen.backend)
    rows = []
    for size in chosen.sizes:
        for material in ("stvk", "stable-neo-hookean"):
            for name in ("backward-euler", "tr-bdf2", "avf"):
                rows.append(measure(bar(size, material), name, material, 60, options))
            stretched = bar(size, material, gravity=0.0, stretch=1.5)
            rows.append(measure(stretched, "avf", material, 300, options))
    show(rows, chosen.json)


if __name__ == "__main__":
    main()
