"""What do large steps through contact cost? A soft torus is thrown on its rim at 7 m/s, in steps of 1/30 s.

AVF and backward Euler side by side. The body moves by up to twenty times the width of the barrier per step, folds, and touches
itself. `coarse`: the body of the shipped scene; `fine`: 20 cells around, 2 across; `soft`: the same at half the stiffness;
`narrow`: with a third of the barrier. `shipped`: the scene as it is, 5 m/s in steps of 1/100 s. `iterations` are those of steps
that were taken, `rejected` the attempts at steps that were not. Kernels are compiled and loaded before; one run each.

To compare with another checkout, run this file twice, with its `src` in front:
    PYTHONPATH=../other/src python benchmarks/torus.py --sizes fine --json
"""

from __future__ import annotations

import argparse
import time

from bars import show
from supple.linalg.threads import threads
from supple.loop import Frame, simulate
from supple.scene.tables.scene import Scene
from supple.scene.text.load import load_scene
from supple.solvers.tools import StepTools

THROWN = ["time.step=1/30", "body[0].initial.velocity=[0,-7,0]"]
FINE = [*THROWN, "body[0].mesh.around=20", "body[0].mesh.across=2"]
SOFT = [*FINE, "body[0].material.young=3e4"]
CASES = {"coarse": THROWN, "fine": FINE, "soft": SOFT, "narrow": [*SOFT, "contact.distance=0.01"], "shipped": []}
METHODS = ("avf", "backward-euler")


def run(scene: Scene, steps: int) -> tuple[list[Frame], float, float, bool]:
    """Frames, seconds, CPU seconds, and whether surfaces ever crossed each other."""
    built = scene.make().assemble()
    tools = StepTools(built.system, scene.solver.make())
    began, spent = time.perf_counter(), time.process_time()
    frames = list(simulate(built.system, scene.integrator.make(), built.state, scene.time.step, steps, tools))
    wall, cpu = time.perf_counter() - began, time.process_time() - spent
    tools.close()
    contact = built.contact.between
    assert contact is not None
    places = (contact.surface.positions(frame.state.x) for frame in frames)
    return frames, wall, cpu, any(contact.surface.intersects(y) for y in places)


def measure(case: str, method: str, count: int) -> dict[str, object]:
    scene = load_scene("wheel-self-contact", [*CASES[case], f"integrator.name={method}", f"solver.threads={count}"])
    run(scene, 3)  # loads compiled kernels
    frames, wall, cpu, crossed = run(scene, scene.time.steps)
    scale = frames[0].ledger.energies.scale
    return {
        "case": case,
        "method": method,
        "threads": threads(),
        "seconds": wall,
        "cpu_seconds": cpu,
        "steps": frames[-1].whole_steps,
        "pieces": sum(not frame.whole for frame in frames),
        "rejected": sum(frame.rejected for frame in frames),
        "iterations": sum(frame.solve.iterations for frame in frames),
        "factorisations": sum(frame.solve.factorisations for frame in frames),
        "worst_step_s": max(frame.wall_seconds for frame in frames),
        "residual": max(abs(frame.ledger.residual) for frame in frames) / scale,
        "exceptional": sum(frame.exceptional for frame in frames),
        "crossed": crossed,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default=",".join(CASES), help=", ".join(CASES))
    parser.add_argument("--methods", default=",".join(METHODS), help=", ".join(METHODS))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="one JSON document on the last line")
    options = parser.parse_args()
    rows = [
        measure(case, method, options.threads)
        for case in options.sizes.split(",")
        for method in options.methods.split(",")
    ]
    show(rows, options.json)


if __name__ == "__main__":
    main()
