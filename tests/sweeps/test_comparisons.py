"""`supple compare` as a sweep: values beside integrators, workers, a manifest, and going on after an interruption."""

import csv
import json
import os
import signal
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from clusters import Cluster

import supple as sp
from cli.command import BAR, assert_same_history, blank_figures, here, last_json, write_scene
from supple import loop
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.recording.history import read_history
from supple.sweeps.farm import Farm, open_farm

SMALL = BAR.replace("[4, 1, 1]", "[2, 1, 1]")
VALUES = "body.0.material.young=2e4,2e5"


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_scene(tmp_path, SMALL)
    blank_figures(monkeypatch)
    return tmp_path


def test_values_beside_integrators(
    in_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("supple.render.report.plots.picture", lambda panel: "data:image/svg+xml;base64,")  # slow
    given = ["--integrators", "avf,backward-euler:budget=true", "--vary", VALUES, "--steps", 4]
    here("compare", "bar.toml", *given, "--out", "both", "--json")
    found = last_json(capsys.readouterr().out)
    names = [row["integrator"] for row in found["runs"]]
    assert names == [
        f"{method}, young={young}" for method in ("avf", "backward-euler + budget") for young in ("2e+04", "2e+05")
    ]
    with (in_folder / "both/comparison.csv").open(newline="") as lines:
        assert [row["integrator"] for row in csv.DictReader(lines)] == names
    assert "young = 200000.0" in (in_folder / "both/avf,young=2e+05/scene.toml").read_text()
    swept = sp.Sweep("both")
    assert swept.columns["integrator"] == ["avf", "avf", *["backward-euler:budget=true"] * 2]
    assert swept.columns["body.0.material.young"] == [2e4, 2e5] * 2
    assert swept.columns["worker"][0]
    here("report", "both", "--json")
    assert len(last_json(capsys.readouterr().out)["runs"]) == 4
    assert "4 runs compared" in (in_folder / "both/report.html").read_text(encoding="utf-8")


def test_values_alone_keep_the_method_of_the_scene(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here("compare", "bar.toml", "--vary", VALUES, "--steps", 2, "--json")
    found = last_json(capsys.readouterr().out)
    assert [row["integrator"] for row in found["runs"]] == ["young=2e+04", "young=2e+05"]
    assert found["folder"] == "runs/bar-compared"


def test_workers_give_the_same_runs(
    in_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], shared: Cluster
) -> None:
    def opened(workers: int, threads: int) -> AbstractContextManager[Farm]:
        """Existing workers; new ones are opened in other tests."""
        asked.append(workers)
        return open_farm(threads=threads, scheduler=shared.address)

    asked: list[int] = []
    monkeypatch.setattr("supple.sweeps.farm.open_farm", opened)
    words = ["--integrators", "avf,midpoint", "--steps", 5, "--json"]
    here("compare", "bar.toml", *words, "--out", "one")
    here("compare", "bar.toml", *words, "--out", "two", "--workers", 2)
    assert [row["integrator"] for row in last_json(capsys.readouterr().out)["runs"]] == ["avf", "midpoint"]
    assert asked == [2]
    for name in ("avf", "midpoint"):
        assert_same_history(in_folder / "one" / name, in_folder / "two" / name)


def test_an_older_comparison_is_replaced_as_a_whole(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here("compare", "bar.toml", "--integrators", "avf,verlet", "--steps", 2, "--out", "both")
    here("compare", "bar.toml", "--integrators", "bdf2", "--steps", 2, "--out", "both", code=2)
    assert "both: already contains a sweep" in capsys.readouterr().err
    here("compare", "bar.toml", "--integrators", "avf", "--steps", 3, "--out", "both", "--overwrite", "--json")
    (row,) = last_json(capsys.readouterr().out)["runs"]
    assert row["steps"] == 3
    assert not (in_folder / "both/verlet").exists()


def test_a_method_that_is_refused_is_a_row_beside_others(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here("compare", "bar.toml", "--integrators", "avf,conserving-springs", "--steps", 2, "--json")
    captured = capsys.readouterr()
    rows = last_json(captured.out)["runs"]
    assert [(row["integrator"], row["status"]) for row in rows] == [
        ("avf", "finished"),
        ("conserving-springs", "failed"),
    ]
    assert rows[1]["steps"] is None
    assert "conserving-springs: integrator: " in captured.err


def test_two_words_for_the_method_are_refused(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here("compare", "bar.toml", "--integrators", "avf", "--vary", "integrator.name=bdf2,avf", code=2)
    assert "--integrators already selects the methods" in capsys.readouterr().err
    here("compare", "bar.toml", "--vary", "body.0.densty=1,2", code=2)
    assert "did you mean 'density'" in capsys.readouterr().err
    assert not (in_folder / "runs").exists()


def test_an_interrupted_comparison_goes_on(
    in_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = loop.attempt

    def attempt(system: Any, integrator: Any, progress: Any, *rest: Any) -> Any:
        if isinstance(integrator, BackwardEuler) and progress.step == 5:
            os.kill(os.getpid(), signal.SIGINT)
        return real(system, integrator, progress, *rest)

    words = ["compare", "bar.toml", "--integrators", "avf,backward-euler,bdf2", "--steps", 12]
    with monkeypatch.context() as patch:
        patch.setattr(loop, "attempt", attempt)
        here(*words, "--out", "cut", code=130)
    err = capsys.readouterr().err
    assert err.endswith("interrupted; finished runs are kept; continue with: supple compare --resume cut\n")
    states = [row["state"] for row in json.loads((in_folder / "cut/manifest.json").read_text())["runs"]]
    assert states == ["finished", "waiting", "waiting"]
    assert 1 < len(read_history(in_folder / "cut/backward-euler/history.csv")["step"]) < 13
    here("compare", "--resume", "cut", "--steps", 3, code=2)
    assert "omit them with --resume" in capsys.readouterr().err
    here("compare", "--resume", "cut")
    here(*words, "--out", "whole")
    for name in ("avf", "backward-euler", "bdf2"):
        assert_same_history(in_folder / "cut" / name, in_folder / "whole" / name)
    assert (in_folder / "cut/comparison.csv").read_text().count("finished") == 3
