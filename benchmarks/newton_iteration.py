"""One Newton iteration over the bare numeric factorisation and solve, with the same backend, in one run.

An iteration is a complete Newton step without reuse: Hessian assembly, factorisation, solve, and the line search with its value
and gradient. The parts are timed alternately, so that a change of the machine's speed affects all of them; the figures are
medians. Assembly with one and with several threads is also timed alternately, separately from the factorisations.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import numpy as np

from bars import STEP, BarProblem, arguments, bar, show
from supple.dynamics.stage import Sample, Stage, StageObjective
from supple.linalg.factors.factorisation import analyse, best_backend
from supple.linalg.quadrature import gauss
from supple.linalg.threads import threads, use_threads
from supple.solvers.line_search import backtrack
from supple.solvers.linear import LinearSolver
from supple.solvers.options import SolverOptions
from supple.solvers.report import SolveReport

REPEATS = {"small": 60, "middle": 15, "large": 5}


def stages(problem: BarProblem) -> dict[str, Stage]:
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
    options = SolverOptions(backend=backend, reuse="never")
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
    median = in_turns(runs, REPEATS[size])
    median |= in_turns(assemblies(size, problem), 4 * REPEATS[size])
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
        "assembly_speedup": median["assembly serial"] / median["assembly"],
        "gradient_speedup": median["gradient serial"] / median["gradient"],
    }


def in_turns(runs: dict[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Median seconds of each action, all of them called in turns."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(repeats + 1):
        for name, action in runs.items():
            times[name].append(seconds(action))
    return {name: float(np.median(values[1:])) for name, values in times.items()}


def assemblies(size: str, problem: BarProblem) -> dict[str, Callable[[], object]]:
    """Hessian and gradient with the threads in force, and with one."""
    count = threads()
    use_threads(1)
    serial = bar(size)
    use_threads(count)
    runs: dict[str, Callable[[], object]] = {}
    for name, one in {"": problem, " serial": serial}.items():
        objective = StageObjective(one.system, stages(one)["be"])
        values = np.empty(one.system.pattern.nnz)
        runs["assembly" + name] = partial(objective.hessian, one.state.x, values)
        runs["gradient" + name] = partial(objective.evaluate, one.state.x)
    return runs


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
    show(rows, options.json)


if __name__ == "__main__":
    main()
