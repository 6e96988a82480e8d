"""kill -9, Ctrl-C and damage, then --resume: the same result to the last bit as a run that was never stopped."""

import json
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

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
    write_scene,
)

from supple import loop

STEPS = 150
FAST_CHECKPOINTS = "\n[record]\ncheckpoint_seconds = 0.02\n"
SETTINGS = {
    "avf": ["integrator.name=avf"],
    "twice": ["integrator.name=avf"],
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
    "avf": (60,),
    "twice": (2, 60),
    "bdf2": (60,),
    "newmark": (30,),
    "verlet": (30,),
    "reuse": (40,),
    "adaptive": (40,),
    "formula": (40,),
}
"""Rows of the history after which, give or take some, the run is killed."""


LONG = {"twice", "bdf2", "newmark", "verlet", "reuse", "adaptive", "formula"}
"""Their checkpoints are restored in determinism/test_same_bits.py too, in one process, and one after the other."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of an uninterrupted run of the bar."""
    folder = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        here("run", write_scene(folder).name, "--steps", STEPS, "--out", "whole")
    return folder / "whole"


def cut(folder: Path, step: int, monkeypatch: pytest.MonkeyPatch) -> Path:
    """State on the disk of a run in this folder after kill -9 in the middle of a step."""
    real, killed = loop.attempt, folder / "killed"

    def attempt(system: Any, integrator: Any, progress: Any, *rest: Any) -> Any:
        if progress.step == step:
            shutil.copytree(folder / "run", killed)
        return real(system, integrator, progress, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(loop, "attempt", attempt)
        here("run", "bar.toml", "--steps", STEPS, "--out", "run")
    assert status(killed) == "running"
    return killed


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


def test_a_damaged_checkpoint_falls_back_to_the_one_before(
    in_folder: Path, whole: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_scene(in_folder, BAR + FAST_CHECKPOINTS)
    killed = cut(in_folder, 60, monkeypatch)
    whole_step = saved_step(killed)
    checkpoint = killed / "checkpoint"
    checkpoint.write_bytes(checkpoint.read_bytes()[:-100])
    assert saved_step(killed) < whole_step
    here("run", "--resume", "killed")
    out = capsys.readouterr().out
    assert "checkpoint: is damaged or only half written" in out
    assert "continuing from checkpoint.old" in out
    assert "continuing from checkpoint.old" in (killed / "log.txt").read_text()
    assert_same_history(whole, killed)
    assert_same_animation(whole, killed)


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


def test_ctrl_c_then_resume(in_folder: Path, whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene = write_scene(in_folder)
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
    assert_same_history(whole, in_folder / "copy")
    assert_same_animation(whole, in_folder / "copy")


def test_resume_from_the_very_first_checkpoint(in_folder: Path, whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_scene(in_folder, BAR + FAST_CHECKPOINTS.replace("0.02", "1000"))
    killed = cut(in_folder, 20, monkeypatch)
    assert saved_step(killed) == 0
    here("run", "--resume", "killed")
    assert_same_history(whole, killed)
    assert_same_animation(whole, killed)


def test_threads_do_not_change_a_bit(in_folder: Path) -> None:
    scene = write_scene(in_folder)
    backends = {"auto": "", "superlu": "-superlu"}
    asked = {
        backend: ["run", scene.name, "--steps", "10", "--set", f"solver.backend={backend}"] for backend in backends
    }
    elsewhere = [[*asked[b], "--set", "solver.threads=1", "--out", f"elsewhere{end}"] for b, end in backends.items()]
    words = [sys.executable, "-c", ONE_PROCESS, json.dumps(elsewhere)]
    subprocess.run(words, cwd=in_folder, check=True, capture_output=True)
    for backend, end in backends.items():
        here(*asked[backend], "--set", "solver.threads=1", "--out", f"one{end}")
        here(*asked[backend], "--set", "solver.threads=2", "--out", f"two{end}")
        assert_same_history(in_folder / f"one{end}", in_folder / f"two{end}")
        assert_same_history(in_folder / f"one{end}", in_folder / f"elsewhere{end}")


ONE_PROCESS = """
import json, sys
from supple.cli import main
for words in json.loads(sys.argv[1]):
    try:
        main(words)
    except SystemExit as left:
        assert not left.code, words
"""
