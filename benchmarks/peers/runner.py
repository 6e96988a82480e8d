"""Shared by the scripts of all peers: timed steps, larger numbers of substeps after a divergence, and the result.

A script calls `main(METHODS)`, where each method makes a `Stepper` for a problem and a number of substeps per frame:
    PYTHON script.py PROBLEM.npz RESULT.npz METHOD --limit SECONDS
The last line that it prints is a JSON document; the result file holds the last state and the last substep. NumPy only.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from problem import Problem

FAR = 50.0
"""Distance from the start at which a run counts as diverged [m]."""


class Refused(Exception):
    """The peer lacks the workload; the message has the reason."""


class Stepper(Protocol):
    """A peer's simulation."""

    def advance(self) -> None:
        """One substep, complete when it returns."""

    def state(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions and velocities, in double precision."""


@dataclass(frozen=True)
class Method:
    """A way of the peer to solve a workload."""

    make: Callable[[Problem, int], Stepper]
    law: str
    """Which energy the peer has: `stvk`, `stable-neo-hookean`, ...; empty where it is none that can be evaluated."""
    substeps: tuple[int, ...] = (1,)
    """Per frame; the next number is tried when a run diverges."""
    equation: str = "backward-euler"
    """The equation of a substep; `none` for explicit ones, which have no residual."""
    note: str = ""


@dataclass
class Run:
    """Outcome of a number of substeps."""

    seconds: list[float]
    arrays: dict[str, np.ndarray]
    diverged: bool = False
    late: bool = False


def sane(problem: Problem, x: np.ndarray) -> bool:
    return bool(np.isfinite(x).all() and np.abs(x - problem.start).max() < FAR)


def attempt(problem: Problem, stepper: Stepper, substeps: int, deadline: float) -> Run:
    """Frames of the problem until they end, diverge, or the time is up."""
    seconds: list[float] = []
    run = Run(seconds, {})
    for _ in range(problem.steps):
        spent = 0.0
        before = after = stepper.state()
        for k in range(substeps):
            before = stepper.state() if k == substeps - 1 else before
            began = time.perf_counter()
            stepper.advance()
            spent += time.perf_counter() - began
            if time.perf_counter() > deadline and k < substeps - 1:
                run.late = True
                return run
        after = stepper.state()
        if not sane(problem, after[0]):
            run.diverged = True
            return run
        seconds.append(spent)
        run.arrays = dict(zip(("before_x", "before_v", "x", "v"), (*before, *after), strict=True))
        if time.perf_counter() > deadline:
            run.late = len(seconds) < problem.steps
            return run
    return run


def told(problem: Problem, method: Method, substeps: int, run: Run, setup: float) -> dict[str, Any]:
    """The row of a run."""
    later = run.seconds[1:] or run.seconds
    notes = [method.note] if method.note else []
    if run.late:
        notes.append(f"time was up after {len(run.seconds)} of {problem.steps} steps")
    return {
        "status": "late" if run.late else "done",
        "law": method.law,
        "equation": method.equation,
        "substeps": substeps,
        "steps": len(run.seconds),
        "seconds_per_step": float(np.mean(later)),
        "first_step_seconds": run.seconds[0],
        "setup_seconds": setup,
        "note": "; ".join(notes),
    }


def play(problem: Problem, method: Method, result: Path, limit: float) -> dict[str, Any]:
    """The row of the first number of substeps that survives."""
    deadline = time.perf_counter() + limit
    for substeps in method.substeps:
        began = time.perf_counter()
        stepper = method.make(problem, substeps)
        setup = time.perf_counter() - began
        run = attempt(problem, stepper, substeps, deadline)
        if not run.seconds and run.late:
            fewer = f", diverged with {substeps // 2}" if substeps != method.substeps[0] else ""
            return {"status": "stopped", "note": f"no step of {substeps} substeps within {limit:.0f} s{fewer}"}
        if not run.diverged:
            own = {"mass": stepper.own_mass} if hasattr(stepper, "own_mass") else {}  # where a peer has other masses
            np.savez(result, **run.arrays, **own)
            row = told(problem, method, substeps, run, setup)
            return row | getattr(stepper, "extra", dict)()
        if time.perf_counter() > deadline:
            break
    note = f"diverged with up to {substeps} substeps"
    if substeps != method.substeps[-1]:
        note += ", no time for more"
    return {"status": "diverged", "law": method.law, "substeps": substeps, "note": note}


def main(methods: Mapping[str, Method | Callable[[Problem], Method]]) -> None:
    """Reads the command line, runs and prints the row."""
    parser = argparse.ArgumentParser()
    parser.add_argument("problem", type=Path)
    parser.add_argument("result", type=Path)
    parser.add_argument("method", choices=sorted(methods))
    parser.add_argument("--limit", type=float, default=60.0)
    options = parser.parse_args()
    problem = Problem.load(options.problem)
    method = methods[options.method]
    try:
        chosen = method if isinstance(method, Method) else method(problem)
        row = play(problem, chosen, options.result, options.limit)
    except Refused as reason:
        row = {"status": "refused", "note": str(reason)}
    print(json.dumps(row))
