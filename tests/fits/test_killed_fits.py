"""A fit that is killed at any moment and started again ends with the same bits as one that was never stopped."""

import json
import os
import random
import shutil
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


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A scene with a target beside it."""
    folder = tmp_path_factory.mktemp("killed")
    scene = write(folder)
    t, x = motion(scene, [f"{YOUNG}=2.4e5"])
    tip = np.column_stack([t, x[:, -4:].mean(axis=1)])
    np.savetxt(folder / "tip.csv", tip, delimiter=",", header="t,x,y,z", comments="")
    return scene


@pytest.fixture
def bar(scene: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The scene, in the folder of the command; tests write to folders of different names."""
    monkeypatch.chdir(scene.parent)
    return scene


def whole_fit(bar: Path, loss: tuple[object, ...]) -> Path:
    """The same fit, never stopped; made once."""
    folder = Path("whole-few" if loss is FEW else "whole-many")
    if not folder.exists():
        here("fit", bar, *UNKNOWNS, *loss, "--out", folder)
    return folder


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


def killed_fit(bar: Path, folder: Path) -> None:
    """A fit of FEW that was killed in the middle; one serves several tests."""
    kept = Path("killed")
    if not kept.exists():
        assert kill_after(5, kept, "fit", bar, *UNKNOWNS, *FEW, "--out", kept)
    shutil.copytree(kept, folder)


def same(one: Path, two: Path) -> None:
    assert json.loads((one / "fit.json").read_text()) == json.loads((two / "fit.json").read_text())
    for name in ("table.csv", "scene.toml"):
        assert (one / name).read_bytes() == (two / name).read_bytes()
    assert not (two / NAME).exists()


@pytest.mark.parametrize(
    ("loss", "kills"),
    [
        pytest.param(FEW, (), id="gauss-newton"),
        pytest.param(FEW, (1, 5), id="gauss-newton, killed twice", marks=pytest.mark.study),
        pytest.param(MANY, (1, 4), id="l-bfgs-b, killed twice", marks=pytest.mark.study),
    ],
)
def test_the_same_command_goes_on(
    bar: Path, loss: tuple[object, ...], kills: tuple[int, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    asked, folder = ("fit", bar, *UNKNOWNS, *loss), Path(f"killed-{'few' if loss is FEW else 'many'}-{len(kills)}")
    whole = whole_fit(bar, loss)
    if kills:
        for entries in kills:
            assert kill_after(entries, folder, *asked, "--out", folder)
    else:
        killed_fit(bar, folder)
    known = lines(folder)
    assert known >= 4
    capsys.readouterr()
    here(*asked, "--out", folder)
    assert f"{known - 1} results are already available" in capsys.readouterr().out
    same(whole, folder)


def test_a_cut_line_is_left_out_and_a_new_folder_found_again(bar: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("fit", bar, *UNKNOWNS, *FEW)
    whole, folder = whole_fit(bar, FEW), Path("runs/bar-fit")
    killed_fit(bar, folder)
    file = folder / NAME
    file.write_bytes(file.read_bytes()[:-7])
    here(*asked)
    assert "continues in runs/bar-fit" in capsys.readouterr().out
    same(whole, folder)
    assert [path.name for path in Path("runs").iterdir()] == ["bar-fit"]


def test_what_was_kept_of_another_fit_is_not_taken(bar: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("fit", bar, *UNKNOWNS, *FEW, "--out", "fitted")
    killed_fit(bar, Path("fitted"))
    other = (*asked[:3], f"{DENSITY}:log", *FEW, "--max-steps", 1, "--out", "fitted")
    here(*other, code=2)
    assert "contains an unfinished fit of another problem" in capsys.readouterr().err
    here(*other, "--overwrite")
    assert DENSITY in json.loads(Path("fitted/fit.json").read_text())["values"]
