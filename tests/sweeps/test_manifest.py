"""The manifest: one file, replaced as a whole, from which every row comes back."""

import json
import math
from pathlib import Path

import pytest

from supple.errors import RecordError
from supple.sweeps import manifest as module
from supple.sweeps.manifest import Manifest, Row, State


def test_rows_come_back_to_the_bit(tmp_path: Path) -> None:
    figures = {"a": 0.1 + 0.2, "b": math.inf, "c": -math.inf, "d": math.nan}
    rows = [
        Row(
            0,
            "runs/000",
            {"time.step": 1 / 3, "world.gravity": [0, -1, 0]},
            State.FINISHED,
            1.5,
            "host:1",
            None,
            figures,
        ),
        Row(
            1, "runs/001", {"time.step": 0.1, "world.gravity": [0, 0, 0]}, State.FAILED, error='a "word"\nand', deaths=2
        ),
    ]
    Manifest(tmp_path, {"scene": "x"}, rows).write()
    json.loads((tmp_path / "manifest.json").read_text(), parse_constant=pytest.fail)
    found = Manifest.read(tmp_path)
    assert found.plan == {"scene": "x"}
    assert found.rows[1] == rows[1]
    assert str(found.rows[0]) == str(rows[0]), "not a number is not equal to itself"
    assert found.counts()[State.FAILED] == 1


def test_it_is_written_at_most_so_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    manifest = Manifest(tmp_path, {}, [Row(0, "runs/000", {})])
    manifest.change(0, state=State.RUNNING)
    now[0] += 0.5 * module.PAUSE
    manifest.change(0, state=State.FINISHED)
    assert Manifest.read(tmp_path).rows[0].state is State.RUNNING
    now[0] += module.PAUSE
    manifest.change(0, seconds=1.0)
    assert Manifest.read(tmp_path).rows[0].state is State.FINISHED


def test_what_is_no_manifest(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"not the folder of a sweep: it contains no manifest.json"):
        Manifest.read(tmp_path)
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(RecordError, match="cannot be read as a manifest"):
        Manifest.read(tmp_path)
    (tmp_path / "manifest.json").write_text('{"format": 99}')
    with pytest.raises(RecordError, match="found format 99, expected 1; it was written by another version"):
        Manifest.read(tmp_path)
