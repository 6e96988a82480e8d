"""The automatic linear solver against every fixed choice: bars, a thin plate, stiff inclusions, nearly incompressible bodies.

Time per step is the mean over all steps, the first one with its set-up included. `auto_over_best` is that of `auto` over the
best fixed choice of the same body; each body runs in a separate process with all choices one after the other.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time

import numpy as np

from bars import STEP, show
from supple.constraints.motion import Hold, Motion, Prescribed
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.gravity import Gravity
from supple.energies.solids.solid import Solid
from supple.errors import SuppleError
from supple.integrators import INTEGRATORS
from supple.linalg.threads import use_threads
from supple.loop import simulate
from supple.materials import MATERIALS
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Bar
from supple.solvers.options import Linear, SolverOptions
from supple.solvers.tools import StepTools

Shape = tuple[tuple[int, int, int], tuple[float, float, float]]
BAR, WIDE, PLATE = (4.0, 1.0, 1.0), (2.0, 2.0, 2.0), (2.0, 2.0, 0.02)
BODIES: dict[str, tuple[Shape, dict[str, float]]] = {
    "bar 3.5k": (((28, 5, 5), BAR), {}),
    "bar 29k": (((48, 11, 11), BAR), {}),
    "bar 192k": (((96, 20, 20), BAR), {}),
    "bar 192k free": (((96, 20, 20), BAR), {"free": 1}),
    "bar 192k short steps": (((96, 20, 20), BAR), {"step": 1 / 1000}),
    "cube 80k": (((25, 25, 25), WIDE), {}),
    "plate 50k": (((100, 100, 1), PLATE), {}),
    "plate 50k free": (((100, 100, 1), PLATE), {"free": 1}),
    "inclusions 29k": (((48, 11, 11), BAR), {"contrast": 1e6}),
    "inclusions 192k": (((96, 20, 20), BAR), {"contrast": 1e6}),
    "nu 0.49 29k": (((48, 11, 11), BAR), {"poisson": 0.49}),
    "nu 0.49 192k": (((96, 20, 20), BAR), {"poisson": 0.49}),
}
CHOICES = ("auto", "direct", "amg", "ic", "cg")


def body(shape: Shape, given: dict[str, float]) -> tuple[System, State, int]:
    """Density 1000 kg/m^3, Young 1e6 Pa; inclusions are balls of a fifth of the thickness on a grid."""
    mesh = Bar(cells=shape[0], size=shape[1]).mesh()
    mass, X, law = lumped_mass(mesh, density=1000.0), mesh.vertices, MATERIALS.find("stvk")
    centre = X[mesh.tets].mean(axis=1)
    apart = 0.5 * min(shape[1])
    stiff = np.linalg.norm((centre + 0.25 * apart) % apart - 0.5 * apart, axis=1) < 0.4 * apart
    stiff &= "contrast" in given
    nu = given.get("poisson", 0.4)
    terms = [Solid(X, mesh.tets[~stiff], law.from_young(1e6, nu)), Gravity(mass, np.array([0.0, 0.0, -9.81]))]
    if stiff.any():
        terms.append(Solid(X, mesh.tets[stiff], law.from_young(1e6 * given["contrast"], nu)))
    held = mesh.groups["left"]
    motion = Motion() if "free" in given else Motion((Prescribed(held, X[held].copy(), Hold()),))
    v = np.zeros_like(X)
    if "free" in given:  # bending, with no momentum to speak of
        v[:, 2] = np.sin(np.pi * X[:, 0] / shape[1][0])
    return build_system(X, mass, terms, motion), State(0.0, X.copy(), v), len(mesh.tets)


def measure(name: str, choice: Linear, steps: int) -> dict[str, object]:
    shape, given = BODIES[name]
    system, state, tets = body(shape, given)
    tools = StepTools(system, SolverOptions(linear=choice, tolerance=1e-8, energy_tolerance=1e-8))
    began = time.perf_counter()
    row: dict[str, object] = {"body": name, "tets": tets, "unknowns": system.pattern.unknowns, "choice": choice}
    try:
        frames = list(simulate(system, INTEGRATORS.find("avf")(), state, given.get("step", STEP), steps, tools))
        row |= {
            "step_s": (time.perf_counter() - began) / steps,
            "strategy": tools.solver.strategy,
            "iterations": sum(f.solve.iterations for f in frames),
            "factorisations": sum(f.solve.factorisations for f in frames),
            "cg_iterations": sum(f.solve.cg_iterations for f in frames),
        }
    except SuppleError as problem:
        row |= {"step_s": float("inf"), "strategy": f"failed: {problem}"[:60], "iterations": 0, "factorisations": 0}
        row |= {"cg_iterations": 0}
    finally:
        tools.close()
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bodies", default=",".join(BODIES))
    parser.add_argument("--choices", default=",".join(CHOICES))
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--alone", action="store_true", help="in this process")
    parser.add_argument("--json", action="store_true", help="one JSON document on the last line")
    options = parser.parse_args()
    if options.alone:
        use_threads(options.threads)
        choices = options.choices.split(",")
        measure(options.bodies, choices[0], 1)  # kernels are read from the cache
        print(json.dumps([measure(options.bodies, choice, options.steps) for choice in choices]))
        return
    rows = []
    for name in options.bodies.split(","):
        flags = [f"--bodies={name}", f"--choices={options.choices}", f"--steps={options.steps}"]
        command = [sys.executable, __file__, "--alone", *flags, f"--threads={options.threads}"]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
        found = json.loads(done.stdout.splitlines()[-1])
        fixed = [row["step_s"] for row in found if row["choice"] != "auto"]
        for row in found:
            row["auto_over_best"] = row["step_s"] / min(fixed) if row["choice"] == "auto" and fixed else 0.0
        rows += found
        show(found, False)
    show(rows, options.json)


if __name__ == "__main__":
    main()
