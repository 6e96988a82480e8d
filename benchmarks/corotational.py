"""A step of corotational-reversible relative to its minimum: one assembly, one factorisation and one solve, in one run.

A free bar of linear elasticity that spins and is stretched. Assembly begins with positions: frames, then the matrix and the
force. Both sides are timed in turns from the same state, so that a change of the machine's speed hits both; the figures are
medians. A step finds the frames of its end, which the next one begins with, and sums the forces with both.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from bars import CELLS, STEP, arguments, show
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.corotational.mandel import isotropic
from supple.energies.corotational.term import Corotational
from supple.energies.samples import Samples
from supple.integrators.linear.corotational import CorotationalReversible
from supple.linalg.threads import threads
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Bar
from supple.solvers.options import SolverOptions
from supple.solvers.tools import StepTools

REPEATS = {"small": 60, "middle": 15, "large": 5}


def spinning_bar(size: str) -> tuple[System, State]:
    """4 x 1 x 1 m, density 1000 kg/m^3, Young 1e6 Pa, Poisson 0.4."""
    mesh = Bar(cells=CELLS[size], size=(4.0, 1.0, 1.0)).mesh()
    X = mesh.vertices
    body = Corotational(X, mesh.tets, isotropic(1e6, 0.4))
    x = X * [1.05, 1.0, 1.0]
    system = build_system(X, lumped_mass(mesh, density=1000.0), [body])
    return system, State(0.0, x, np.cross([0.3, 1.0, 2.0], x - x.mean(axis=0)))


def linear_system(system: System, state: State, tools: StepTools) -> Callable[[], object]:
    """The matrix M + h^2/4 K and the force with the frames of a state, factorised and solved."""
    [body] = system.potential.terms
    assert isinstance(body, Corotational)
    weight = np.array([STEP**2 / 4])

    def solve() -> object:
        framed = system.potential.replaced([body.framed(state.x)])
        values = np.zeros(system.pattern.nnz)
        values[system.pattern.diagonal] = system.unknown_mass
        framed.add_hessian(Samples(state.x[None], weight, weight, weight), values)
        return tools.factor(values)(framed.gradient(state.x))

    return solve


def measure(size: str, backend: str) -> dict[str, object]:
    system, state = spinning_bar(size)
    tools, method = StepTools(system, SolverOptions(backend=backend)), CorotationalReversible()
    state, memory, _ = method.step(system, state, {}, STEP, tools)
    sides = {
        "linear": linear_system(system, state, tools),
        "step": lambda: method.step(system, state, memory, STEP, tools),
    }
    walls: dict[str, list[float]] = {name: [] for name in sides}
    for turn in range(REPEATS[size] + 1):
        for name, action in sides.items():
            began = time.perf_counter()
            action()
            if turn:  # the first one compiles and analyses
                walls[name].append(time.perf_counter() - began)
    tools.close()
    linear, step = (float(np.median(walls[name])) for name in ("linear", "step"))
    return {
        "tets": len(system.potential.terms[0].elements),
        "threads": threads(),
        "linear_system_ms": 1e3 * linear,
        "step_ms": 1e3 * step,
        "step_over_linear_system": step / linear,
    }


def main() -> None:
    options = arguments(__doc__ or "", sizes=("small", "middle"))
    show([measure(size, options.backend) for size in options.sizes], options.json)


if __name__ == "__main__":
    main()
