"""Does a long run stay as fast and as small as it began?

`steps`: a million steps of five tets by Verlet's method. `conserving`: 100,000 steps of AVF on the same. `frames`: 10,000 steps
recorded into a folder, each with a row of the history, a frame of the animation and, every 0.05 s, a checkpoint. `pile`: 500
steps of 200 bodies that fall on each other, with friction.

A run is measured in tenths. `step_first_us`, `step_last_us`: CPU time per step of the first and of the last tenth (the lower
quartile of ten parts). `machine_ratio`: the same of a fixed piece of work that is timed after each part. The clock of a machine
drifts by several per cent within minutes, so `time_ratio` alone says little: `relative_ratio` is `time_ratio / machine_ratio`.
`memory_first_mb`, `memory_last_mb`: resident memory at their ends. `time_ratio`, `memory_ratio`: last over first. The small body
is in free flight, so that no tenth has more to do than another; the pile has. `residual`: of the energy ledger at the end,
relative to the largest energy. Tenths are reported on stderr as they end.

    python benchmarks/soak.py --phases steps conserving frames --json
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bars import show
from contact import pile
from supple.loop import Frame, simulate
from supple.recording.folder import RunStatus
from supple.runs.run import start_run
from supple.scene.tables.scene import Scene
from supple.scene.text.load import read_scene
from supple.solvers.tools import StepTools

STEPS = {"steps": 1_000_000, "conserving": 100_000, "frames": 10_000, "pile": 500}
TENTHS = 10
PARTS = 10
"""Parts of a tenth: their lower quartile counts, so that other load in between does not."""
BODY: dict[str, Any] = {
    "name": "cube",
    "mesh": {"shape": "cube", "cells": 1, "size": 0.2, "tets": 5},
    "material": {"name": "stvk", "young": 1e5, "poisson": 0.3},
    "density": 1000.0,
    "initial": {"spin": [0.3, 1.0, 0.2]},
}


def scene(phase: str, steps: int) -> Scene:
    if phase == "pile":
        return read_scene(pile(200), Path.cwd(), phase, ["solver.threads=1"])
    method, h = ("verlet", 1e-4) if phase == "steps" else ("avf", 2e-3)
    table = {
        "world": {"gravity": 0.0},
        "time": {"step": h, "duration": steps * h},
        "integrator": {"name": method},
        "solver": {"threads": 1},
        "record": {"checkpoint_seconds": 0.05, "fps": 1.0 / h},
        "body": [BODY],
    }
    return read_scene(table, Path.cwd(), phase)


def plain(own: Scene, steps: int) -> Iterator[Frame]:
    """Frames that are discarded."""
    setup = own.make()
    model = setup.assemble()
    tools = StepTools(model.system, setup.solver)
    yield from simulate(model.system, setup.method, model.state, setup.h, steps, tools)
    tools.close()


def recorded(own: Scene, steps: int) -> Iterator[Frame]:
    """Frames that go into a folder."""
    with tempfile.TemporaryDirectory() as folder:
        job = start_run(own, Path(folder) / "run", steps)
        try:
            yield from job.frames()
        finally:
            job.finish(RunStatus.FINISHED)


def reference() -> float:
    """CPU time of a fixed piece of work, calls of small NumPy functions as in a step of a small body [s]."""
    began, a = time.process_time(), np.full((5, 3, 3), 0.5)
    for _ in range(3_000):
        a = np.clip(a @ a, 0.1, 0.6)
    return time.process_time() - began


def quiet(parts: list[float]) -> float:
    """Time of a part without other load in between."""
    return statistics.quantiles(parts, n=4)[0]


def resident() -> float:
    """Memory of this process [MB]."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def measure(phase: str, steps: int) -> dict[str, object]:
    own = scene(phase, steps)
    times: list[float] = []
    memory: list[float] = []
    parts: list[float] = []
    machine: list[float] = []
    references: list[float] = []
    part, scale, began = max(steps // (TENTHS * PARTS), 1), 0.0, 0.0
    for frame in (recorded if phase == "frames" else plain)(own, steps):
        scale = max(scale, frame.ledger.energies.scale)
        if not frame.whole or frame.whole_steps % part:
            continue
        if frame.whole_steps:
            parts.append(1e6 * (time.process_time() - began) / part)
            references.append(reference())
        if len(parts) == PARTS:
            times.append(quiet(parts))
            machine.append(quiet(references))
            memory.append(resident())
            parts, references = [], []
            told = f"{phase}, {frame.whole_steps} steps: {times[-1]:.1f} us per step, {memory[-1]:.1f} MB"
            print(told, file=sys.stderr, flush=True)
        began = time.process_time()
    return {
        "phase": phase,
        "steps": frame.whole_steps,
        "step_first_us": times[0],
        "step_last_us": times[-1],
        "time_ratio": times[-1] / times[0],
        "machine_ratio": machine[-1] / machine[0],
        "relative_ratio": times[-1] / times[0] / (machine[-1] / machine[0]),
        "memory_first_mb": memory[0],
        "memory_last_mb": memory[-1],
        "memory_ratio": memory[-1] / memory[0],
        "residual": abs(frame.ledger.residual) / scale,
        "steps_us": [round(t, 1) for t in times],
        "memory_mb": [round(m, 1) for m in memory],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--phases", nargs="+", choices=list(STEPS), default=list(STEPS))
    parser.add_argument("--steps", type=int, help="instead of the full number")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    show([measure(phase, options.steps or STEPS[phase]) for phase in options.phases], options.json)


if __name__ == "__main__":
    main()
