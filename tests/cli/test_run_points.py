"""Runs of material points from the command line: refusals, honest ends, kill and resume."""

import signal
from pathlib import Path

import pytest
from command import assert_same_animation, assert_same_history, here, start, status, stop_when_rows, write_scene

from supple.recording.history import read_history

SCENE = """
[time]
step = 0.01
duration = 0.2
[integrator]
name = "mpm"
cell = 0.1
[record]
checkpoint_seconds = 0.02
[[body]]
name = "jelly"
mesh = { shape = "cube", cells = 1, size = 0.3 }
points = { seed = 3 }
material = { name = "stvk", young = 1e5, poisson = 0.3 }
"""
SECOND = """
[[body]]
mesh = { shape = "cube", cells = 1, size = 0.3 }
points = { seed = 4 }
material = { name = "stvk", young = 1e5, poisson = 0.3 }
initial = { translate = [0.15, 0.0, 0.0] }
"""

REFUSED = {
    "particles too far apart": (
        ["integrator.cell=0.02", "body[0].points.cell=0.1"],
        "mpm.cell: a cloud has 0.064 particles per cell of 0.02 m; with fewer than 1 they do not hold together; use cells of "
        "0.079 m or larger, or more particles (points.per_cell)",
    ),
    "a method that remembers": (
        ["integrator.of=bdf2"],
        "integrator.of: found 'bdf2'; mpm takes one-step methods: avf, midpoint, backward-euler, simo-tarnow or symplectic-euler",
    ),
    "substeps beyond the limit": (["integrator.courant=1.5"], "integrator.courant: input should be less than or equal to 1"),
    "infinite speed": (
        ["body[0].initial.velocity=[1e200, 0, 0]"],
        "body[0].initial.velocity[0]: input should be 0, or from 1e-60 to 1e+60 in size, found 1e+200",
    ),
}  # fmt: skip


def settings(values: list[str]) -> list[str]:
    return [word for value in values for word in ("--set", value)]


@pytest.mark.parametrize(("values", "sentence"), REFUSED.values(), ids=REFUSED)
def test_refused_before_a_folder_is_made(
    in_folder: Path, capsys: pytest.CaptureFixture[str], values: list[str], sentence: str
) -> None:
    write_scene(in_folder, SCENE)
    here("run", "bar.toml", *settings(values), "--out", "run", code=2)
    assert sentence in capsys.readouterr().err.replace("\n", " ")
    assert not (in_folder / "run").exists()


def test_bodies_in_each_other_are_refused_and_neighbours_noted(
    in_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_scene(in_folder, SCENE + SECOND)
    here("run", "bar.toml", "--out", "run", code=2)
    said = capsys.readouterr().err.replace("\n", " ")
    assert "of a cloud lies inside another one at the start" in said
    assert "move the bodies apart (body.initial.translate)" in said
    here("run", "bar.toml", "--set", "body[1].initial.translate=[0.3, 0, 0]", "--steps", 1, "--out", "run")
    assert "mpm: bodies share nodes of the grid at the start" in capsys.readouterr().out


ENDED = {
    "too large a step": (
        ["integrator.most_substeps=6", "world.gravity=500"],
        "substeps of", "are allowed in one step; take a smaller time.step, larger cells or softer materials",
    ),
    "beyond the grid": (
        ["world.gravity=0", "body[0].initial.velocity=[200, 0, 0]", "body[0].initial.translate=[104830, 0, 0]"],
        "particles have left the grid, the first is particle", "farther than 1048576 cells of 0.1 m from the origin",
    ),
    "beyond the grid, implicit": (
        ["world.gravity=0", "body[0].initial.velocity=[200, 0, 0]", "body[0].initial.translate=[104830, 0, 0]",
         "integrator.of=avf"],
        "particles have left the grid, the first is particle", "farther than 1048576 cells of 0.1 m from the origin",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("values", "first", "last"), ENDED.values(), ids=ENDED)
def test_a_run_that_cannot_go_on_says_why_and_keeps_its_recording(
    in_folder: Path, capsys: pytest.CaptureFixture[str], values: list[str], first: str, last: str
) -> None:
    write_scene(in_folder, SCENE)
    here("run", "bar.toml", *settings(values), "--out", "run", code=2)
    out, err = capsys.readouterr()
    assert first in err.replace("\n", " ")
    assert last in err.replace("\n", " ")
    assert "the results so far are in run" in out
    assert status(in_folder / "run") == "failed"
    history = read_history(in_folder / "run/history.csv")
    assert 1 < len(history["step"]) < 21
    assert (in_folder / "run/animation.vtkhdf").stat().st_size > 10_000


KILLED = {
    "explicit": ["integrator.courant=0.01", "body[0].material.name=snow", "body[0].initial.velocity=[0, -3, 0]"],
    "avf + budget": [
        "integrator.of=avf",
        "integrator.budget=true",
        "world.gravity=0",
        "body[0].initial.spin=[1, 2, 3]",
    ],
}


@pytest.mark.study
@pytest.mark.parametrize("values", KILLED.values(), ids=KILLED)
def test_a_kill_leaves_no_trace(in_folder: Path, values: list[str]) -> None:
    write_scene(in_folder, SCENE)
    words = ["run", "bar.toml", "--steps", 100, *settings(values)]
    here(*words, "--out", "whole")
    child = start(*words, "--out", "killed", folder=in_folder)
    assert stop_when_rows(child, in_folder / "killed/history.csv", 20, signal.SIGKILL)
    child.communicate()
    assert status(in_folder / "killed") == "running"
    here("run", "--resume", "killed")
    assert status(in_folder / "killed") == "finished"
    assert_same_history(in_folder / "whole", in_folder / "killed")
    assert_same_animation(in_folder / "whole", in_folder / "killed")
