"""kill -9, Ctrl-C and damage, then --resume: the same result to the last bit as a run that was never stopped."""

import random
import shutil
import signal
from pathlib import Path

import pytest
from command import (
    BAR,
    assert_same_animation,
    assert_same_history,
    here,
    saved_step,
    start,
    status,
    stop_when_rows,
    supple,
    write_scene,
)

STEPS = 150
FAST_CHECKPOINTS = "\n[record]\ncheckpoint_seconds = 0.02\n"
SETTINGS = {
    "avf": ["integrator.name=avf"],
    "bdf2": ["integrator.name=bdf2"],
    "newmark": ["integrator.name=newmark"],
    "verlet": ["integrator.name=verlet", "time.step=0.001"],
    "reuse": ["integrator.name=avf", "solver.reuse=always"],
    "adaptive": ["integrator.name=avf", "body[0].material.name=neo-hookean"],
    "formula": [
        "integrator.name=avf",
        'body[0].material={ name = "formula", energy = "mu/2*(I1 - 3) - mu*log(J) + k/2*max(i4, 0)^2", mu = "8e3*(1 + X)", '
        'k = 1e4, fibre = [1, "Y", 0] }',
    ],
}

KILLS = {
    "avf": (2, 60),
    "bdf2": (60,),
    "newmark": (30,),
    "verlet": (30,),
    "reuse": (40,),
    "adaptive": (40,),
    "formula": (40,),
}
"""Rows of the history after which, give or take some, the run is killed."""


LONG = {"newmark", "verlet", "reuse", "adaptive", "formula"}
"""Their checkpoints are restored in determinism/test_same_bits.py too, in one process."""


@pytest.mark.parametrize("case", [pytest.param(c, marks=[pytest.mark.study] if c in LONG else []) for c in SETTINGS])
def test_kills_leave_no_trace(in_folder: Path, case: str) -> None:
    scene = write_scene(in_folder, BAR + FAST_CHECKPOINTS)
    settings = [word for setting in SETTINGS[case] for word in ("--set", setting)]
    arguments = ["run", scene.name, "--steps", STEPS, *settings]
    here(*arguments, "--out", "whole")
    killed = in_folder / "killed"
    chance = random.Random(case)
    arguments = [*arguments, "--out", "killed"]
    for first in KILLS[case]:
        child = start(*arguments, folder=in_folder)
        assert stop_when_rows(child, killed / "history.csv", first + chance.randint(0, 20), signal.SIGKILL)
        child.communicate()
        arguments = ["run", "--resume", "killed"]
    assert status(killed) == "running"
    here("run", "--resume", "killed")
    assert status(killed) == "finished"
    assert_same_history(in_folder / "whole", killed)
    assert_same_animation(in_folder / "whole", killed)
    assert (killed / "energy.svg").stat().st_size > 1000
    assert ("max(i4, 0)^2" in (killed / "scene.toml").read_text()) == (case == "formula")


def test_a_formula_is_continued_from_the_folder(in_folder: Path) -> None:
    scene = write_scene(in_folder)
    settings = [word for setting in SETTINGS["formula"] for word in ("--set", setting)]
    here("run", scene.name, "--steps", 8, *settings, "--out", "whole")
    here("run", scene.name, "--steps", 4, *settings, "--out", "halved")
    assert "max(i4, 0)^2" in (in_folder / "halved/scene.toml").read_text()
    here("run", "--resume", "halved", "--steps", 8)
    assert_same_history(in_folder / "whole", in_folder / "halved")
    assert_same_animation(in_folder / "whole", in_folder / "halved")


def test_a_damaged_checkpoint_falls_back_to_the_one_before(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene = write_scene(in_folder, BAR + FAST_CHECKPOINTS)
    here("run", scene.name, "--steps", STEPS, "--out", "whole")
    killed = in_folder / "killed"
    child = start("run", scene.name, "--steps", STEPS, "--out", "killed", folder=in_folder)
    assert stop_when_rows(child, killed / "history.csv", 60, signal.SIGKILL)
    child.communicate()
    whole_step = saved_step(killed)
    checkpoint = killed / "checkpoint"
    checkpoint.write_bytes(checkpoint.read_bytes()[:-100])
    assert saved_step(killed) < whole_step
    here("run", "--resume", "killed")
    out = capsys.readouterr().out
    assert "checkpoint: is damaged or only half written" in out
    assert "continuing from checkpoint.old" in out
    assert "continuing from checkpoint.old" in (killed / "log.txt").read_text()
    assert_same_history(in_folder / "whole", killed)
    assert_same_animation(in_folder / "whole", killed)


def test_without_any_good_checkpoint_there_is_a_message(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene = write_scene(in_folder)
    here("run", scene.name, "--steps", 2, "--out", "run")
    before = (in_folder / "run/history.csv").read_bytes()
    for name in ("checkpoint", "checkpoint.old"):
        (in_folder / "run" / name).write_bytes(b"supple")
    capsys.readouterr()
    here("run", "--resume", "run", "--steps", 4, code=2)
    error = capsys.readouterr().err
    assert "no usable checkpoint" in error
    assert "--overwrite" in error
    assert (in_folder / "run/history.csv").read_bytes() == before


def test_ctrl_c_then_resume(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene = write_scene(in_folder)
    here("run", scene.name, "--steps", STEPS, "--out", "whole")
    folder = in_folder / "stopped"
    child = start("run", scene.name, "--steps", STEPS, "--out", "stopped", "--json", folder=in_folder)
    assert stop_when_rows(child, folder / "history.csv", 30, signal.SIGINT)
    out, err = child.communicate()
    assert child.returncode == 130
    assert "Traceback" not in err
    assert '"status": "interrupted"' in out.splitlines()[-1]
    assert "supple run --resume stopped" in err
    assert status(folder) == "interrupted"
    assert (folder / "energy.svg").exists()
    here("run", scene.name, "--out", "stopped", code=2)
    assert "interrupted by the user" in capsys.readouterr().err
    shutil.copytree(folder, in_folder / "copy")
    here("run", "--resume", "copy")
    assert_same_history(in_folder / "whole", in_folder / "copy")
    assert_same_animation(in_folder / "whole", in_folder / "copy")


def test_resume_from_the_very_first_checkpoint(in_folder: Path) -> None:
    scene = write_scene(in_folder)  # five seconds between checkpoints: only the initial one is there
    here("run", scene.name, "--steps", STEPS, "--out", "whole")
    child = start("run", scene.name, "--steps", STEPS, "--out", "killed", folder=in_folder)
    assert stop_when_rows(child, in_folder / "killed/history.csv", 20, signal.SIGKILL)
    child.communicate()
    assert saved_step(in_folder / "killed") == 0
    here("run", "--resume", "killed")
    assert_same_history(in_folder / "whole", in_folder / "killed")
    assert_same_animation(in_folder / "whole", in_folder / "killed")


@pytest.mark.parametrize("backend", ["auto", "superlu"])
def test_threads_do_not_change_a_bit(in_folder: Path, backend: str) -> None:
    scene = write_scene(in_folder)
    arguments = ["run", scene.name, "--steps", 10, "--set", f"solver.backend={backend}"]
    here(*arguments, "--set", "solver.threads=1", "--out", "one")
    here(*arguments, "--set", "solver.threads=2", "--out", "two")
    supple(*arguments, "--set", "solver.threads=1", "--out", "elsewhere", folder=in_folder)
    assert_same_history(in_folder / "one", in_folder / "two")
    assert_same_history(in_folder / "one", in_folder / "elsewhere")
