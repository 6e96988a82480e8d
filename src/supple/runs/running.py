"""A world run into a folder from Python: recorded, resumable, with progress."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from supple.checks import checked_call
from supple.errors import LimitReached, SuppleError
from supple.formulas.curves import Curve
from supple.integrators.method import Method
from supple.model.limits.limits import Limits
from supple.model.plain import method_table, plain, world_tables
from supple.model.world import World
from supple.recording.files import free_path
from supple.recording.folder import RunFolder, RunStatus
from supple.runs.bars import Show, frame_bar
from supple.runs.job import Job
from supple.runs.mesh_files import with_mesh_files
from supple.runs.results import Run
from supple.runs.run import nothing_left, resume_run, start_run
from supple.runs.stopping.budget import Budget
from supple.runs.stopping.carrying import taken
from supple.runs.stopping.guard import Guard
from supple.scene.tables.scene import Scene
from supple.scene.tables.setup import Setup
from supple.scene.text.load import load_scene, read_scene
from supple.solvers.options import SolverOptions

Source = World | Setup | str | os.PathLike[str]


@checked_call
def load(
    source: str | os.PathLike[str],
    overrides: tuple[str, ...] | list[str] = (),
    *,
    allow_paths: Sequence[str | os.PathLike[str]] = (),
) -> Setup:
    """The world, method and steps of a scene: a shipped one by its name, any other by its path.

        setup = supple.load("jelly", ["time.duration=0.5"])
        model = setup.assemble()

    allow_paths: further folders that the scene may read files from; valid for the rest of this process.
    """
    return load_scene(source if isinstance(source, str) else Path(source), overrides, allow_paths).make()


@checked_call
def run(
    source: Source,
    method: Method | None = None,
    *,
    h: float | None = None,
    steps: int | None = None,
    out: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    solver: SolverOptions | None = None,
    title: str = "",
    progress: bool = True,
    speed: float | str | Curve | None = None,
    fps: float | None = None,
    time_limit: float | str | None = None,
    memory_limit: float | str | None = None,
    limits: Limits | None = None,
) -> Run:
    """Run a world, or a scene by its name or path, into the folder `out`; the finished run.

        run = supple.run(world, supple.AVF(), h=1 / 60, steps=60, out="beam")

    A world needs a method (default: avf), h [s] and steps; a scene has its own. `supple.resume(out)` continues after an
    interruption; Ctrl-C leaves a folder that can be resumed. out: by default a new folder under `runs`. Meshes in memory,
    and array-valued material constants, are written to files beside it, in `OUT-meshes`.

    speed: simulated seconds per second of film, 0.25 for slow motion; fps: frames per second of film, default one per step.

    time_limit [s] or "10m", memory_limit [bytes] or "4GiB": a run that reaches a limit stops with a checkpoint and raises
    `LimitReached`; `supple.resume` continues it.
    limits: largest size of the world; default: those of the scene, or `supple.Limits()`.
    """
    budget = Budget.of(time_limit, memory_limit)
    folder = Path(out) if out else free_path(Path("runs"), _stem(source))
    RunFolder.check(folder, overwrite)
    if isinstance(source, World):
        source = with_mesh_files(source, folder.with_name(f"{folder.name}-meshes"))
    scene = _filmed(as_scene(source, method, h, steps, solver, title, limits=limits), speed, fps)
    return carried_out(start_run(scene, folder, overwrite=overwrite), progress, budget)


@checked_call
def resume(
    out: str | os.PathLike[str],
    *,
    steps: int | None = None,
    progress: bool = True,
    time_limit: float | str | None = None,
    memory_limit: float | str | None = None,
) -> Run:
    """Continue the run in a folder after its last checkpoint as if it had never stopped, up to `steps` in total, with
    limits as in `supple.run`."""
    budget = Budget.of(time_limit, memory_limit)
    if nothing_left(Path(out), steps):
        return Run(Path(out))
    return carried_out(resume_run(Path(out), steps), progress, budget)


def as_scene(
    source: Source,
    method: Method | None = None,
    h: float | None = None,
    steps: int | None = None,
    solver: SolverOptions | None = None,
    title: str = "",
    settings: Sequence[str] = (),
    limits: Limits | None = None,
) -> Scene:
    """The scene of a world, a setup, or a scene by its name or path, optionally with another method and other steps,
    and with `settings` as in `supple run --set`."""
    if isinstance(source, World) and (h is None or steps is None):
        raise SuppleError("run: a world requires h [s] and steps; a scene has its own")
    bounds: dict[str, object] = {"limits": _given(limits)} if limits is not None else {}
    if isinstance(source, World):
        tables = {**world_tables(source), "time": {"step": h, "duration": float(h or 0.0) * int(steps or 0)}, **bounds}
        scene = read_scene(tables, Path.cwd(), "", settings)
    elif isinstance(source, Setup):
        time = {"step": source.h, "duration": source.duration}
        if source.speed is not None:
            time["speed"] = plain(source.speed)
        tables = {**world_tables(source.world), "time": time, "integrator": method_table(source.method)}
        tables["limits"] = _given(limits or source.limits)
        scene = read_scene(tables, Path.cwd(), source.source, settings).remarked(source.notes)
        title = title or source.title
    else:
        scene = load_scene(source if isinstance(source, str) else Path(source), settings)
    changes: dict[str, object] = {"title": title, **bounds} if title else bounds
    if method is not None:
        changes["integrator"] = method_table(method)
    if solver is not None:
        changes["solver"] = _given(solver)
    if h is not None and not isinstance(source, World):
        changes["time"] = {**scene.time.model_dump(), "step": h}
    scene = scene.with_tables(changes) if changes else scene
    return scene if steps is None else scene.lasting(steps)


def _given(options: SolverOptions | Limits) -> dict[str, object]:
    """Options in the form of a table."""
    return {key: value for key, value in vars(options).items() if value is not None}


def _filmed(scene: Scene, speed: float | str | Curve | None, fps: float | None) -> Scene:
    """The scene with another speed and frame rate of its film, where they are given."""
    changes: dict[str, object] = {}
    if speed is not None:
        changes["time"] = {**scene.time.model_dump(exclude_none=True), "speed": plain(speed)}
    if fps is not None:
        record = scene.record.model_dump(exclude_none=True, exclude={"every"})
        changes["record"] = {**record, "fps": fps}
    return scene.with_tables(changes) if changes else scene


def _stem(source: Source) -> str:
    return Path(source).stem if isinstance(source, str | os.PathLike) else "world"


def carried_out(job: Job, progress: bool, budget: Budget | None = None) -> Run:
    """Run until the end, a limit, Ctrl-C or an error; the folder is usable in each case."""
    with _bar(job, progress) as show, Guard(budget) as guard:
        end = taken(job, guard, lambda frame: show(frame, job.progress.whole_steps))
    again = f"continue with supple.resume('{job.folder.path}')"
    if end.limit:
        raise LimitReached(f"{end.limit} after step {job.progress.step}; {again}")
    if end.status is RunStatus.INTERRUPTED:
        raise KeyboardInterrupt(f"interrupted after step {job.progress.step}; {again}")
    return Run(job.folder.path)


def _bar(job: Job, progress: bool) -> AbstractContextManager[Show]:
    if progress:
        return frame_bar(job.name, job.steps, job.progress.whole_steps)
    return nullcontext(lambda frame, done: None)
