"""The first shot of a new user: an animal of irregular tets is dropped on stairs and a ground with friction, all defaults.

Prints Newton iterations per step, the CPU time of AVF relative to backward Euler, and the residual of the ledger.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from blends import animal
from supple.errors import SuppleError
from supple.loop import simulate
from supple.scene.text.load import load_scene
from supple.solvers.tools import StepTools

SCENE = """
[world]
gravity = 9.81
[time]
step = "1/60"
duration = 2.0
[integrator]
name = "avf"
[[body]]
name = "animal"
mesh = {{ file = "{file}" }}
material = {{ name = "stable-neo-hookean", young = 5e4, poisson = 0.4 }}
density = 1000.0
initial = {{ translate = [0.35, 0.35, 0.0], velocity = [0.0, -1.0, 0.0] }}
[[obstacle]]
name = "stairs"
shape = "stairs"
steps = 3
rise = 0.1
run = 0.15
width = 0.6
friction = 0.4
[[obstacle]]
name = "ground"
shape = "half-space"
friction = 0.4
"""


@dataclass(frozen=True)
class Shot:
    """Figures of one run."""

    failed: bool
    iterations: list[int]
    """Of each whole step."""
    exceptions: int
    """Steps that were not taken as the method promises, each with a note."""
    halved: int
    residual: float
    """Over the energy in play."""
    cpu: float
    """[s]"""


def shot(integrator: str, steps: int | None, threads: int) -> Shot:
    """Run the scene; the first step, which compiles kernels, is not timed."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "shot.toml"
        file.write_text(SCENE.format(file=animal()))
        scene = load_scene(str(file), [f"integrator.name={integrator}", f"solver.threads={threads}"])
        body = scene.make().assemble()
    tools = StepTools(body.system, scene.solver.make())
    iterations, exceptions, halved, residual, scale, pieces, began = [], 0, 0, 0.0, 0.0, 0, time.process_time()
    failed = False
    try:
        method = scene.integrator.make()
        for frame in simulate(body.system, method, body.state, scene.time.step, steps or scene.time.steps, tools):
            if frame.step <= 1:
                began = time.process_time()
            pieces += frame.solve.iterations
            exceptions, halved = exceptions + frame.exceptional, halved + frame.rejected
            residual, scale = max(residual, abs(frame.ledger.residual)), max(scale, frame.ledger.energies.scale)
            if frame.whole and frame.step:
                iterations.append(pieces)
                pieces = 0
    except SuppleError as problem:
        print(f"{integrator}: {problem}")
        failed = True
    tools.close()
    return Shot(failed, iterations, exceptions, halved, residual / scale, time.process_time() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, help="fewer steps than the 120 of the scene")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="one JSON document on the last line")
    options = parser.parse_args()
    avf, plain = (shot(name, options.steps, options.threads) for name in ("avf", "backward-euler"))
    figures = {
        "failed": avf.failed or plain.failed,
        "median_iterations": float(np.median(avf.iterations)),
        "worst_iterations": max(avf.iterations),
        "over_backward_euler": avf.cpu / plain.cpu,
        "residual": avf.residual,
        "exceptions": avf.exceptions,
        "halved": avf.halved,
        "cpu_seconds": {"avf": avf.cpu, "backward-euler": plain.cpu},
    }
    for name, value in figures.items():
        print(f"{name:20} {value}")
    if options.json:
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
