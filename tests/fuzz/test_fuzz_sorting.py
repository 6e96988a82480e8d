"""The fuzzer's own judgement: outcomes made up by hand are sorted as a reader would sort them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fuzz import ledger
from fuzz.sorting import verdict
from fuzz.worker import Outcome

HEADER = "step,time,kinetic,elastic,gravity,other,total,dissipated,external_work,residual,exceptional,doubtful"
FINE = ("0,0,1,0,4,0,5,0,0,0,0,0", "1,0.1,1,0,4,0,5,0,0,1e-15,0,0")


def run_folder(folder: Path, rows: tuple[str, ...] = FINE, status: str = "FINISHED", method: str = "avf") -> Path:
    """Files of a run that the fuzzer reads."""
    out = folder / "out"
    out.mkdir()
    (out / "run.json").write_text(json.dumps({"status": status}), encoding="utf-8")
    (out / "history.csv").write_text("\n".join([HEADER, *rows]) + "\n", encoding="utf-8")
    (out / "scene.toml").write_text(f'[integrator]\nname = "{method}"\n', encoding="utf-8")
    (out / "log.txt").write_text("begins\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("outcome", "kind"),
    [
        (Outcome(exit=2, stderr="time.step: must be above 0\n"), "refused"),
        (Outcome(exit=2), "message"),
        (Outcome(exit=2, stderr="x" * 30_000), "message"),
        (Outcome(exit=2, stderr="found <class 'int'>"), "message"),
        (Outcome(error="ZeroDivisionError", where="loop.py:simulate"), "traceback"),
        (Outcome(error="_ArrayMemoryError", where="mesh/shapes/grid.py:grid_vertices"), "memory"),
        (Outcome(signal=9, hung=True, where="loop.py:simulate"), "hang"),
        (Outcome(signal=11), "crash"),
        (Outcome(exit=2, stderr="no", warnings=("RuntimeWarning at a.py:3: overflow",)), "warning"),
        (Outcome(exit=0, stdout="{}"), "dishonest"),
        (Outcome(exit=7, stderr="?"), "exit"),
    ],
)
def test_what_ended_before_a_folder_was_made(outcome: Outcome, kind: str, tmp_path: Path) -> None:
    found = verdict(outcome, tmp_path, frozenset())
    assert found.kind == kind
    assert found.bug == (kind != "refused")


def test_a_refusal_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "scene.toml").touch()
    (tmp_path / "rest.tmp").touch()
    outcome = Outcome(exit=2, stderr="no")
    assert verdict(outcome, tmp_path, frozenset({"scene.toml"})).kind == "leftover"
    assert verdict(outcome, tmp_path, frozenset({"scene.toml", "rest.tmp"})).kind == "refused"


def test_a_failed_run_says_so_in_its_folder(tmp_path: Path) -> None:
    outcome = Outcome(exit=2, stderr="step 1 failed")
    run_folder(tmp_path, status="FAILED")
    assert verdict(outcome, tmp_path, frozenset()).kind == "dishonest"
    (tmp_path / "out" / "log.txt").write_text("stopped by an error after step 1: no\n", encoding="utf-8")
    assert verdict(outcome, tmp_path, frozenset()).kind == "failed"


@pytest.mark.parametrize(
    ("second", "method", "kind"),
    [
        (FINE[1], "avf", "ran"),
        ("1,0.1,1,0,4,0,5,0,0,1e-6,0,0", "avf", "residual"),
        ("1,0.1,1,0,4,0,5,0,0,1e-6,0,1", "avf", "ran"),
        ("1,0.1,1,0,4,0,5,0,0,1e-6,0,0", "verlet", "ran"),
        ("1,0.1,1e9,0,4,0,1e9,0,0,1e9,0,0", "verlet", "residual"),
        ("1,0.1,1e9,0,4,0,1e9,0,0,1e9,1,0", "verlet", "ran"),
        ("1,0.1,1,0,4,0,nan,0,0,nan,0,0", "verlet", "number"),
    ],
)
def test_a_residual_needs_a_mark(second: str, method: str, kind: str, tmp_path: Path) -> None:
    run_folder(tmp_path, (FINE[0], second), method=method)
    assert verdict(Outcome(exit=0, stdout="{}\n"), tmp_path, frozenset()).kind == kind


def test_a_start_from_rest_has_its_energy_after_a_step(tmp_path: Path) -> None:
    rest, first = "0,0,0,0,0,0,0,0,0,0,0,0", "1,0.1,5,0,0,0,5,0,0,5,0,0"
    run_folder(tmp_path, (rest, first), method="forward-euler")
    assert verdict(Outcome(exit=0, stdout="{}\n"), tmp_path, frozenset()).kind == "ran"


def test_a_stopped_run_can_be_resumed(tmp_path: Path) -> None:
    run_folder(tmp_path, status="INTERRUPTED")
    assert verdict(Outcome(exit=3), tmp_path, frozenset()).kind == "stopped"


def test_columns_that_are_missing_are_no_marks() -> None:
    rows = [{"step": 0.0, "total": 1.0, "kinetic": 1.0, "elastic": 0.0, "other": 0.0, "residual": 0.0}]
    assert not ledger.unexplained([*rows, {**rows[0], "step": 1.0}], conserving=True)
