"""One Newton iteration on the cloth scenes over the bare numeric factorisation and solve, beside published times.

The hanging cloth (6,400 vertices, 31,361 StVK springs) and the thin sheet (5,061 and 24,258) as they are shipped, at
their start. An iteration is that of `newton_iteration.py`: nothing is reused. The parts are timed in turns; medians. The
published times (949 and 201 ms) are those of the AVF paper, on another machine and with another solver.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from bars import arguments, show
from newton_iteration import _iteration, in_turns, stages
from supple.dynamics.stage import StageObjective
from supple.dynamics.state import State
from supple.dynamics.system import System
from supple.linalg.factors.factorisation import analyse, best_backend
from supple.linalg.threads import threads
from supple.scene.text.load import load_scene
from supple.solvers.linear import LinearSolver
from supple.solvers.options import SolverOptions

PUBLISHED = {"hanging-cloth": 949.0, "thin-sheet": 201.0}
"""[ms] an iteration"""
REPEATS = 15


@dataclass(frozen=True)
class Sheet:
    """A shipped scene, ready to be simulated."""

    system: System
    state: State


def measure(scene: str, backend: str) -> dict[str, object]:
    built = load_scene(scene).make().assemble()
    system = built.system
    options = SolverOptions(backend=backend, reuse="never")
    bare = analyse("cholesky", system.pattern.indptr, system.pattern.indices, backend, threads())
    rhs = np.random.default_rng(0).standard_normal(system.pattern.unknowns)
    runs, linear, objectives = {}, {}, {}
    for name, stage in stages(Sheet(system, built.state)).items():
        objectives[name] = StageObjective(system, stage)
        linear[name] = LinearSolver(system, options)
        runs[name] = _iteration(objectives[name], linear[name])
        runs[name]()
    values = linear["be"].values.copy()
    scratch = np.empty_like(values)
    runs["bare"] = lambda: (bare.factor(values), bare.solve(rhs))
    x = built.state.x
    for name, objective in objectives.items():
        runs[f"assembly {name}"] = partial(objective.hessian, x, scratch)
        runs[f"evaluate {name}"] = partial(objective.evaluate, x)
    median = {name: 1e3 * time for name, time in in_turns(runs, REPEATS).items()}
    for solver in (*linear.values(), bare):
        solver.close()
    return {
        "scene": scene,
        "springs": len(built.mesh.edges),
        "backend": best_backend() if backend == "auto" else backend,
        "bare_ms": median["bare"],
        "be_ms": median["be"],
        "avf_ms": median["avf"],
        "published_ms": PUBLISHED[scene],
        "be_over_bare": median["be"] / median["bare"],
        "avf_over_bare": median["avf"] / median["bare"],
        "avf_over_be": median["avf"] / median["be"],
        "avf_assembly_ms": median["assembly avf"],
        "avf_evaluate_ms": median["evaluate avf"],
    }


def main() -> None:
    options = arguments(__doc__ or "", tuple(PUBLISHED))
    show([measure(scene, options.backend) for scene in options.sizes], options.json)


if __name__ == "__main__":
    main()
