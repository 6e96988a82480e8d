# SPDX-License-Identifier: GPL-3.0-or-later
"""The job of each scene while it runs: looked after by a timer, or waited for where there is no window."""

import bpy
from bpy.app.handlers import persistent

from .messages import Refusal
from .process import Job, Plan

EVERY = 0.25
"""Seconds between two looks at a job."""
_jobs: dict[str, Job] = {}


def job_of(scene: bpy.types.Scene) -> Job | None:
    """The job that runs, or the last one of this session."""
    return _jobs.get(scene.name)


def running(scene: bpy.types.Scene) -> bool:
    job = job_of(scene)
    return job is not None and not job.done


def begin(scene: bpy.types.Scene, plan: Plan, log: object, wait: bool) -> Job:
    """Start a plan; with `wait` it has ended afterwards."""
    if running(scene):
        raise Refusal("a simulation is running; cancel it first")
    job = Job(plan, log)
    job.start()
    _jobs[scene.name] = job
    if wait:
        job.wait()
        _ended(scene.name, job)
    elif not job.done:
        bpy.app.timers.register(lambda name=scene.name: _look(name, job), first_interval=EVERY)
    else:
        _ended(scene.name, job)
    return job


def cancel_all() -> None:
    """Interrupt everything; runs can be resumed."""
    for job in _jobs.values():
        if not job.done:
            job.cancel()
    _jobs.clear()


def _look(name: str, job: Job) -> float | None:
    if _jobs.get(name) is not job:
        return None
    going = job.poll()
    if not going:
        _ended(name, job)
    _redraw()
    return EVERY if going else None


def _ended(name: str, job: Job) -> None:
    scene = bpy.data.scenes.get(name)
    if scene is not None:
        scene.supple.report = job.message


def _redraw() -> None:
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type in ("PROPERTIES", "VIEW_3D", "PREFERENCES"):
                area.tag_redraw()


@persistent
def _before_load(*_: object) -> None:
    cancel_all()


def register() -> None:
    bpy.app.handlers.load_pre.append(_before_load)


def unregister() -> None:
    cancel_all()
    bpy.app.handlers.load_pre.remove(_before_load)
