"""Contact runs that are stopped and resumed after any step go on with the same bits: shipped scenes, shrunk."""

from pathlib import Path

import numpy as np
import pytest

from supple.dynamics.state import State
from supple.loop import simulate
from supple.model.model import Model
from supple.progress import begin, restore
from supple.recording.folder import RunStatus
from supple.recording.history import read_history
from supple.runs.job import Job
from supple.runs.run import resume_run, start_run
from supple.scene.tables.scene import Scene
from supple.scene.text.load import load_scene, read_scene
from supple.solvers.tools import StepTools

SMALL = {
    "two-bodies": (8, ["body.0.mesh.cells=1", "body.1.mesh.cells=1"]),
    "wheel-self-contact": (14, ["body.0.mesh.around=8", "body.0.material.young=2e4", "obstacle.0.mesh.cells=[1, 1]"]),
    "pile": (5, ["body.0.initial.velocity=[0, -9, 0]", "body.4.initial.velocity=[0, -12, 0]"]),
    "draped-cloth": (10, ["body.0.mesh.cells=[6, 6]"]),
    "curtain": (10, ["body.0.mesh.cells=[12, 2]", "body.0.thickness=5e-2"]),
    "ball-on-stairs": (8, ["body.0.mesh.resolution=1"]),
    "bouncing-cube-exact": (12, []),
    "block-on-slope": (5, []),
}

MEETING = ("two-bodies", "wheel-self-contact", "pile")
"""Scenes in which surfaces must have met for the test to mean anything."""


def tools_of(scene: Scene, assembled: Model) -> StepTools:
    return StepTools(assembled.system, scene.solver.make())


@pytest.mark.parametrize("name", SMALL)
def test_a_resumed_contact_run_has_the_same_bits(name: str) -> None:
    """Resumed after every step in turn, each time for one more."""
    steps, changes = SMALL[name]
    scene = load_scene(name, changes)
    whole = scene.make().assemble()
    tools = tools_of(scene, whole)
    progress = begin(whole.system, scene.integrator.make(), whole.state, tools)
    run = simulate(whole.system, scene.integrator.make(), progress, scene.time.step, steps, tools)
    saved, taken, grew = [], [], 0
    for frame in run:
        meta, arrays = progress.save(tools)
        saved.append((meta, {key: np.array(value) for key, value in arrays.items()}))
        taken.append(frame)
        grew = max(grew, sum(array.size for key, array in arrays.items() if key.endswith("grown")))
    assert grew or name not in MEETING
    again = scene.make().assemble()  # one for all: what it remembers of later steps must not matter either
    for (meta, arrays), frame in reversed(list(zip(saved[:-1], taken[1:], strict=True))):
        fresh = tools_of(scene, again)
        resumed = restore(meta, arrays, fresh)
        goes_on = simulate(again.system, scene.integrator.make(), resumed, scene.time.step, steps, fresh)
        found = next(f for f in goes_on if f.step > meta["step"])
        assert same(found.state, frame.state), f"after step {meta['step']}"
        assert found.ledger == frame.ledger
        assert found.solve.iterations == frame.solve.iterations
        fresh.close()


def test_a_longer_run_keeps_the_stiffness_of_its_contact(tmp_path: Path) -> None:
    """The automatic stiffness depends on the duration; another one would change the energy of a closed contact."""
    block = {
        "mesh": {"shape": "cube", "cells": 1, "size": 0.1},
        "material": {"name": "stvk", "young": 1e4, "poisson": 0.3},
    }
    scene = {
        "time": {"step": 0.01, "duration": 0.04},
        "body": [
            {**block, "initial": {"translate": [0.0, 0.0008, 0.0]}},
            {**block, "initial": {"translate": [0.5, 3.0, 0.0]}},
        ],
        "obstacle": [{"shape": "half-space"}],
    }
    carried_out(start_run(read_scene(scene, tmp_path), tmp_path / "run"))
    for steps in (5, 7):
        carried_out(resume_run(tmp_path / "run", steps))
    history = read_history(tmp_path / "run" / "history.csv")
    assert history["step"][-1] >= 7
    assert history["other"][4] > 1e-3  # in contact where the first run ended
    assert np.abs(history["residual"]).max() < 1e-10 * history["total"][0]


def carried_out(job: Job) -> None:
    for _ in job.frames():
        pass
    job.finish(RunStatus.FINISHED)


def same(a: State, b: State) -> bool:
    return a.t == b.t and bool(np.array_equal(a.x, b.x) and np.array_equal(a.v, b.v))
