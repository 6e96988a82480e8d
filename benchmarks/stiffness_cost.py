"""Cost of stiffness: time per step of ERE and of SIERE for a bar with Young's modulus from 1e4 to 1e8 Pa, alternating.

ERE follows every vibration of the mesh, so its Krylov basis grows with h omega_max; SIERE follows ten and solves for the rest.
Ratios are to the softest bar. `--plot FILE` draws them.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np

from bars import CELLS, show
from supple.constraints.motion import Hold, Motion, Prescribed
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.gravity import Gravity
from supple.energies.solids.solid import Solid
from supple.integrators import INTEGRATORS
from supple.linalg.threads import use_threads
from supple.materials.stable_neo_hookean import StableNeoHookean
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Bar
from supple.solvers.tools import StepTools

MODULI = (1e4, 1e5, 1e6, 1e7, 1e8)
METHODS = ("ere", "siere")
STEP = 1 / 100
TURNS = 7


def problem(young: float, size: str) -> tuple[System, State]:
    """The bar, clamped at one end, on its way down."""
    mesh = Bar(cells=CELLS[size], size=(4.0, 1.0, 1.0)).mesh()
    X, mass = mesh.vertices, lumped_mass(mesh, density=1000.0)
    held = mesh.groups["left"]
    terms = [Solid(X, mesh.tets, StableNeoHookean.from_young(young, 0.4)), Gravity(mass, np.array([0.0, 0.0, -9.81]))]
    system = build_system(X, mass, terms, Motion((Prescribed(held, X[held].copy(), Hold()),)))
    return system, State(0.0, X.copy(), np.zeros_like(X))


def measure(size: str) -> list[dict[str, object]]:
    """Median seconds of a step of every method and modulus; all of them in every turn."""
    runs = [(name, young, *problem(young, size)) for young in MODULI for name in METHODS]
    tools = [StepTools(run[2]) for run in runs]
    states, seconds = [run[3] for run in runs], np.empty((len(runs), TURNS))
    for turn in range(-1, TURNS):  # the first round is for the compiler and the analysis of patterns
        for i, (name, _, system, _) in enumerate(runs):
            method = INTEGRATORS.find(name)()
            began = time.perf_counter()
            states[i], _, _ = method.step(system, states[i], {}, STEP, tools[i])
            seconds[i, turn] = time.perf_counter() - began
    rows: list[dict[str, object]] = []
    for i, (name, young, *_) in enumerate(runs):
        ratio = float(np.median(seconds[i] / seconds[METHODS.index(name)]))
        rows.append({"method": name, "young_pa": young, "step_s": float(np.median(seconds[i])), "over_softest": ratio})
    return sorted(rows, key=lambda row: METHODS.index(str(row["method"])))


def draw(rows: list[dict[str, object]], path: Path) -> None:
    from supple.render import style

    figure = style.new_figure(8.0, 4.4, "Time per step against stiffness")
    axes = figure.subplots()
    for name in METHODS:
        mine = [row for row in rows if row["method"] == name]
        stroke, mark = style.integrator_stroke(name), "s" if name == "siere" else "o"
        values = [float(str(row["over_softest"])) for row in mine]
        axes.loglog(
            MODULI, values, marker=mark, color=stroke.colour, linestyle=stroke.pattern, linewidth=2.2, label=name
        )
    style.dress(axes, "time / time at 1e4 Pa  [-]")
    axes.set_xlabel("Young's modulus  [Pa]", fontsize=12.5, color=style.INK)
    axes.legend(fontsize=12, frameon=False)
    figure.savefig(path, dpi=100)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", default="small", choices=list(CELLS))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--json", action="store_true", help="one JSON document on the last line")
    options = parser.parse_args()
    use_threads(options.threads)
    rows = measure(options.size)
    show(rows, False)
    if options.plot:
        draw(rows, options.plot)
    if options.json:
        print(json.dumps(rows))


if __name__ == "__main__":
    main()
