"""A trial: some steps of a scene, and whatever else calls its kernels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from supple.errors import SuppleError
from supple.interruption.placing import scratch


@dataclass(frozen=True)
class Trial:
    """One scene to be run for a few steps."""

    name: str
    scene: str = ""
    """Name of a shipped scene."""
    settings: tuple[str, ...] = ()
    """Changes of the shipped scene, as `--set`."""
    tables: dict[str, Any] | None = None
    """Tables of a scene, in place of a shipped one."""
    steps: int = 1
    also: Callable[[Path], object] | None = None
    """Called with the folder of the run."""
    may_refuse: bool = False
    """Whether a refusal is acceptable: not every method supports every body."""


def try_out(trial: Trial) -> str:
    """Run a trial; returns a problem, or an empty text."""
    from supple.scene.text.load import load_scene, read_scene

    with scratch() as folder:
        try:
            if trial.tables is None:
                scene = load_scene(trial.scene, trial.settings)
            else:
                scene = read_scene(trial.tables, folder)
            _run(scene, folder / "run", trial.steps)
            if trial.also is not None:
                trial.also(folder / "run")
        except SuppleError as error:
            return "" if trial.may_refuse else f"{trial.name}: {error}"
    return ""


def _run(scene: Any, folder: Path, steps: int) -> None:
    from supple.recording.folder import RunStatus
    from supple.runs.run import start_run

    job = start_run(scene, folder, steps=steps)
    status = RunStatus.FAILED
    try:
        for _ in job.frames():
            pass
        status = RunStatus.FINISHED
    finally:
        job.finish(status)
