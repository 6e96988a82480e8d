"""Small bodies: a step over its bare linear algebra, steps per second, and the live page in real time.

Bodies: the hanging bar of 300 to 5,000 tets, all options as they are by default, ledger included. `first` are ten steps from
rest, `swing` sixty steps, in which the bar hangs nearly vertical and its matrix is often indefinite. `factor_solve_ms` is the
bare factorisation and solve of the last matrix; `step_over_bare` is a step over as many of these as it took Newton iterations.
Live: a bar of 3,500 tets on the live page at one step per frame, with a client that reads everything. Shares of CPU are those of
one core, of the process of the simulation and of that of the page.
"""

from __future__ import annotations

import argparse
import json
import os
import time
import tomllib
from pathlib import Path

import numpy as np

from bars import CELLS, STEP, bar, show
from streaming import client, cpu_seconds
from supple.dynamics.system import System
from supple.integrators import INTEGRATORS
from supple.linalg.factors.factorisation import analyse
from supple.linalg.threads import threads, use_threads
from supple.loop import simulate
from supple.scene.text.load import read_scene
from supple.solvers.tools import StepTools
from supple.viewer.figures import INDEX
from supple.viewer.live import PERIOD, LivePage
from supple.viewer.messages import Play
from supple.viewer.page.server import close_server, open_server

SIZES = {"300": (15, 2, 2), "1000": (22, 3, 3), "3500": (28, 5, 5), "5000": (40, 5, 5)}
METHODS = ("avf", "backward-euler", "bdf2", "midpoint", "newmark")
MOTIONS = {"first": 10, "swing": 60}
REPEATS = 40
LIVE = """
[time]
step = 0.03333333333333333
[integrator]
name = "avf"
[[body]]
mesh = { shape = "bar", cells = [28, 5, 5], size = [4.0, 1.0, 1.0] }
material = { name = "stable-neo-hookean", young = 1e6, poisson = 0.4 }
density = 1000.0
pin = "left"
"""


def measure(size: str, name: str, motion: str) -> dict[str, object]:
    """Means over the steps after the first two, which analyse and compile."""
    problem, method = bar(size), INTEGRATORS.find(name)()
    tools = StepTools(problem.system)
    frames = [f for f in simulate(problem.system, method, problem.state, STEP, MOTIONS[motion], tools) if f.step > 2]
    step = float(np.mean([f.wall_seconds for f in frames]))
    iterations = float(np.mean([f.solve.iterations for f in frames]))
    bare = bare_seconds(problem.system, tools)
    tools.close()
    return {
        "tets": problem.tets,
        "integrator": name,
        "motion": motion,
        "threads": threads(),
        "step_ms": 1e3 * step,
        "iterations_per_step": iterations,
        "factorisations_per_step": float(np.mean([f.solve.factorisations for f in frames])),
        "factor_solve_ms": 1e3 * bare,
        "step_over_bare": step / (iterations * bare),
        "steps_per_second": 1 / step,
    }


def bare_seconds(system: System, tools: StepTools) -> float:
    """Median time of a factorisation and a solve with the last matrix, made definite by its diagonal."""
    values = tools.solver.matrix.copy()
    values[system.pattern.diagonal] *= 2.0  # the last matrix of a swing need not be definite
    bare = analyse("cholesky", system.pattern.indptr, system.pattern.indices, "auto", threads())
    rhs, spent = np.random.default_rng(0).standard_normal(system.pattern.unknowns), []
    for _ in range(REPEATS):
        began = time.perf_counter()
        bare.factor(values)
        bare.solve(rhs)
        spent.append(time.perf_counter() - began)
    bare.close()
    return float(np.median(spent))


def live(seconds: float) -> dict[str, object]:
    """The live page of 3,500 tets, from the start of its swing on."""
    server = open_server("127.0.0.1", None, "benchmark")
    page = LivePage(server, read_scene(tomllib.loads(LIVE), Path()))
    simulation, frames, pace = page.simulation, 0, []
    try:
        with client(server.get_port(), reads=True) as received:
            simulation.send(Play(True))
            while (shown := simulation.latest()) is None or shown.figures[INDEX["step"]] < 5:
                time.sleep(0.05)
            number, first, bytes_before = shown.number, shown.figures[INDEX["step"]], received.value
            pids = simulation.pid or 0, os.getpid()
            before, began = [cpu_seconds(pid) for pid in pids], time.perf_counter()
            while time.perf_counter() - began < seconds:
                page.refresh()
                newest = simulation.latest(number)
                if newest is not None:
                    number, shown, frames = newest.number, newest, frames + 1
                    pace.append(shown.figures[INDEX["pace"]])
                time.sleep(PERIOD / 4)
            took = time.perf_counter() - began
            own, of_page = (cpu_seconds(pid) - b for pid, b in zip(pids, before, strict=True))
            sent = received.value - bytes_before
    finally:
        page.close()
        close_server(server)
    return {
        "tets": 3500,
        "vertices_shown": len(shown.x),
        "frames_per_second": frames / took,
        "steps_per_second": float(shown.figures[INDEX["step"]] - first) / took,
        "lowest_pace": float(np.nanmin(pace)),
        "simulation_share": own / took,
        "page_share": of_page / took,
        "mb_per_second": sent / took / 1e6,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default=",".join(SIZES), help=", ".join(SIZES))
    parser.add_argument("--integrators", default=",".join(METHODS))
    parser.add_argument("--threads", type=int, default=0, help="0: as the engine chooses")
    parser.add_argument("--seconds", type=float, default=8.0, help="of the live page; 0: without")
    parser.add_argument("--json", action="store_true", help="one JSON document on the last line")
    options = parser.parse_args()
    use_threads(options.threads)
    CELLS.update(SIZES)
    names = options.integrators.split(",")
    rows = [measure(size, name, m) for size in options.sizes.split(",") for name in names for m in MOTIONS]
    show(rows, as_json=False)
    page = [live(options.seconds)] if options.seconds else []
    show(page, as_json=False)
    if options.json:
        print(json.dumps({"bodies": rows, "live": page}))


if __name__ == "__main__":
    main()
