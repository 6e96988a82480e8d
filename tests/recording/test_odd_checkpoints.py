"""Checkpoints with a right digest and content that no run has saved are refused before the run continues."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fuzz.files.folder_samples import SOLID
from supple.errors import SuppleError
from supple.recording.checkpoint import read_checkpoint, write_checkpoint
from supple.recording.folder import RunStatus
from supple.runs.run import resume_run, start_run
from supple.scene.text.load import load_scene


@pytest.fixture(scope="module")
def half(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that was interrupted after two steps."""
    folder = tmp_path_factory.mktemp("half")
    (folder / "scene.toml").write_text(SOLID)
    job = start_run(load_scene(folder / "scene.toml"), folder / "run")
    for frame in job.frames():
        if frame.step == 2:
            break
    job.save()
    job.finish(RunStatus.INTERRUPTED)
    return folder / "run"


def resumed(half: Path, tmp_path: Path, meta: dict[str, object], arrays: dict[str, object]) -> None:
    run = tmp_path / "run"
    shutil.copytree(half, run)
    saved = read_checkpoint(run)
    (run / "checkpoint.old").unlink(missing_ok=True)
    write_checkpoint(run, {**saved.meta, **meta}, {**saved.arrays, **arrays})  # type: ignore[dict-item]  # odd on purpose
    job = resume_run(run)
    try:
        assert [frame.step for frame in job.frames()][-1] == 5
    finally:
        job.finish(RunStatus.FINISHED)


def test_the_same_content_is_taken(half: Path, tmp_path: Path) -> None:
    resumed(half, tmp_path, {}, {})


def some(keys: Sequence[str], values: Sequence[object]) -> list[Any]:
    """Pairs of keys and values: two values for each key, all in turn, and the others in a study."""
    return [
        pytest.param(key, value, marks=[] if (k - 2 * j) % len(values) < 2 else pytest.mark.study)
        for j, key in enumerate(keys)
        for k, value in enumerate(values)
    ]


@pytest.mark.parametrize(
    ("key", "value"),
    some(["step", "whole_steps", "frames", "in_a_row", "work"], [None, -1, "a", [], 1e300, float("nan"), True]),
)
def test_counts_are_counts(half: Path, tmp_path: Path, key: str, value: object) -> None:
    with pytest.raises(SuppleError, match=rf"{key} is .*no count.*start again with --overwrite"):
        resumed(half, tmp_path, {key: value}, {})


@pytest.mark.parametrize(
    ("key", "value"),
    some(
        ["t", "began", "springs", "held", "pending", "energies", "ledger", "grid", "witness", "timed"],
        [None, "a", ["a"], {"a": "b"}, float("nan")],
    ),
)
def test_numbers_are_numbers(half: Path, tmp_path: Path, key: str, value: object) -> None:
    with pytest.raises(SuppleError, match=r"run: its checkpoint does not fit the scene"):
        resumed(half, tmp_path, {key: value}, {})


@pytest.mark.parametrize("value", [None, -1.0, "a", True, float("inf")])
def test_times_are_times(half: Path, tmp_path: Path, value: object) -> None:
    with pytest.raises(SuppleError, match=r"checkpoint: chosen_for is .*no time.*start again with --overwrite"):
        resumed(half, tmp_path, {"chosen_for": value}, {})


@pytest.mark.parametrize("key", ["scene", "mesh"])
def test_another_scene_is_refused(half: Path, tmp_path: Path, key: str) -> None:
    with pytest.raises(SuppleError, match="does not match the checkpoint"):
        resumed(half, tmp_path, {key: None}, {})


@pytest.mark.parametrize("x", [np.zeros(3), np.zeros((5, 3)), np.zeros((12, 3), np.int64), np.array("a")], ids=str)
def test_states_have_a_shape(half: Path, tmp_path: Path, x: np.ndarray) -> None:
    with pytest.raises(SuppleError, match="positions have the shape"):
        resumed(half, tmp_path, {}, {"x": x})
