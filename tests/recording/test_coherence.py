"""A run continues only from files of the same run: a checkpoint, a history and an animation that fit each other."""

import shutil
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest

from fuzz.files.folder_samples import SOLID
from supple.errors import RecordError
from supple.recording.checkpoint import read_checkpoint, write_checkpoint
from supple.recording.folder import RunStatus
from supple.recording.history import read_history
from supple.runs.run import resume_run, start_run
from supple.scene.text.load import load_scene

Change = Callable[[Path, Path], object]


def interrupted(folder: Path, name: str, gravity: float) -> Path:
    """A run that was interrupted after three steps, with a checkpoint after the second one."""
    scene = folder / f"{name}.toml"
    scene.write_text(SOLID.replace("9.81", str(gravity)))
    job = start_run(load_scene(scene), folder / name)
    for frame in job.frames():
        if frame.step == 2:
            job.save()
        if frame.step == 3:
            break
    job.finish(RunStatus.INTERRUPTED)
    return folder / name


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A run, and another one of the same body."""
    folder = tmp_path_factory.mktemp("runs")
    return interrupted(folder, "one", 9.81), interrupted(folder, "other", 3.0)


def resealed(run: Path, **changed: np.ndarray) -> None:
    saved = read_checkpoint(run)
    write_checkpoint(run, saved.meta, {**saved.arrays, **changed})


def other_history(run: Path, other: Path) -> None:
    shutil.copy(other / "history.csv", run)


def changed_row(run: Path, _: Path) -> None:
    lines = (run / "history.csv").read_text().splitlines(keepends=True)
    cells = lines[2].split(",")
    lines[2] = ",".join([*cells[:3], "1.5", *cells[4:]])
    (run / "history.csv").write_text("".join(lines))


def other_animation(run: Path, other: Path) -> None:
    shutil.copy(other / "animation.vtkhdf", run)


def changed_times(run: Path, _: Path) -> None:
    with h5py.File(run / "animation.vtkhdf", "r+") as file:
        file["VTKHDF/Steps/Values"][1] = 0.001


def moved(run: Path, _: Path) -> None:
    resealed(run, x=read_checkpoint(run).arrays["x"] * 1.001)


def pushed(run: Path, _: Path) -> None:
    resealed(run, v=read_checkpoint(run).arrays["v"] * 1.001)


def fewer(run: Path, _: Path) -> None:
    arrays = read_checkpoint(run).arrays
    resealed(run, x=arrays["x"][:5], v=arrays["v"][:5])


def other_sums(run: Path, _: Path) -> None:
    saved = read_checkpoint(run)
    write_checkpoint(run, {**saved.meta, "ledger": [*saved.meta["ledger"][:1], 5.0, 0.0, 0.0]}, saved.arrays)


CHANGES: dict[str, tuple[Change, str]] = {
    "a history of another run": (other_history, r"history\.csv: the row of step 2 has kinetic"),
    "a changed row": (changed_row, r"history\.csv: its rows up to step 2 are not those of the checkpoint"),
    "an animation of another run": (other_animation, r"animation\.vtkhdf: its 12 vertices in 3 frames are not those"),
    "other times": (changed_times, r"animation\.vtkhdf: its 12 vertices in 3 frames are not those"),
    "moved vertices": (moved, r"checkpoint: its positions and velocities have the .* energy"),
    "other velocities": (pushed, r"checkpoint: its positions and velocities have the kinetic energy"),
    "fewer vertices": (fewer, r"its checkpoint does not fit the scene .*its bodies have 12 vertices"),
    "other sums": (other_sums, r"history\.csv: the row of step 2 has dissipated = 0\.0, the checkpoint has 5\.0"),
}


@pytest.mark.parametrize("case", CHANGES)
def test_files_that_do_not_fit_are_refused_and_stay(case: str, runs: tuple[Path, Path], tmp_path: Path) -> None:
    change, words = CHANGES[case]
    run = Path(shutil.copytree(runs[0], tmp_path / "run"))
    change(run, runs[1])
    before = {file.name: file.read_bytes() for file in run.iterdir()}
    with pytest.raises(RecordError, match=words):
        resume_run(run)
    assert {file.name: file.read_bytes() for file in run.iterdir()} == before


def test_a_checkpoint_of_an_earlier_version_has_no_digests(runs: tuple[Path, Path], tmp_path: Path) -> None:
    run = Path(shutil.copytree(runs[0], tmp_path / "run"))
    saved = read_checkpoint(run)
    write_checkpoint(run, {k: v for k, v in saved.meta.items() if k not in ("history", "film")}, saved.arrays)
    job = resume_run(run)
    assert [frame.step for frame in job.frames()][-1] == 5
    job.finish(RunStatus.FINISHED)
    assert read_history(run / "history.csv")["step"].tolist() == list(range(6))
