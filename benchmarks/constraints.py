"""Wall time of steps under constraints: a chain of 1,000 rods let go from the horizontal, and a bar of 29,040 tets with 500 rods.

The rods of the bar are fibres along it in its middle plane. The first step, which analyses and factorises, is not in the mean;
`first` has its time.
"""

from __future__ import annotations

import argparse

import numpy as np

from bars import STEP, bar, show
from supple.constraints.links import FixedLengths
from supple.constraints.motion import Hold, Motion, Prescribed
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.gravity import Gravity
from supple.integrators import INTEGRATORS
from supple.linalg.reduce import largest
from supple.linalg.threads import use_threads
from supple.loop import simulate
from supple.progress import begin
from supple.solvers.tools import StepTools

STEPS = {"chain": 20, "bar": 5}
METHODS = ("avf", "midpoint", "backward-euler")


def chain(links: int = 1000) -> tuple[System, State, float]:
    """Rods of 1 cm and 1 g each, held at one end."""
    X = np.zeros((links + 1, 3))
    X[:, 0] = np.linspace(0.0, 0.01 * links, links + 1)
    mass = np.full(links + 1, 1e-3)
    rods = FixedLengths(X, np.stack([np.arange(links), np.arange(1, links + 1)], axis=1))
    motion = Motion((Prescribed(np.zeros(1, np.int32), X[:1].copy(), Hold()),))
    gravity = Gravity(mass, np.array([0.0, 0.0, -9.81]))
    return build_system(X, mass, [gravity], motion, constraints=[rods]), State(0.0, X, np.zeros_like(X)), 1 / 120


def fibred_bar(rods: int = 500) -> tuple[System, State, float]:
    """The bar of the other benchmarks, with fibres that keep their lengths cell by cell."""
    plain = bar("middle")
    x, free = plain.state.x, np.zeros(plain.system.n, dtype=bool)
    free[plain.system.free] = True
    middle = np.flatnonzero(np.abs(x[:, 2] - x[np.abs(x[:, 2] - 0.5).argmin(), 2]) < 1e-9)
    order = middle[np.lexsort((x[middle, 0], x[middle, 1]))]
    pairs = np.stack([order[:-1], order[1:]], axis=1)
    along = (np.abs(x[pairs[:, 0], 1] - x[pairs[:, 1], 1]) < 1e-9) & free[pairs].any(axis=1)
    pairs = pairs[along][:rods]
    system = plain.system
    terms = system.potential.terms
    held = build_system(x, system.mass, terms, system.motion, constraints=[FixedLengths(x, pairs)])
    return held, plain.state, STEP


WORK = {"chain": chain, "bar": fibred_bar}


def measure(workload: str, name: str, steps: int | None) -> dict[str, object]:
    system, state, h = WORK[workload]()
    integrator, tools, count = INTEGRATORS.find(name)(), StepTools(system), steps or STEPS[workload]
    progress = begin(system, integrator, state, tools)
    walls, iterations, factorisations, error, residual = [], 0, 0, 0.0, 0.0
    for frame in simulate(system, integrator, progress, h, count, tools):
        if frame.step:
            walls.append(frame.wall_seconds)
        iterations += frame.solve.iterations
        factorisations += frame.solve.factorisations
        error = max(error, largest(system.constraints.distances(frame.state.x)))
        residual = frame.ledger.residual / max(frame.ledger.energies.kinetic, 1e-300)
    tools.close()
    return {
        "workload": workload,
        "constraints": len(system.constraints),
        "unknowns": 3 * len(system.free),
        "integrator": name,
        "seconds_per_step": sum(walls[1:]) / (count - 1),  # a step may be taken in pieces
        "first": walls[0],
        "iterations": iterations / count,
        "factorisations": factorisations / count,
        "constraint_error": error,
        "residual": residual,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", default="chain,bar", help="chain, bar")
    parser.add_argument("--integrators", default=",".join(METHODS))
    parser.add_argument("--steps", type=int, help="steps of each run")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="one JSON document on the last line")
    options = parser.parse_args()
    use_threads(options.threads)
    show(
        [measure(w, name, options.steps) for w in options.work.split(",") for name in options.integrators.split(",")],
        options.json,
    )


if __name__ == "__main__":
    main()
