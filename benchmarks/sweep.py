"""Gain and overhead of a sweep: many variants of a small scene on workers, compared with the same runs in sequence.

    python benchmarks/sweep.py [--runs 24] [--workers 2] [--steps 600] [--threads 1] [--json]

Both parts compute the same variants of a bar into run folders, with warm kernels. `sequential_seconds` is the time of all runs in
one process, one after the other; `sweep_seconds` that of the sweep, with the start and the end of its workers. `speedup` is the
first over the second, and `time_ratio` its inverse. `overhead_per_run_seconds` is the time of a worker per run beyond the run
itself: `workers * sweep_seconds_without_start` over the number of runs, minus the time of a run in the table. `start_seconds` is
the time before the first run begins. The histories of both parts are compared bit by bit.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

import numpy as np

from supple.linalg.threads import use_threads
from supple.recording.folder import RunStatus
from supple.recording.history import COLUMNS, read_history
from supple.runs.run import start_run
from supple.sweeps.axes import parse_axis
from supple.sweeps.campaign import Campaign, new_sweep
from supple.sweeps.designs import Grid
from supple.sweeps.farm import open_farm
from supple.sweeps.manifest import Row, State
from supple.sweeps.measures import make_measures
from supple.sweeps.plan import Base, Plan

SCENE = """
title = "bar of a benchmark"
[world]
gravity = 9.81
[time]
step = "1/60"
duration = 1.0
[[body]]
name = "bar"
mesh = { shape = "bar", cells = [12, 3, 3], size = [1.2, 0.3, 0.3] }
material = { name = "stvk", young = 1e6, poisson = 0.3 }
density = 500.0
pin = "left"
"""


def make_plan(folder: Path, runs: int, steps: int, threads: int) -> Plan:
    scene = folder / "bar.toml"
    scene.write_text(SCENE)
    axes = (parse_axis(f"body.0.material.young=5e5:2e6:{runs}:log"),)
    return Plan(Base.of_file(scene), axes, Grid(), make_measures(None), steps, threads)


def run_in_turn(plan: Plan, folder: Path, count: int) -> float:
    """Seconds of so many runs, one after the other in this process."""
    use_threads(plan.threads)
    began = time.perf_counter()
    for variant in plan.variants[:count]:
        job = start_run(plan.scene(variant), folder / f"{variant.index:03d}", overwrite=True)
        for _ in job.frames():
            pass
        job.save()
        job.finish(RunStatus.FINISHED)
    return time.perf_counter() - began


def sweep(campaign: Campaign, workers: int) -> dict[str, float]:
    """Seconds of a sweep, from the start of its workers to their end."""
    begun: list[float] = []

    def told(row: Row) -> None:
        if row.state is State.RUNNING:
            begun.append(time.perf_counter())

    began = time.perf_counter()
    with open_farm(workers, campaign.plan.threads) as farm:
        campaign.go(farm, told)
        done = time.perf_counter()
    own = sum(row.seconds or 0.0 for row in campaign.manifest.rows)
    runs = len(campaign.manifest.rows)
    return {
        "sweep_seconds": time.perf_counter() - began,
        "start_seconds": begun[0] - began,
        "run_on_worker_seconds": own / runs,
        "overhead_per_run_seconds": (workers * (done - begun[0]) - own) / runs,
    }


def same_bits(one: Path, two: Path) -> bool:
    """Whether two runs have the same history, but for the time that they took."""
    a, b = read_history(one / "history.csv"), read_history(two / "history.csv")
    return all(np.array_equal(a[column], b[column]) for column in COLUMNS if column != "wall_seconds")


def measure(runs: int, workers: int, steps: int, threads: int) -> dict[str, float | int | bool]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plan = make_plan(folder, runs, steps, threads)
        run_in_turn(plan, folder / "warm", 1)
        figures = sweep(new_sweep(plan, folder / "sweep"), workers)
        in_turn = run_in_turn(plan, folder / "runs", runs)
        pairs = [(folder / "runs" / f"{k:03d}", folder / "sweep/runs" / f"{k:03d}") for k in range(runs)]
        return {
            "runs": runs,
            "workers": workers,
            "sequential_seconds": in_turn,
            "speedup": in_turn / figures["sweep_seconds"],
            "time_ratio": figures["sweep_seconds"] / in_turn,
            **figures,
            "same_bits": all(same_bits(one, two) for one, two in pairs),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--runs", type=int, default=24)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = measure(options.runs, options.workers, options.steps, options.threads)
    for what, value in figures.items():
        print(f"{what.replace('_', ' '):<28}{value:10.3f}" if isinstance(value, float) else f"{what:<28}{value!s:>10}")
    if options.json:
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
