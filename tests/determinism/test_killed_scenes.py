"""Every shipped scene, small: its folder after kills at random moments, with a torn last row, is continued to the same bits."""

import copy
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cli.command import assert_same_animation, assert_same_history
from fuzz import seeds
from supple.recording.folder import RunStatus
from supple.runs.job import Job
from supple.runs.run import resume_run, start_run
from supple.scene.tables.scene import Scene
from supple.scene.text.load import read_scene

STEPS, KILLS = 10, 4
RECORDS: tuple[dict[str, Any], ...] = (
    {"solver": {"threads": 1}},
    {"solver": {"threads": 2}},
    {"record": {"every": 3}},
    {"record": {"fps": 37.0}},
    {"record": {"fps": 50.0}, "time": {"speed": 0.37}},
)
QUICK = {"block-on-slope", "cantilever", "snowball"}
"""In all tests; the others in a study."""
NAMES = [pytest.param(name, marks=[] if name in QUICK else pytest.mark.study) for name in seeds.shipped()]


def scene(name: str, chance: Random, folder: Path) -> Iterator[Scene]:
    """The same scene again and again, with few elements, and recorded in one of several ways."""
    seed = seeds.seed(name)
    seed.copy_files(folder)
    tables = copy.deepcopy(seed.tables)
    for key, table in chance.choice(RECORDS).items():
        tables[key] = {**tables.get(key, {}), **table}
    if "fps" in tables.get("record", {}):
        tables["record"].pop("every", None)
    tables["time"]["duration"] = STEPS * seeds.seconds(tables["time"].get("step", 0.01))
    tables.setdefault("record", {})["checkpoint_seconds"] = 1e9
    while True:
        yield read_scene(copy.deepcopy(tables), folder)


def carried(job: Job) -> None:
    for _ in job.frames():
        pass
    job.save()
    job.finish(RunStatus.FINISHED)


def killed(job: Job, chance: Random, left: Path) -> None:
    """Take a few steps with checkpoints after some of them; `left`: a copy of the folder at that moment."""
    wanted = chance.randint(1, STEPS // 2)
    for count, frame in enumerate(job.frames(), 1):
        if frame.step and chance.random() < 0.4:
            job.save()
        if count == wanted:
            break
    shutil.copytree(job.folder.path, left)
    history = left / "history.csv"
    row = history.read_bytes().splitlines()[-1]
    history.write_bytes(history.read_bytes() + row[: chance.randint(0, len(row))])
    job.finish(RunStatus.INTERRUPTED)


@pytest.mark.parametrize("name", NAMES)
def test_kills_leave_no_trace(name: str, tmp_path: Path) -> None:
    chance = Random(name)
    scenes = scene(name, chance, tmp_path)
    carried(start_run(next(scenes), tmp_path / "whole"))
    job = start_run(next(scenes), tmp_path / "run")
    for k in range(KILLS):
        killed(job, chance, tmp_path / f"killed{k}")
        job = resume_run(tmp_path / f"killed{k}")
    carried(job)
    assert_same_history(tmp_path / "whole", job.folder.path)
    assert_same_animation(tmp_path / "whole", job.folder.path)


@pytest.mark.parametrize("name", NAMES)
def test_finished_runs_that_are_made_longer(name: str, tmp_path: Path) -> None:
    """Undisturbed, or killed after the first steps: bodies in contact keep the stiffness of the first duration."""
    chance = Random(name)
    scenes = scene(name, chance, tmp_path)
    for out in ("whole", "run"):
        carried(start_run(next(scenes), tmp_path / out, steps=3))
    carried(resume_run(tmp_path / "whole", STEPS))
    killed(resume_run(tmp_path / "run", STEPS), chance, tmp_path / "killed")
    carried(resume_run(tmp_path / "killed"))
    assert_same_history(tmp_path / "whole", tmp_path / "killed")
    assert_same_animation(tmp_path / "whole", tmp_path / "killed")
