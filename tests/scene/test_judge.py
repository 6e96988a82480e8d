"""Figures of a run against an [expect] table."""

import math
from pathlib import Path

import numpy as np
import pytest

from supple.errors import SceneError
from supple.recording.folder import RunStatus
from supple.recording.history import read_history
from supple.runs.judge import judge
from supple.runs.run import start_run
from supple.scene.text.load import load_scene

SCENE = """
[time]
step = 0.02
duration = 0.4
[integrator]
name = "backward-euler"
[[body]]
name = "bar"
mesh = { shape = "bar", cells = [3, 1, 1], size = [0.6, 0.2, 0.2] }
material = { name = "stvk", young = 1e5, poisson = 0.3 }
density = 500.0
pin = "left"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run; each test gives it other expectations."""
    path = tmp_path_factory.mktemp("judge")
    (path / "bar.toml").write_text(SCENE)
    job = start_run(load_scene(path / "bar.toml"), path / "run")
    for _ in job.frames():
        pass
    job.finish(RunStatus.FINISHED)
    return path / "run"


def figure(folder: Path, check: str) -> float:
    plain = (folder / "scene.toml").read_text().split("\n[expect")[0]
    (folder / "scene.toml").write_text(f"{plain}\n[expect.figure]\n{check}\n")
    (verdict,) = judge(folder)
    return verdict.figure


def test_columns(folder: Path) -> None:
    total = read_history(folder / "history.csv")["total"]
    step = read_history(folder / "history.csv")["newton_iterations"]
    for check, wanted in {
        "at_step = 3": total[3],
        'at = "end"': total[-1],
        "": total[-1],
        'at = "max"': total.max(),
        'at = "min"': total.min(),
        'at = "drift"': np.abs(total - total[0]).max() / abs(total[0]),
        "at_step = 3\nover_start = true": total[3] / total[0],
    }.items():
        assert figure(folder, f'column = "total"\n{check}\nabove = 0') == wanted
    assert figure(folder, 'column = "newton_iterations"\nat = "max"\nabove = 0') == step.max()


def test_what_is_not_there_never_passes(folder: Path) -> None:
    assert math.isnan(figure(folder, 'column = "total"\nat_step = 99\nbelow = 1e60'))
    assert math.isnan(figure(folder, 'column = "kinetic"\nover_start = true\nbelow = 1e60'))
    assert not judge(folder)[0].passes


def test_windows_must_not_overlap(folder: Path) -> None:
    """In a run of one window both are the same, and nothing could ever be lost."""
    assert math.isnan(figure(folder, 'swing = { group = "right", axis = "y", window = 0.3 }\nbelow = 1'))


def test_swing(folder: Path) -> None:
    found = figure(folder, 'swing = { group = "right", axis = "y", window = 0.2 }\nbelow = 1')
    assert 0 < found < 1  # backward Euler dissipates the motion
    assert math.isnan(figure(folder, 'swing = { group = "left", axis = "y", window = 0.2 }\nbelow = 1'))
    with pytest.raises(SceneError, match=r"unknown group 'bar.rihgt'; did you mean 'bar.right'"):
        figure(folder, 'swing = { group = "rihgt" }\nbelow = 1')


@pytest.mark.parametrize(
    ("check", "words"),
    [
        (
            'column = "time"\nvalue = 0.4\nabsolute = 1e-9',
            "held: figure: time at the end is 0.4; expected 0.4 within 1e-09",
        ),
        (
            'column = "time"\nvalue = 0.5\nrelative = 0.01',
            "NOT held: figure: time at the end is 0.4; expected 0.5 within 0.005",
        ),
        ('column = "h"\nat = "max"\nbelow = 0.1', "held: figure: h at its maximum is 0.02; expected at most 0.1"),
        ('column = "h"\nat_step = 3\nabove = 1', "NOT held: figure: h at step 3 is 0.02; expected at least 1"),
        (
            'column = "time"\nat = "drift"\nabove = 0.3\nbelow = 0.5',
            "held: figure: drift of time is 0.4; expected 0.3 to 0.5",
        ),
        (
            'column = "total"\nover_start = true\nat_step = 99\nbelow = 1',
            "NOT held: figure: total at step 99 over the start is not available: it requires a column that does not start at "
            "zero and a step 99; expected at most 1",
        ),
        (
            'swing = { group = "left" }\nbelow = 1',
            "NOT held: figure: swing of left along y is not available: it requires motion at the start and a run of at least "
            "2 s; expected at most 1",
        ),
    ],
)
def test_verdicts_in_words(folder: Path, check: str, words: str) -> None:
    figure(folder, check)
    assert str(judge(folder)[0]) == words


def test_the_potential_energy_is_what_is_not_kinetic(folder: Path) -> None:
    history = read_history(folder / "history.csv")
    found = figure(folder, 'column = "potential"\nat = "min"\nbelow = 1e9')
    assert found == pytest.approx((history["total"] - history["kinetic"]).min(), rel=1e-12)
