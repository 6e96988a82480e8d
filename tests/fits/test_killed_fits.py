"""A fit that is killed at any moment and started again ends with the same bits as one that was never stopped."""

import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from cli.command import command, here
from fits.fit_bars import DENSITY, YOUNG, motion, write
from supple.fits.solving.journal import NAME

UNKNOWNS = ("--unknown", f"{YOUNG}:log:1e4,1e7")
FEW = ("--follow", "right", "--target", "tip.csv", "--max-steps", 4)
MANY = ("--loss", "highest(right, 0.05)", "--max-steps", 3)


@pytest.fixture
def bar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A scene with a target beside it, in the folder of the command."""
    monkeypatch.chdir(tmp_path)
    scene = write(tmp_path)
    t, x = motion(scene, [f"{YOUNG}=2.4e5"])
    np.savetxt("tip.csv", np.column_stack([t, x[:, -4:].mean(axis=1)]), delimiter=",", header="t,x,y,z", comments="")
    return scene


def lines(folder: Path) -> int:
    return (folder / NAME).read_bytes().count(b"\n") if (folder / NAME).exists() else 0


def kill_after(entries: int, folder: Path, *arguments: object) -> bool:
    """Start a fit and kill it as soon as so many lines are kept; False if it was faster."""
    child = subprocess.Popen(
        command(*arguments), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=dict(os.environ)
    )
    while child.poll() is None:
        if lines(folder) >= entries:
            time.sleep(random.Random(entries).uniform(0.0, 0.03))
            child.send_signal(signal.SIGKILL)
            break
        time.sleep(0.002)
    child.communicate()
    return child.returncode == -signal.SIGKILL


def same(one: Path, two: Path) -> None:
    assert json.loads((one / "fit.json").read_text()) == json.loads((two / "fit.json").read_text())
    for name in ("table.csv", "scene.toml"):
        assert (one / name).read_bytes() == (two / name).read_bytes()
    assert not (two / NAME).exists()


@pytest.mark.parametrize("loss", [FEW, MANY], ids=["gauss-newton", "l-bfgs-b"])
def test_the_same_command_goes_on(bar: Path, loss: tuple[object, ...], capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("fit", bar, *UNKNOWNS, *loss)
    here(*asked, "--out", "whole")
    killed = [kill_after(entries, Path("killed"), *asked, "--out", "killed") for entries in (1, 4)]
    assert all(killed)
    known = lines(Path("killed"))
    assert known >= 4
    capsys.readouterr()
    here(*asked, "--out", "killed")
    assert f"{known - 1} results are already available" in capsys.readouterr().out
    same(Path("whole"), Path("killed"))


def test_a_cut_line_is_left_out_and_a_new_folder_found_again(bar: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("fit", bar, *UNKNOWNS, *FEW)
    here(*asked, "--out", "whole")
    folder = Path("runs/bar-fit")
    assert kill_after(5, folder, *asked)
    file = folder / NAME
    file.write_bytes(file.read_bytes()[:-7])
    here(*asked)
    assert "continues in runs/bar-fit" in capsys.readouterr().out
    same(Path("whole"), folder)
    assert [path.name for path in Path("runs").iterdir()] == ["bar-fit"]


def test_what_was_kept_of_another_fit_is_not_taken(bar: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("fit", bar, *UNKNOWNS, *FEW, "--out", "fitted")
    assert kill_after(3, Path("fitted"), *asked)
    other = (*asked[:3], f"{DENSITY}:log", *FEW, "--max-steps", 1, "--out", "fitted")
    here(*other, code=2)
    assert "contains an unfinished fit of another problem" in capsys.readouterr().err
    here(*other, "--overwrite")
    assert DENSITY in json.loads(Path("fitted/fit.json").read_text())["values"]
