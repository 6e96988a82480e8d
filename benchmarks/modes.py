"""The twenty lowest modes compared with one numeric factorisation and forty solves, alternating.

`modes_over_parts` = time of the modes / (factorisation + 40 solves) of the same matrix with the same backend; symbolic
analysis is done once for both, as in a run.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from bars import arguments, bar, show
from supple.dynamics.linear.linearised import Linearised
from supple.linalg.threads import threads
from supple.solvers.direct import DirectSolver
from supple.solvers.modes import FIRST_SHIFT, find_modes
from supple.solvers.options import SolverOptions
from supple.solvers.report import SolveReport

COUNT = 20
SOLVES = 40
TURNS = 5


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def measure(size: str, backend: str) -> dict[str, object]:
    problem = bar(size)
    system = problem.system
    linearised = Linearised(system, problem.state)
    direct, report = DirectSolver(system, SolverOptions(backend=backend)), SolveReport()
    values = linearised.stiffness.copy()
    top = float(np.max(values[system.pattern.diagonal] / system.unknown_mass))
    values[system.pattern.diagonal] += FIRST_SHIFT * top * system.unknown_mass
    rhs = np.random.default_rng(0).standard_normal(system.pattern.unknowns)

    def parts() -> None:
        solve = direct.factor(values, report)
        for _ in range(SOLVES):
            solve.unknowns(rhs)

    parts()
    turns = [(seconds(lambda: find_modes(linearised, COUNT, direct, report)), seconds(parts)) for _ in range(TURNS)]
    modes, bare = (float(np.median(column)) for column in zip(*turns, strict=True))
    found = find_modes(linearised, COUNT, direct, report)
    direct.close()
    return {
        "tets": problem.tets,
        "threads": threads(),
        "modes_s": modes,
        "factor_40_solves_s": bare,
        "modes_over_parts": float(np.median([a / b for a, b in turns])),
        "lowest_hz": float(np.sqrt(found.values[0]) / (2 * np.pi)),
        "highest_hz": float(np.sqrt(found.values[-1]) / (2 * np.pi)),
    }


def main() -> None:
    options = arguments(__doc__ or "", ("small", "middle"))
    show([measure(size, options.backend) for size in options.sizes], options.json)


if __name__ == "__main__":
    main()
