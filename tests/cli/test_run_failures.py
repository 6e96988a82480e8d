"""Failures during a run: an explosion, a full disk. The folder stays usable and records the reason."""

import errno
import os
from pathlib import Path

import pytest
from command import BAR, assert_same_animation, assert_same_history, here, last_json, status, write_scene

from supple.recording import history as history_module
from supple.recording.history import read_history
from supple.recording.playback import open_animation


def test_an_explosion_leaves_a_usable_folder(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_scene(in_folder, BAR.replace("2e4", "2e9"))
    setting = "integrator.name=forward-euler"
    here("run", "bar.toml", "--set", setting, "--steps", 300, "--out", "run", code=2)
    said = capsys.readouterr().err
    assert ": unstable" in said
    assert len(said.splitlines()) == 1
    folder = in_folder / "run"
    assert status(folder) == "failed"
    rows = read_history(folder / "history.csv")["step"]
    assert 1 < len(rows) < 300
    assert (folder / "energy.svg").stat().st_size > 1000
    assert "unstable" in (folder / "log.txt").read_text()
    with open_animation(folder / "animation.vtkhdf") as animation:
        assert len(animation) == len(rows)
    here("run", "--resume", "run", code=2)  # fails in the same way
    assert ": unstable" in capsys.readouterr().err
    assert len(read_history(folder / "history.csv")["step"]) == len(rows)


def fill_the_disk(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Every write of a row fails with a full disk after so many."""
    real, count = history_module.put, 0

    def put(descriptor: int, data: bytes, offset: int) -> None:
        nonlocal count
        count += 1
        if count > after:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(descriptor, data, offset)

    monkeypatch.setattr(history_module, "put", put)


def test_a_full_disk_stops_the_run_and_resume_continues_it(
    in_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_scene(in_folder, BAR + "\n[record]\ncheckpoint_seconds = 0.001\n")
    here("run", "bar.toml", "--steps", 20, "--out", "whole")
    with monkeypatch.context() as patch:
        fill_the_disk(patch, after=10)
        here("run", "bar.toml", "--steps", 20, "--out", "full", code=2)
    error = capsys.readouterr().err
    assert "history.csv: cannot write: the disk is full; free some space" in error
    folder = in_folder / "full"
    assert status(folder) == "failed"
    assert read_history(folder / "history.csv")["step"].tolist() == list(range(9))
    assert "the disk is full" in (folder / "log.txt").read_text()
    here("run", "--resume", "full")
    assert_same_history(in_folder / "whole", folder)
    assert_same_animation(in_folder / "whole", folder)


def test_a_full_disk_at_the_very_start(
    in_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_scene(in_folder)
    fill_the_disk(monkeypatch, after=0)
    here("run", "bar.toml", "--steps", 2, "--out", "run", code=2)
    assert "the disk is full" in capsys.readouterr().err
    assert status(in_folder / "run") == "failed"


@pytest.mark.usefixtures("blank")
def test_compare_counts_an_explosion_as_a_row(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_scene(in_folder, BAR.replace("2e4", "2e9"))
    names = "avf,forward-euler"
    here("compare", "bar.toml", "--integrators", names, "--steps", 250, "--json", "--set", "time.step=0.001")
    found = last_json(capsys.readouterr().out)
    assert found["folder"] == "runs/bar-compared"
    assert [(row["integrator"], row["status"]) for row in found["runs"]] == [
        ("avf", "finished"),
        ("forward-euler", "failed"),
    ]
    table = (in_folder / "runs/bar-compared/comparison.csv").read_text().splitlines()
    assert table[0].startswith("integrator,status,steps,energy_end_over_start,relative_residual")
    assert [line.split(",")[0] for line in table[1:]] == ["avf", "forward-euler"]
    assert len(list((in_folder / "runs/bar-compared").glob("*.png"))) == 1


def test_compare_checks_everything_first(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_scene(in_folder)
    here("compare", "bar.toml", "--integrators", "avf,backward-eular", code=2)
    assert "did you mean 'backward-euler'" in capsys.readouterr().err
    here("compare", "bar.toml", "--integrators", " , ", code=2)
    assert "--integrators: give at least one name" in capsys.readouterr().err
    assert not (in_folder / "runs").exists()
    here("run", "bar.toml", "--steps", 1, "--out", "both/verlet")
    here("compare", "bar.toml", "--integrators", "avf,verlet", "--out", "both", code=2)
    assert "both/verlet: already contains a run" in capsys.readouterr().err
    assert not (in_folder / "both/avf").exists()


@pytest.mark.usefixtures("blank")
def test_compare_several_scenes(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each with its own method unless others are named; folder and title are the common part of their names."""
    for name, method in (("bar-stiff", "avf"), ("bar-soft", "xpbd")):
        (in_folder / f"{name}.toml").write_text(f'{BAR}\n[integrator]\nname = "{method}"\n')
    here("compare", "bar-stiff.toml", "bar-soft.toml", "--steps", 5, "--json")
    found = last_json(capsys.readouterr().out)
    assert found["folder"] == "runs/bar-compared"
    assert [row["integrator"] for row in found["runs"]] == ["bar-stiff", "bar-soft"]
    assert all(row["seconds_per_frame"] > 0.0 for row in found["runs"])
    assert 'name = "xpbd"' in (in_folder / "runs/bar-compared/bar-soft/scene.toml").read_text()
    words = ["--steps", 2, "--integrators", "avf,midpoint", "--out", "four"]
    here("compare", "bar-stiff.toml", "bar-soft.toml", *words, "--json")
    labels = [row["integrator"] for row in last_json(capsys.readouterr().out)["runs"]]
    assert labels == ["bar-stiff avf", "bar-stiff midpoint", "bar-soft avf", "bar-soft midpoint"]
    here("compare", "bar-stiff.toml", "bar-stiff.toml", code=2)
    assert "compare: found 'bar-stiff' several times" in capsys.readouterr().err


POINTS = """
[time]
step = 0.01
duration = 0.1
[integrator]
name = "mpm"
cell = 0.1
transfer = "apic"
[[body]]
mesh = { shape = "cube", cells = 1, size = 0.2 }
points = {}
material = { name = "stvk", young = 1e5, poisson = 0.3 }
"""


@pytest.mark.usefixtures("blank")
def test_compare_transfers_of_points(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No other method moves points, so that transfers are compared; options of one go into its table."""
    write_scene(in_folder, POINTS)
    here("compare", "bar.toml", "--steps", 2, "--json")
    labels = [row["integrator"] for row in last_json(capsys.readouterr().out)["runs"]]
    assert labels == [f"mpm:transfer={name}" for name in ("affine-flip", "apic", "asflip", "flip", "pic")]
    given = "mpm:transfer=flip,transfer.blend=0.9,mpm:budget=true"
    here("compare", "bar.toml", "--steps", 2, "--integrators", given, "--out", "two", "--json")
    labels = [row["integrator"] for row in last_json(capsys.readouterr().out)["runs"]]
    assert labels == ["mpm:transfer=flip,transfer.blend=0.9", "mpm + budget"]
    assert "blend = 0.9" in (in_folder / "two" / labels[0] / "scene.toml").read_text()
    here("compare", "bar.toml", "--integrators", "avf", code=2)
    assert "avf cannot move material points, which interact on a grid; take mpm around it" in capsys.readouterr().err
