"""Short runs that call the kernels of scenes, so they are compiled in advance.

A trial is one step of a shipped scene, or of a tiny body with one registered material or method.
"""

from __future__ import annotations

import dataclasses
import os
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from supple.errors import SuppleError
from supple.interruption.children import deaf_children, end_children, leave_with_parent
from supple.interruption.placing import scratch

BLOCK = {"mesh": {"shape": "bar", "cells": [2, 1, 1], "size": [0.2, 0.1, 0.1]}, "pin": "left"}
SHEET = {
    "mesh": {"shape": "cloth", "cells": [2, 2], "size": [0.2, 0.2]},
    "pin": ["corner_01", "corner_11"],
    "thickness": 1e-3,
}
SOFT = {"young": 1e4, "poisson": 0.3}
STIFFNESS = 1e3
"""Value of every constant of a membrane."""
ENERGY = "(I1 - 2)^2"
"""Energy of a membrane given as a formula."""


@dataclass(frozen=True)
class Trial:
    """One scene to be run for a step."""

    name: str
    scene: str = ""
    """Name of a shipped scene."""
    tables: dict[str, Any] | None = None
    """Or its tables."""
    may_refuse: bool = False
    """Whether a refusal is acceptable: not every method supports every body."""


def all_trials() -> list[Trial]:
    """All trials; those of scenes first, since they take longest."""
    from supple.scene.text.shipped import shipped_scenes

    return [*(Trial(f"scene {name}", scene=name) for name in shipped_scenes()), *_of_materials(), *_of_methods()]


def _of_materials() -> Iterator[Trial]:
    from supple.materials import MATERIALS, MEMBRANES

    for name in MATERIALS.names():
        yield Trial(f"material {name}", tables=_tables(BLOCK, {"name": name, **SOFT}))
    for name, cls in sorted(MEMBRANES.load().items()):
        fields: Any = dataclasses.fields(cls)  # type: ignore[arg-type]
        needed = {f.name: {"energy": ENERGY}.get(f.name, STIFFNESS) for f in fields if f.default is dataclasses.MISSING}
        yield Trial(f"material {name}", tables=_tables(SHEET, {"name": name, **needed}))


def _of_methods() -> Iterator[Trial]:
    from supple.integrators import INTEGRATORS

    springs = _tables(SHEET, {"name": "hooke-spring", "stretch": STIFFNESS})
    solid = _tables(BLOCK, {"name": "stvk", **SOFT})
    for name in INTEGRATORS.names():
        for kind, tables in (("solid", solid), ("springs", springs)):
            yield Trial(f"{name} on a {kind}", tables={**tables, "integrator": {"name": name}}, may_refuse=True)


def _tables(body: dict[str, Any], material: dict[str, Any]) -> dict[str, Any]:
    thin = {"thickness": 1e-3} if material["name"].endswith("membrane") else {}
    return {"time": {"step": 1e-3}, "body": [{**body, **thin, "material": material}]}


def try_out(trial: Trial) -> str:
    """Run a trial for one step; returns a problem, or an empty text."""
    from supple.recording.folder import RunStatus
    from supple.runs.run import start_run
    from supple.scene.text.load import load_scene, read_scene

    with scratch() as folder:
        try:
            scene = load_scene(trial.scene) if trial.tables is None else read_scene(trial.tables, folder)
            job = start_run(scene, folder / "run", steps=1)
            status = RunStatus.FAILED
            try:
                for _ in job.frames():
                    pass
                status = RunStatus.FINISHED
            finally:
                job.finish(status)
        except SuppleError as error:
            return "" if trial.may_refuse else f"{trial.name}: {error}"
    return ""


def run_trials(trials: list[Trial], workers: int | None = None) -> Iterator[tuple[Trial, str]]:
    """Run trials in separate processes; yields each when done, with its problem."""
    # not forked: a child of a process with threads may hang
    with scratch() as place:
        pool = ProcessPoolExecutor(
            workers or os.cpu_count(), get_context("spawn"), initializer=_begin, initargs=(place,)
        )
        try:
            with deaf_children():
                running = {pool.submit(try_out, trial): trial for trial in trials}
            for done in as_completed(running):
                yield running[done], done.result()
        except BaseException:
            end_children()  # a kernel may take a minute
            raise
        finally:
            pool.shutdown(cancel_futures=True)


def _begin(place: Path) -> None:
    """Runs in each process; `place` is the folder of its files."""
    leave_with_parent()
    tempfile.tempdir = str(place)
