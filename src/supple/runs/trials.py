"""Short runs that call the kernels which scenes need, so that they are compiled before anybody waits for them.

A trial is a shipped scene for a step, or a tiny body made of one registered material, or moved by one registered method.
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

BLOCK = {"mesh": {"shape": "bar", "cells": [2, 1, 1], "size": [0.2, 0.1, 0.1]}, "pin": "left"}
SHEET = {"mesh": {"shape": "cloth", "cells": [2, 2], "size": [0.2, 0.2]}, "pin": ["corner_01", "corner_11"]}
SOFT = {"young": 1e4, "poisson": 0.3}
STIFFNESS = 1e3
"""Value of every constant that a membrane needs."""
ENERGY = "(I1 - 2)^2"
"""Of a membrane that is written as a formula."""


@dataclass(frozen=True)
class Trial:
    """One scene to be run for a step."""

    name: str
    scene: str = ""
    """Name of a shipped scene."""
    tables: dict[str, Any] | None = None
    """Or its tables."""
    may_refuse: bool = False
    """Whether a refusal is no problem: not every method moves every body."""


def all_trials() -> list[Trial]:
    """Those of the scenes first, which take longest."""
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
    """Run a trial for one step; returns what went wrong, or nothing."""
    from supple.recording.folder import RunStatus
    from supple.runs.run import start_run
    from supple.scene.text.load import load_scene, read_scene

    with tempfile.TemporaryDirectory() as folder:
        try:
            scene = load_scene(trial.scene) if trial.tables is None else read_scene(trial.tables, Path(folder))
            job = start_run(scene, Path(folder) / "run", steps=1)
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
    """Run trials in processes of their own; yields each when it is done, with what went wrong in it."""
    # not forked: a child of a process with threads may hang
    with ProcessPoolExecutor(workers or os.cpu_count(), mp_context=get_context("spawn")) as pool:
        running = {pool.submit(try_out, trial): trial for trial in trials}
        for done in as_completed(running):
            yield running[done], done.result()
