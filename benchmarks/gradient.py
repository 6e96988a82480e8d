"""Cost of the derivatives of a run, relative to the run itself.

    python benchmarks/gradient.py [--cells 48 11 11] [--steps 30] [--threads 0] [--json]

A bar is clamped at one end and swings under gravity by AVF. `gradient_over_run`: a recorded run with all states kept and one
reverse sweep for the constants of every element, the start, the masses and the rest shape, over the plain run.
`checkpointed_over_run`: the same with checkpoints. `tangent_over_run`: one direction pushed along a record, over the plain
run, without the record itself. `record_over_run`: the recorded run alone. Memory is that of the record [MB].
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable

import numpy as np

import supple as sp
from supple.dynamics.state import State
from supple.linalg.threads import use_threads
from supple.model.model import Model
from supple.sensitivity.record import Record, record
from supple.sensitivity.sweeps import Direction, Share, pull, push

H = 1 / 60


def make_model(cells: tuple[int, int, int]) -> Model:
    size = tuple(0.05 * c for c in cells)
    bar = sp.Body(sp.Bar(cells=cells, size=size), sp.StVK.from_young(2e6, 0.3), name="bar", pin="left")
    return sp.assemble(sp.World([bar], gravity=(0.0, -9.81, 0.0)))


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def run(model: Model, steps: int) -> None:
    for _ in sp.simulate(model, sp.AVF(), h=H, steps=steps):
        pass


def pulled(found: Record, weights: np.ndarray) -> None:
    last = len(found.times) - 1

    def loss(index: int, state: State) -> Share | None:
        return Share(float(np.vdot(weights, state.x)), weights) if index == last else None

    pull(found, loss)


def kept_megabytes(found: Record) -> float:
    arrays = {id(a): a for s in found.taken for a in (s.before.x, s.before.v, s.after.x, s.after.v, *s.solved)}
    return sum(a.nbytes for a in arrays.values()) / 1e6


def measure(cells: tuple[int, int, int], steps: int) -> dict[str, float]:
    model = make_model(cells)
    weights = np.random.default_rng(0).standard_normal(model.state.x.shape)
    run(model, 2)
    pulled(record(model, sp.AVF(), h=H, steps=2), weights)
    plain = seconds(lambda: run(model, steps))
    found: list[Record] = []
    recorded = seconds(lambda: found.append(record(model, sp.AVF(), h=H, steps=steps)))
    reverse = seconds(lambda: pulled(found[0], weights))
    direction = Direction(v=weights)
    tangent = seconds(lambda: [*push(found[0], [direction])])
    keep = max(1, round(math.sqrt(steps)))
    checkpointed = seconds(lambda: pulled(record(model, sp.AVF(), h=H, steps=steps, keep=keep), weights))
    again = seconds(lambda: run(model, steps))
    plain = min(plain, again)
    return {
        "tets": len(model.mesh.tets),
        "steps": steps,
        "run_seconds": plain,
        "record_over_run": recorded / plain,
        "reverse_over_run": reverse / plain,
        "gradient_over_run": (recorded + reverse) / plain,
        "tangent_over_run": tangent / plain,
        "checkpointed_over_run": checkpointed / plain,
        "kept_megabytes": kept_megabytes(found[0]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--cells", type=int, nargs=3, default=(48, 11, 11))
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    use_threads(options.threads)
    figures = measure(tuple(options.cells), options.steps)
    for what, value in figures.items():
        print(f"{what.replace('_', ' '):<24}{value:12.3f}")
    if options.json:
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
