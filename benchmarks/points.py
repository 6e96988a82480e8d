"""Speed of material points: particles times steps per second and core, memory per particle, threads, comparison with taichi; and
the cost of an implicit step in explicit ones.

A cube of St. Venant-Kirchhoff particles, 5.8 of them per cell, flies with some noise; APIC, quadratic splines, substeps of
half the limit, ledger included. CPU time of all threads counts, since other load only adds wall time: the fastest of several
repeats, alternating with taichi. `--taichi PYTHON` names a Python of a separate environment with taichi, for the same formulas
in double precision (peers/points_taichi.py). Without it `over_taichi_f64` is null.

`--implicit 10,100` adds steps of AVF for the same cube at 10 and 100 times the explicit limit, relative to the CPU time of the
explicit substeps that each of them replaces. `--long 100` adds 100 substeps of the largest cube with all threads, including
sorting.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import time
from pathlib import Path

import numpy as np

from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.integrators.implicit.avf import AVF
from supple.integrators.points.mpm import Mpm
from supple.linalg.threads import use_threads
from supple.loop import simulate
from supple.materials.stvk import StVK
from supple.points.cloud import Cloud
from supple.points.explicit import Explicit, Setting
from supple.points.limit import Limit
from supple.points.matter import matter_of
from supple.points.spline import Spline
from supple.points.swarm import Laws, Swarm
from supple.points.transfer import APIC
from supple.solvers.report import SolveReport
from supple.types import Array

DX, PER_AXIS, STEPS, COURANT = 1 / 64, 1.8, 5, 0.5
PEER = Path(__file__).parent / "peers" / "points_taichi.py"


def cube(side: int) -> tuple[Cloud, Array, Array, Array]:
    """side^3 particles on their way: the cloud, masses, positions and velocities."""
    spacing = DX / PER_AXIS
    line = (np.arange(side) + 0.5) * spacing
    x = np.stack(np.meshgrid(line, line, line, indexing="ij"), axis=-1).reshape(-1, 3)
    rng = np.random.default_rng(0)
    x += 0.5 * spacing * (rng.random(x.shape) - 0.5) + 0.123
    v = 0.05 * rng.standard_normal(x.shape)
    volume = np.full(len(x), spacing**3)
    return Cloud(np.arange(len(x)), volume, StVK.from_young(1e5, 0.3)), 1000.0 * volume, x, v


def flying(side: int) -> Explicit:
    """The cube, ready for explicit substeps."""
    cloud, mass, x, v = cube(side)
    swarm = Swarm(Laws([cloud]), Spline(2, DX), mass, x, v, matter_of([cloud], len(x)))
    return Explicit(Setting(APIC(), (), np.array([0.0, -9.81, 0.0]), None, Limit(DX, COURANT, 10**6)), swarm)


def timed(motion: Explicit, h: float) -> tuple[float, float]:
    """CPU and wall seconds per substep."""
    cpu, wall = time.process_time(), time.perf_counter()
    motion.advance(0.0, STEPS * h)
    return (time.process_time() - cpu) / STEPS, (time.perf_counter() - wall) / STEPS


def peer(python: str, side: int, h: float, threads: int) -> float:
    """CPU seconds of a step of taichi."""
    given = (side, DX / PER_AXIS, DX, h, threads, STEPS, 2)
    done = subprocess.run([python, str(PEER), *map(str, given)], check=True, capture_output=True, text=True)
    return float(json.loads(done.stdout.splitlines()[-1])["cpu"])


def measure(side: int, threads: int, repeats: int, python: str | None) -> dict[str, object]:
    use_threads(threads)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    motion = flying(side)
    h = 0.999 * motion.limit()
    motion.advance(0.0, h)
    own, wall, other = np.inf, np.inf, np.inf
    for _ in range(repeats):
        for _ in range(2):
            cpu, seconds = timed(motion, h)
            own, wall = min(own, cpu), min(wall, seconds)
        if python is not None:
            other = min(other, peer(python, side, h, threads))
    count = side**3
    return {
        "particles": count,
        "threads": threads,
        "cpu_ms": 1e3 * own,
        "wall_ms": 1e3 * wall,
        "particle_steps_per_second": count / own,
        "particle_steps_per_second_wall": count / wall,
        "over_taichi_f64": other / own if python is not None else None,
        "bytes_per_particle": 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / count,
    }


def implicit(side: int, times: float, repeats: int) -> dict[str, object]:
    """A step of AVF, so many times as long as an explicit one may be, over the explicit ones that it replaces."""
    use_threads(1)
    motion = flying(side)
    h = 0.999 * motion.limit()
    motion.advance(0.0, h)
    cloud, mass, x, v = cube(side)
    system = build_system(x, mass, [], clouds=[cloud])
    own, explicit, work = np.inf, np.inf, SolveReport()
    for _ in range(repeats):
        frames = simulate(system, Mpm(AVF(), cell=DX), State(0.0, x, v), times * h, 2)
        next(frames)
        for _ in range(2):
            start = time.process_time()
            work = next(frames).solve
            own = min(own, time.process_time() - start)
        explicit = min(explicit, timed(motion, h)[0])
    return {
        "particles": side**3,
        "times_the_limit": times,
        "implicit_cpu_ms": 1e3 * own,
        "explicit_cpu_ms": 1e3 * explicit,
        "explicit_substeps_of_equal_cost": own / explicit,
        "over_explicit": own / (times * explicit),
        "newton": work.iterations,
        "products": work.cg_iterations,
        "factorisations": work.factorisations,
    }


def long(side: int, substeps: int) -> dict[str, object]:
    """Many substeps with all threads, including sorting."""
    use_threads(0)
    motion = flying(side)
    h = 0.999 * motion.limit()
    motion.advance(0.0, h)
    cpu, wall = time.process_time(), time.perf_counter()
    motion.advance(0.0, substeps * h)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return {"particles": side**3, "substeps": substeps, "cpu_s": cpu, "wall_s": wall}


def said(row: dict[str, object]) -> str:
    return "  ".join(
        f"{key} {value:.4g}" if isinstance(value, float) else f"{key} {value}" for key, value in row.items()
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sides", default="46,100", help="particles along the edge of each cube")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--taichi", metavar="PYTHON", help="a Python that has taichi")
    parser.add_argument(
        "--implicit", default="", metavar="TIMES", help="AVF at so many times the explicit limit, as in 10,100"
    )
    parser.add_argument("--implicit-side", type=int, default=37, help="particles along the edge of its cube")
    parser.add_argument("--long", type=int, default=0, metavar="SUBSTEPS", help="of the largest cube")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    sides = [int(side) for side in options.sides.split(",") if side]
    counts = [int(threads) for threads in options.threads.split(",")]
    rows = [measure(side, threads, options.repeats, options.taichi) for side in sides for threads in counts]
    times = [float(number) for number in options.implicit.split(",") if number]
    rows += [implicit(options.implicit_side, number, options.repeats) for number in times]
    rows += [long(max(sides), options.long)] if options.long else []
    if options.taichi is None:
        print("over_taichi_f64 is null: no --taichi PYTHON was given")
    for row in rows:
        print(said(row))
    if options.json:
        print(json.dumps(rows))


if __name__ == "__main__":
    main()
