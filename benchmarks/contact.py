"""Cost of contact between surfaces: steps of piles, of a cloth of 10,082 triangles on a sphere, and of a wheel on itself.

`pile-20`: the shipped scene with friction; `pile-100`, `pile-200`: five and ten of these columns beside each other, turned,
mirrored and shifted. They are measured over the same simulated time, from the first contacts between bodies on. `exponent` is the
power of the number of bodies with which the time per step grows. `pile-20-late`, `pile-100-late`, `pile-200-late`: the same
piles from 0.35 s to 0.5 s, when most bodies lie on others; `rejected` counts rejected steps. `cloth-be`, `cloth-avf`: a cloth
that falls over a sphere and folds, with friction and self-contact, by converged steps of backward Euler, and of AVF with Rayleigh
damping. `wheel`: the shipped scene.

`share_detection`, `share_assembly`, `share_solve`: fractions of the wall time of the steps. Detection: pairs within reach, free
steps, groups. Assembly: matrices, contact blocks, growth of the pattern. Solve: analysis, factorisation, solution. The rest is
evaluation of energies and forces, friction, and the ledger. `setup_seconds`: from the table to the end of the first step. Kernels
are compiled and loaded before; the best of `--repeats` runs counts. `cpu_step_s` is CPU time, which depends less on other load.

To compare with another checkout, run this file twice, with its `src` in front:
    PYTHONPATH=../other/src python benchmarks/contact.py --sizes pile --threads 1 --json
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bars import show
from supple.contact.surfaces.touching import Touching
from supple.linalg.threads import threads
from supple.loop import Frame, simulate
from supple.scene.tables.scene import Scene
from supple.scene.text.load import load_scene, read_scene
from supple.solvers.linear import LinearSolver
from supple.solvers.tools import StepTools

PILES = ("pile-20", "pile-100", "pile-200")
LATE = "-late"
STEPS = dict.fromkeys(PILES, 35) | {name + LATE: 50 for name in PILES} | {"cloth-be": 20, "cloth-avf": 12, "wheel": 20}
FIRST = dict.fromkeys(PILES, 15) | {name + LATE: 35 for name in PILES}
"""Steps that do not count: those before the first contact between bodies, and those before they have piled up."""
COLUMN = 20
"""Bodies of the shipped pile."""
SYMMETRIES = (
    (lambda x, z: (x, z)), (lambda x, z: (z, -x)), (lambda x, z: (-x, -z)), (lambda x, z: (-z, x)),
    (lambda x, z: (-x, z)), (lambda x, z: (x, -z)), (lambda x, z: (z, x)), (lambda x, z: (-z, -x)),
)  # fmt: skip
"""Of a square: four turns and four mirrors."""
ENTRIES = {
    "detection": [(Touching, name) for name in ("at", "groups", "own_steps", "free_step", "passes")],
    "assembly": [(LinearSolver, "assemble")],
    "solve": [(LinearSolver, "descent"), (LinearSolver, "newton")],
}
"""Where time is spent, by share."""
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


def pile(count: int) -> dict[str, Any]:
    """The table of a pile of so many bodies: columns of the shipped one in two rows."""
    table = tomllib.loads((Path(__file__).parents[1] / "scenes" / "pile.toml").read_text())
    shipped, bodies = table["body"], []
    for i in range(count):
        column, k = divmod(i, COLUMN)
        turned, mirrored = SYMMETRIES[column % 8], column % 8 >= 4
        (x, y, z), rotate = shipped[k]["initial"]["translate"], shipped[k]["initial"]["rotate"]
        x, z = turned(x, z)
        ax, az = turned(rotate["axis"][0], rotate["axis"][2])
        axis = [-a if mirrored else a for a in (ax, rotate["axis"][1], az)]
        place = [x + 0.58 * (column % 2), y + 0.02 * (column % 5), z + 0.58 * (column // 2)]
        initial = {"rotate": {"axis": axis, "angle": rotate["angle"]}, "translate": place}
        bodies.append(shipped[k] | {"name": f"body{i}", "initial": initial})
    return {key: own for key, own in table.items() if key != "expect"} | {"body": bodies}


def workload(name: str, count: int) -> Scene:
    changes = [f"solver.threads={count}"]
    if name.startswith("pile"):
        return read_scene(pile(int(name.removesuffix(LATE).removeprefix("pile-"))), Path.cwd(), name, changes)
    if name == "wheel":
        return load_scene("wheel-self-contact", changes)
    method = {"name": "backward-euler"} if name == "cloth-be" else {"name": "avf"}
    table = CLOTH | {"integrator": method} | (DAMPED if name == "cloth-avf" else {})
    return read_scene(table, Path.cwd(), name, changes)


class Shares:
    """Seconds within entry points; nested calls count for the outer one only."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(ENTRIES, 0.0)
        self._stack: list[str] = []
        self._since = 0.0

    def watch(self) -> None:
        """Put timers around the entry points."""
        for share, entries in ENTRIES.items():
            for owner, name in entries:
                if hasattr(owner, name):  # older checkouts lack some
                    setattr(owner, name, self._timed(share, getattr(owner, name)))

    def _timed(self, share: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*args: Any, **kwargs: Any) -> Any:
            self._turn(share)
            try:
                return call(*args, **kwargs)
            finally:
                self._turn(None)

        return timed

    def _turn(self, share: str | None) -> None:
        """Record the elapsed time, and enter a share or leave the last one."""
        now = time.perf_counter()
        if self._stack:
            self.seconds[self._stack[-1]] += now - self._since
        self._since = now
        if share is None:
            self._stack.pop()
        else:
            self._stack.append(share)


SHARES = Shares()


@dataclass(frozen=True)
class Run:
    """Frames that count, and their wall and CPU times [s]."""

    frames: list[Frame]
    cpu: float
    shares: dict[str, float]
    setup: float
    triangles: int

    @property
    def walls(self) -> list[float]:
        return [frame.wall_seconds for frame in self.frames]


def run(name: str, options: argparse.Namespace, steps: int) -> Run:
    began, first = time.perf_counter(), FIRST.get(name, 0)
    scene = workload(name, options.threads)
    built = scene.make().assemble()
    tools = StepTools(built.system, scene.solver.make())
    frames, setup, cpu, before = [], 0.0, 0.0, dict(SHARES.seconds)
    for frame in simulate(built.system, scene.integrator.make(), built.state, scene.time.step, steps, tools):
        if frame.step == 1:
            setup = time.perf_counter() - began
        if frame.whole_steps + (not frame.whole) > first:
            frames.append(frame)
        else:
            cpu, before = time.process_time(), dict(SHARES.seconds)
    cpu = time.process_time() - cpu
    tools.close()
    contact = built.contact.between
    spent = {share: SHARES.seconds[share] - before[share] for share in before}
    return Run(frames, cpu, spent, setup, 0 if contact is None else len(contact.surface.triangles))


def measure(name: str, options: argparse.Namespace) -> dict[str, object]:
    steps = options.steps or STEPS[name]
    run("pile-20" if name.startswith("pile") else name, options, 25 if name.startswith("pile") else 2)  # loads kernels
    best = min((run(name, options, steps) for _ in range(options.repeats)), key=lambda found: found.cpu)
    frames, walls, spent = best.frames, best.walls, best.cpu
    if not frames:
        raise SystemExit(f"{name}: steps count from {FIRST.get(name, 0) + 1} on; increase --steps")
    iterations, whole = sum(frame.solve.iterations for frame in frames), steps - FIRST.get(name, 0)
    return {
        "workload": name,
        "threads": threads(),
        "triangles": best.triangles,
        "steps": len(walls),
        "setup_seconds": best.setup,
        "seconds_per_step": sum(walls) / whole,
        **{f"share_{share}": seconds / sum(walls) for share, seconds in best.shares.items()},
        "step_s": sum(walls) / len(walls),
        "median_step_s": statistics.median(walls),
        "worst_step_s": max(walls),
        "cpu_step_s": spent / len(walls),
        "iterations": iterations,
        "factorisations": sum(frame.solve.factorisations for frame in frames),
        "evaluations": sum(frame.solve.line_search_steps for frame in frames),
        "cpu_iteration_ms": 1e3 * spent / max(iterations, 1),
        "pieces": sum(not frame.whole for frame in frames),
        "rejected": sum(frame.rejected for frame in frames),
        "residual": max(abs(frame.ledger.residual) for frame in frames),
        "exponent": 0.0,
    }


def grow(rows: list[dict[str, Any]]) -> None:
    """Enter how seconds per step grow from twenty bodies to two hundred, where both were measured."""
    found = {row["workload"]: row for row in rows}
    for few, many in (("pile-20", "pile-200"), ("pile-20" + LATE, "pile-200" + LATE)):
        if {few, many} <= found.keys():
            found[many]["exponent"] = math.log10(found[many]["seconds_per_step"] / found[few]["seconds_per_step"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default=",".join(STEPS), help=f"{', '.join(STEPS)}; pile is pile-20")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--steps", type=int, default=0, help="of each workload; 0: as many as it has")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="one JSON document on the last line")
    options = parser.parse_args()
    SHARES.watch()
    names = ["pile-20" if name == "pile" else name for name in options.sizes.split(",")]
    rows = [measure(name, options) for name in names]
    grow(rows)
    show(rows, options.json)


if __name__ == "__main__":
    main()
