"""Runs that fail are rows, not ends; plugins reach workers by their content."""

import csv
import json
import math
import subprocess
import sys
from pathlib import Path

import pytest
from clusters import MEASURES, Cluster, environment, here, sweep, table, wanted

from supple.sweeps.manifest import Manifest, State

TROUBLE = Path(__file__).with_name("troublemaker.py")
PLUGIN = ("--plugin", TROUBLE)
OWN = ("--set", "body.0.material.name=trouble-stvk")
VALUES = ("body.0.material.young=1e5,2e5,4e5",)


@pytest.mark.study
def test_a_full_disk_in_one_run(undisturbed_many: Path, in_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = in_folder / "out"
    monkeypatch.setenv("FULL_DISK", "runs/001/")
    said = sweep(*wanted(), *PLUGIN, folder=in_folder)
    assert "the disk is full" in said
    rows = Manifest.read(out).rows
    assert [row.state for row in rows] == [State.FINISHED, State.FAILED, *[State.FINISHED] * 6]
    assert "the disk is full; free some space" in (rows[1].error or "")
    monkeypatch.delenv("FULL_DISK")
    assert "all runs are done; --retry-failed repeats failed ones" in sweep("--resume", "out", folder=in_folder)
    sweep("--resume", "out", "--retry-failed", folder=in_folder)
    assert table(out) == table(undisturbed_many)


@pytest.mark.study
def test_a_run_that_kills_its_workers(in_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEADLY", "runs/000/")
    said = sweep(*wanted("out", "--workers", 1, *PLUGIN, vary=VALUES, steps=15), folder=in_folder)
    rows = Manifest.read(in_folder / "out").rows
    assert [row.state for row in rows] == [State.FAILED, State.FINISHED, State.FINISHED], "others are not to blame"
    assert "workers died" in (rows[0].error or "")
    assert "its worker died; the run continues from its last checkpoint" in said


ONE_PROCESS = """
import json, sys
from pathlib import Path
from supple.cli import main
from supple.sweeps.manifest import Manifest, State
for words in json.loads(sys.argv[1]):
    try:
        main(words)
    except SystemExit as left:
        assert not left.code, (words, left.code)
    for out in ("out", "collected"):
        if words[-1] == out:
            found = Manifest.read(Path(out))
            assert [row.state for row in found.rows] == [State.FINISHED] * 2, found.rows[0].error
            found.change(1, state=State.WAITING)
            found.write()
"""
"""The plugin must not be loaded in the process of these tests."""


def test_plugins_are_shipped(shared: Cluster, in_folder: Path) -> None:
    there = ("--scheduler", shared.address)
    more = {"out": (), "collected": ("--collect",)}
    vary = ("body.0.material.young=1e5,2e5",)
    sweeps = [
        ["sweep", *wanted(out, *PLUGIN, *OWN, *there, *more[out], vary=vary, steps=5), "--out", out] for out in more
    ]
    resumed = ["sweep", *map(str, PLUGIN), *there, "--resume", "out"]
    done = subprocess.run(
        [sys.executable, "-c", ONE_PROCESS, json.dumps([sweeps[0], resumed, sweeps[1]])],
        capture_output=True, text=True, check=False, env=environment(),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    said = here("sweep", "--resume", "collected", code=2)
    assert "unknown name 'trouble-stvk'" in said, "a folder cannot start programs by itself"


def test_an_exploding_run_and_measures_without_a_value(shared: Cluster, in_folder: Path) -> None:
    there, vary = ("--scheduler", shared.address), ("integrator.name=avf,verlet",)
    said = here("sweep", *wanted("out", *there, "--set", "body.0.material.young=1e9", vary=vary, steps=40))
    one, two = Manifest.read(in_folder / "out").rows
    assert one.state is State.FINISHED
    assert two.state is State.FAILED
    assert two.error is not None
    assert f"run 1 (name=verlet) failed: {two.error[:40]}" in said
    assert math.isnan(one.measures["nothing"])
    with (in_folder / "out/table.csv").open(newline="") as file:
        found = list(csv.DictReader(file))
    assert found[0]["nothing"] == "nan"
    assert all(found[1][measure.partition("=")[0]] == "nan" for measure in MEASURES)
