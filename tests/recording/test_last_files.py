"""The end of a run: its status is stored after its last file, and never in the folder of another run."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import supple as sp
from fuzz.files.folder_samples import SOLID
from supple.errors import RecordError
from supple.recording.folder import RunStatus
from supple.render.plots import svg
from supple.runs.job import Job
from supple.runs.run import start_run
from supple.scene.text.load import load_scene


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bar.toml").write_text(SOLID)
    return Path("bar.toml")


def test_a_run_that_is_killed_before_its_plot_completes_it(scene: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(svg, "plot_energy", lambda *_: shutil.copytree("run", "killed"))
        sp.run(scene, out="run", progress=False)
    assert not Path("killed/energy.svg").exists()
    run = sp.resume("killed", progress=False)
    assert run.status is RunStatus.FINISHED
    assert Path("killed/energy.svg").is_file()
    assert run.positions.tobytes() == sp.open_run("run").positions.tobytes()


@pytest.mark.parametrize("limit", ["99999999999999999999d", 1e59])
def test_limits_beyond_the_timers_of_the_system(scene: Path, limit: str | float) -> None:
    assert sp.run(scene, steps=1, out="run", progress=False, time_limit=limit).status is RunStatus.FINISHED


def taken(job: Job, moment: int) -> dict[str, bytes]:
    """Another run in the place of this one, after its step `moment`; returns its files."""
    for frame in job.frames():
        if frame.step == moment:
            shutil.move("run", "moved")
            sp.run("bar.toml", steps=1, out="run", progress=False)
            found = files()
    return found


def files() -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in Path("run").iterdir()}


@pytest.mark.parametrize("ending", [Job.save, lambda job: job.folder.mark(RunStatus.FINISHED)], ids=["save", "mark"])
def test_a_moved_run_writes_nothing_into_another_in_its_place(scene: Path, ending: Callable[[Job], None]) -> None:
    job = start_run(load_scene(scene), Path("run"))
    before = taken(job, moment=2)
    with pytest.raises(RecordError, match="run: this folder was moved during the run"):
        ending(job)
    assert job.finish(RunStatus.FAILED)
    assert files() == before
    assert sp.resume("moved", progress=False).history["step"].tolist() == list(range(6))
