"""One Newton iteration over the bare numeric factorisation and solve, with the same backend, in one run.

An iteration is all that a Newton step does when nothing is reused: Hessian assembly, factorisation, solve, and the line
search with its value and gradient. The parts are timed in turns, so that a change of the machine's speed hits all of
them; the figures are medians.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from bars import STEP, arguments, bar, show
from supple.dynamics.stage import Sample, Stage, StageObjective
from supple.linalg.factorisation import analyse, best_backend
from supple.linalg.quadrature import gauss
from supple.linalg.threads import threads, use_threads
from supple.solvers.line_search import backtrack
from supple.solvers.linear import LinearSolver
from supple.solvers.options import SolverOptions
from supple.solvers.report import SolveReport

REPEATS = {"small": 60, "middle": 15, "large": 5}


def stages(problem) -> dict[str, Stage]:
    x0, v0, h = problem.state.x, problem.state.v, STEP
    rule = gauss(2)
    avf = tuple(Sample(h * h / 2 * w, c, (1 - c) * x0) for c, w in zip(rule.nodes, rule.weights, strict=True))
    common = {"time": h, "target": x0 + h * v0, "origin": x0, "start": x0}
    return {"be": Stage(positions=(Sample(h * h),), **common), "avf": Stage(positions=avf, **common)}


def seconds(action: Callable[[], object]) -> float:
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


def measure(size: str, backend: str) -> dict[str, object]:
    problem = bar(size)
    system = problem.system
    options = SolverOptions(backend=backend, reuse="never")  # type: ignore[arg-type]
    bare = analyse("cholesky", system.pattern.indptr, system.pattern.indices, backend, threads())
    rhs = np.random.default_rng(0).standard_normal(system.pattern.unknowns)
    runs, linear = {}, {}
    for name, stage in stages(problem).items():
        objective = StageObjective(system, stage)
        linear[name] = LinearSolver(system, options)
        runs[name] = _iteration(objective, linear[name])
        runs[name]()
    values = linear["be"].values.copy()
    runs["bare"] = lambda: (bare.factor(values), bare.solve(rhs))
    objective = StageObjective(system, stages(problem)["be"])
    x = problem.state.x
    runs["assembly"] = lambda: linear["be"].assemble(objective, x)
    runs["gradient"] = lambda: objective.evaluate(x)
    times: dict[str, list[float]] = {name: [] for name in runs}
    for name in runs:
        runs[name]()
    for _ in range(REPEATS[size]):
        for name, action in runs.items():
            times[name].append(seconds(action))
    median = {name: float(np.median(values)) for name, values in times.items()}
    for solver in linear.values():
        solver.close()
    bare.close()
    return {
        "tets": problem.tets,
        "backend": best_backend() if backend == "auto" else backend,
        "threads": threads(),
        "factor_solve_ms": 1e3 * median["bare"],
        "be_iteration_ms": 1e3 * median["be"],
        "avf_iteration_ms": 1e3 * median["avf"],
        "iteration_over_factor_solve": median["be"] / median["bare"],
        "avf_over_be": median["avf"] / median["be"],
        "assembly_ms": 1e3 * median["assembly"],
        "gradient_ms": 1e3 * median["gradient"],
    }


def _iteration(objective: StageObjective, linear: LinearSolver) -> Callable[[], None]:
    """One iteration of Newton's method from the stage's start, as the solver does it."""
    x = objective.place(objective.stage.start)
    now = objective.evaluate(x)

    def iterate() -> None:
        report = SolveReport()
        linear.shift = 0.0
        linear.assemble(objective, x)
        p = linear.descent(now.gradient, 1e-8, report)
        found, _ = backtrack(objective, x, now, p, 12)
        if found is None:
            raise RuntimeError("the line search found nothing")

    return iterate


def main() -> None:
    options = arguments(__doc__ or "")
    rows = [measure(size, options.backend) for size in options.sizes]
    if options.threads > 1:
        use_threads(1)
        for row, size in zip(rows, options.sizes, strict=True):
            alone = measure(size, options.backend)
            row["assembly_speedup"] = float(alone["assembly_ms"]) / float(row["assembly_ms"])  # type: ignore[arg-type]
    show(rows, options.json)


if __name__ == "__main__":
    main()
