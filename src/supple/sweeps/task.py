"""The work of a worker: one run of a sweep, from its start or from its last checkpoint, and its measures.

A task may be started twice: a killed worker leaves its run to another one. The folder of the run determines
the remaining work, so nothing finished is computed again.
"""

from __future__ import annotations

import os
import socket
import time
import tomllib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from supple.errors import RecordError, SuppleError
from supple.recording.folder import FolderInUse, RunFolder, RunStatus
from supple.runs.job import Job
from supple.runs.results import Run
from supple.runs.run import nothing_left, resume_run, start_run
from supple.scene.tables.scene import Scene
from supple.scene.text.load import read_scene
from supple.scene.text.plugins import load_plugin, only_plugins
from supple.sweeps.cluster.deaths import announce
from supple.sweeps.cluster.wanted import still_wanted, this_worker
from supple.sweeps.measures import Measure
from supple.sweeps.parcel import unpack
from supple.sweeps.site import Site

TOPIC = "supple-sweep"
"""Topic of progress events."""
PAUSE = 0.5
"""Interval between progress events [s]."""
PATIENCE = 60.0
"""Waiting time for a process that still writes into the run folder, such as a worker given up too early [s]."""


@dataclass(frozen=True)
class Task:
    """One run, as sent to a worker."""

    index: int
    folder: str
    """Folder of the run, below that of the sweep."""
    text: str
    """The scene."""
    files: tuple[str, ...] = ()
    """Names of required files."""
    plugins: tuple[str, ...] = ()
    """Files that are programs; each was allowed by the user with --plugin."""
    threads: int = 1
    again: bool = False
    """Whether a failed run is repeated."""


@dataclass(frozen=True)
class Outcome:
    """Outcome of a run."""

    index: int
    error: str | None
    seconds: float
    worker: str
    """Machine and process."""
    address: str = ""
    """Address of the worker in its cluster."""
    measures: dict[str, float] = field(default_factory=dict)
    root: str = ""
    """Folder of the sweep, as the worker sees it."""


class Unwanted(Exception):
    """The result of a run is no longer needed."""


Taken = Callable[[Job, int], None]
"""Carries a run to its end, given its number in the sweep."""


def carry_out(
    task: Task, site: Site, measures: tuple[Measure, ...], contents: dict[str, bytes], taken: Taken | None = None
) -> Outcome:
    """Run a task at a site of the sweep, with its files. Errors of the run are results: they are rows of the
    table."""
    began, root = time.monotonic(), site.path()
    error: str | None = None
    figures: dict[str, float] = {}
    try:
        _settle(task, site, contents)
        with only_plugins(root / name for name in task.plugins):
            job = _job(task, root, root / task.folder)
            if job is not None:
                (taken or _to_the_end)(job, task.index)
            run = Run(root / task.folder)
            figures = {measure.name: measure.value(run) for measure in measures}
    except Unwanted as left:
        from distributed import Reschedule

        raise Reschedule from left
    except (SuppleError, OSError) as problem:
        error = str(problem) or type(problem).__name__
    except Exception as problem:  # of a plugin or a measure, which may raise anything
        error = f"{type(problem).__name__}: {problem}"
    return Outcome(task.index, error, time.monotonic() - began, *_here(), figures, str(root.resolve()))


def _settle(task: Task, site: Site, contents: dict[str, bytes]) -> None:
    """Prepare a worker for a task: threads, files, plugins."""
    from supple.linalg.threads import use_threads

    worker = this_worker()
    if worker is not None:
        announce(worker, task.index)
    use_threads(task.threads)
    site.check()
    unpack(site.path(), contents)
    for name in task.plugins:
        load_plugin(site.path() / name)


def _scene(task: Task, root: Path) -> Scene:
    return read_scene(tomllib.loads(task.text), root, task.folder)


def _to_the_end(job: Job, index: int) -> None:
    """Compute a run on a worker. A run whose result is no longer needed stops with a checkpoint."""
    status, reason = RunStatus.FAILED, ""
    try:
        last = -PAUSE
        for _ in job.frames():
            if time.monotonic() - last >= PAUSE:
                _tell(index, job.progress.whole_steps, job.steps)
                last = time.monotonic()
            if not still_wanted():
                job.save()
                status = RunStatus.INTERRUPTED
                raise Unwanted
        job.save()
        status = RunStatus.FINISHED
    except BaseException as problem:
        reason = str(problem)
        raise
    finally:
        job.finish(status, reason)


def _job(task: Task, root: Path, place: Path) -> Job | None:
    """The remaining work in a folder, once no other process writes there; None if complete."""
    patient_until = time.monotonic() + PATIENCE
    while True:
        try:
            return _opened(task, root, place)
        except FolderInUse:
            if time.monotonic() > patient_until or not still_wanted():
                raise
            time.sleep(0.2)


def _opened(task: Task, root: Path, place: Path) -> Job | None:
    status = None
    with suppress(RecordError):  # no run exists yet
        status = RunFolder.open(place).status
    if status is RunStatus.FINISHED and nothing_left(place):
        return None
    if status is not None and not (task.again and status is RunStatus.FAILED):
        try:
            return resume_run(place)
        except FolderInUse:
            raise
        except RecordError:  # killed before its first checkpoint: nothing to resume from
            pass
    return start_run(_scene(task, root), place, overwrite=True)


def rehearse(task: Task, site: Site, contents: dict[str, bytes]) -> None:
    """The first step of a task, for the kernels that it compiles. Problems of a task are reported later, in its row."""
    from supple.runs.simulating import simulate

    with suppress(Exception):
        _settle(task, site, contents)
        setup = _scene(task, site.path()).make()
        for _ in simulate(setup.assemble(), setup.method, h=setup.h, steps=1, solver=setup.solver):
            pass


def get_ready() -> None:
    """Imports of a worker's first run, done by all workers in parallel while one of them compiles."""
    import supple.runs.simulating
    import supple.sweeps.results  # noqa: F401


def _here() -> tuple[str, str]:
    """Name and address of this worker."""
    worker = this_worker()
    return f"{socket.gethostname()}:{os.getpid()}", "" if worker is None else str(worker.address)


def _tell(index: int, done: int, steps: int) -> None:
    """Report the progress of a run, if this is a worker."""
    worker = this_worker()
    if worker is not None:
        worker.log_event(TOPIC, {"index": index, "done": done, "steps": steps, "worker": str(worker.name)})
