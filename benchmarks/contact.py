"""What does contact between surfaces cost? Steps of a pile of twenty bodies, and of a cloth of 10,082 triangles on a sphere.

`pile`: the shipped scene with friction, as it is. `cloth-be`, `cloth-avf`: a cloth that falls over a sphere and folds, with
friction and self-contact, converged, by backward Euler, and by AVF with Rayleigh damping. Kernels are compiled and loaded before;
the best of `--repeats` runs counts. `cpu_step_s` is CPU time, which depends less on what else the machine does.

To compare with another checkout, run this file twice, with its `src` in front:
    PYTHONPATH=../other/src python benchmarks/contact.py --sizes pile --threads 1 --json
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

from bars import show
from supple.linalg.threads import threads
from supple.loop import Frame, simulate
from supple.scene.tables.scene import Scene
from supple.scene.text.load import load_scene, read_scene
from supple.solvers.tools import StepTools

STEPS = {"pile": 35, "cloth-be": 30, "cloth-avf": 30}
CLOTH = {
    "time": {"step": "1/60", "duration": 1.0},
    "contact": {"distance": 3e-3, "friction": 0.3},
    "obstacle": [
        {"name": "ball", "shape": "sphere", "centre": [0.0, 0.3, 0.0], "radius": 0.2, "friction": 0.3},
    ],
    "body": [
        {
            "name": "cloth",
            "mesh": {"shape": "cloth", "cells": [71, 71], "size": [1.0, 1.0], "origin": [-0.5, 0.52, -0.5]},
            "thickness": 2e-3,
            "material": {"name": "stvk-membrane", "young": 5e4, "poisson": 0.3},
            "bending": {"rigidity": 1e-4},
            "density": 100.0,
            "initial": {"rotate": {"axis": [0, 1, 0], "angle": 0.3}},
        }
    ],
}
DAMPED = {"damping": [{"name": "rayleigh", "stiffness": 5e-3}]}


def workload(name: str, count: int) -> Scene:
    changes = [f"solver.threads={count}"]
    if name == "pile":
        return load_scene("pile", changes)
    method = {"name": "backward-euler"} if name == "cloth-be" else {"name": "avf"}
    table = CLOTH | {"integrator": method} | (DAMPED if name == "cloth-avf" else {})
    return read_scene(table, Path.cwd(), name, changes)


def run(scene: Scene, steps: int) -> tuple[list[Frame], float, int]:
    """Frames, CPU seconds and the number of triangles."""
    built = scene.make().assemble()
    tools = StepTools(built.system, scene.solver.make())
    began = time.process_time()
    frames = list(simulate(built.system, scene.integrator.make(), built.state, scene.time.step, steps, tools))
    spent = time.process_time() - began
    tools.close()
    contact = built.contact.between
    return frames, spent, 0 if contact is None else len(contact.surface.triangles)


def measure(name: str, options: argparse.Namespace) -> dict[str, object]:
    scene = workload(name, options.threads)
    steps = options.steps or STEPS[name]
    run(scene, 2)  # loads what is compiled
    best = min((run(scene, steps) for _ in range(options.repeats)), key=lambda found: found[1])
    frames, spent, triangles = best
    walls = [frame.wall_seconds for frame in frames[1:]]
    iterations = sum(frame.solve.iterations for frame in frames)
    return {
        "workload": name,
        "threads": threads(),
        "triangles": triangles,
        "steps": len(walls),
        "step_s": sum(walls) / len(walls),
        "median_step_s": statistics.median(walls),
        "worst_step_s": max(walls),
        "cpu_step_s": spent / len(walls),
        "iterations": iterations,
        "factorisations": sum(frame.solve.factorisations for frame in frames),
        "evaluations": sum(frame.solve.line_search_steps for frame in frames),
        "cpu_iteration_ms": 1e3 * spent / iterations,
        "pieces": sum(not frame.whole for frame in frames),
        "residue": max(abs(frame.ledger.residue) for frame in frames),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default=",".join(STEPS), help=", ".join(STEPS))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--steps", type=int, default=0, help="of each workload; 0: as many as it has")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="one JSON document on the last line")
    options = parser.parse_args()
    show([measure(name, options) for name in options.sizes.split(",")], options.json)


if __name__ == "__main__":
    main()
