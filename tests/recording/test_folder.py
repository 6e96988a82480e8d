"""Run folders: what is in the way is refused with a remedy, and nothing foreign is ever removed."""

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import supple
from supple.errors import RecordError, SuppleWarning
from supple.recording import folder as folder_module
from supple.recording.folder import RunFolder, RunStatus
from supple.runs.run import start_run
from supple.scene.text.load import load_scene
from supple.sweeps.manifest import NAME, Manifest


def finished(path, status=RunStatus.FINISHED):
    with RunFolder.create(path) as folder:
        for file in (folder.scene, folder.history, folder.animation, folder.checkpoint, folder.energy_plot, folder.log):
            file.write_text("old")
        folder.mark(status)


def test_a_new_folder_and_its_record(tmp_path):
    path = tmp_path / "runs" / "jelly"
    with RunFolder.create(path) as folder:
        assert folder.status is RunStatus.RUNNING
        folder.mark(RunStatus.FINISHED)
    record = json.loads((path / "run.json").read_text())
    assert record["supple"] == supple.__version__
    assert record["status"] == "finished"
    assert record["started"] <= record["ended"]
    assert RunFolder.open(path).status is RunStatus.FINISHED
    assert RunFolder.open(path).history == path / "history.csv"


def test_a_finished_run_is_refused_then_overwritten(tmp_path):
    finished(tmp_path)
    (tmp_path / "mine.pvsm").write_text("keep me")
    with pytest.raises(RecordError, match=r"already contains a run \(finished\).*--overwrite"):
        RunFolder.create(tmp_path)
    assert (tmp_path / "history.csv").read_text() == "old"
    with RunFolder.create(tmp_path, overwrite=True) as folder:
        assert folder.status is RunStatus.RUNNING
    assert sorted(p.name for p in tmp_path.iterdir()) == [".lock", "mine.pvsm", "run.json"]


@pytest.mark.parametrize("status", [RunStatus.RUNNING, RunStatus.INTERRUPTED, RunStatus.FAILED])
def test_an_unfinished_run_is_refused(tmp_path, status):
    finished(tmp_path, status)
    with pytest.raises(RecordError, match=r"--resume .*--overwrite") as caught:
        RunFolder.create(tmp_path)
    assert status.value in str(caught.value)
    RunFolder.create(tmp_path, overwrite=True).close()


@pytest.mark.parametrize("overwrite", [False, True])
def test_foreign_files_are_refused_and_left_alone(tmp_path, overwrite):
    for name in ("scene.toml", "thesis.tex", "a", "b"):
        (tmp_path / name).write_text("mine")
    with pytest.raises(RecordError, match=r"4 files that do not belong to a run \(a, b, scene.toml, ...\)"):
        RunFolder.create(tmp_path, overwrite)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a", "b", "scene.toml", "thesis.tex"]


def test_a_run_killed_while_its_record_was_begun_is_started_again(tmp_path: Path) -> None:
    """The folder was refused: it held one file that was no run's. A sweep counted that run as failed."""
    (tmp_path / "run.json.part").write_text("{")
    with RunFolder.create(tmp_path) as folder:
        assert folder.status is RunStatus.RUNNING
    assert not (tmp_path / "run.json.part").exists()


def test_a_foreign_record_is_foreign(tmp_path):
    (tmp_path / "run.json").write_text('{"status": "finished"}')
    with pytest.raises(RecordError, match="do not belong to a run"):
        RunFolder.create(tmp_path, overwrite=True)


def test_a_file_is_refused(tmp_path):
    (tmp_path / "out").write_text("")
    with pytest.raises(RecordError, match="is a file"):
        RunFolder.create(tmp_path / "out")
    with pytest.raises(RecordError, match=r"cannot create this folder.*--out"):
        RunFolder.create(tmp_path / "out" / "below")


def test_an_unwritable_folder_is_refused(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(folder_module.os, "open", refuse)
    with pytest.raises(RecordError, match=r"cannot write into this folder: Permission denied.*--out"):
        RunFolder.create(tmp_path)


def test_what_is_no_run_cannot_be_opened(tmp_path):
    with pytest.raises(RecordError, match="no such folder"):
        RunFolder.open(tmp_path / "nowhere")
    with pytest.raises(RecordError, match=r"has no run\.json"):
        RunFolder.open(tmp_path)


def test_one_writer_at_a_time(tmp_path):
    with RunFolder.create(tmp_path):
        for take in (
            lambda: RunFolder.create(tmp_path, overwrite=True),
            lambda: RunFolder.open(tmp_path, writing=True),
        ):
            with pytest.raises(RecordError, match="another process is writing"):
                take()
        assert RunFolder.open(tmp_path).status is RunStatus.RUNNING  # reading is free
    RunFolder.open(tmp_path, writing=True).close()


def test_a_kill_releases_the_lock(tmp_path):
    code = (
        "import sys, time; from pathlib import Path; from supple.recording.folder import RunFolder;"
        "f = RunFolder.create(Path(sys.argv[1])); print('locked', flush=True); time.sleep(60)"
    )
    child = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "locked\n"
    with pytest.raises(RecordError, match="another process is writing"):
        RunFolder.open(tmp_path, writing=True)
    child.send_signal(signal.SIGKILL)
    child.communicate()
    with RunFolder.open(tmp_path, writing=True) as folder:
        assert folder.status is RunStatus.RUNNING


def test_file_systems_without_locks(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOTSUP, "Operation not supported")

    monkeypatch.setattr(folder_module.fcntl, "flock", refuse)
    with pytest.warns(SuppleWarning, match="no locks"):
        RunFolder.create(tmp_path).close()


def test_a_full_disk_keeps_the_old_record(tmp_path, monkeypatch):
    finished(tmp_path)

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(RecordError, match="the disk is full"):
        RunFolder.create(tmp_path, overwrite=True)
    assert RunFolder.open(tmp_path).status is RunStatus.FINISHED
    assert (tmp_path / "history.csv").read_text() == "old"


def test_a_run_that_cannot_begin_says_why_in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise RecordError("animation.vtkhdf: cannot write: the disk is full")

    monkeypatch.setattr("supple.runs.run.Recorder.create", full)
    with pytest.raises(RecordError, match="disk is full"):
        start_run(load_scene("pendulum"), tmp_path / "run", steps=1)
    assert RunFolder.open(tmp_path / "run").status is RunStatus.FAILED
    assert "before the first step: animation.vtkhdf: cannot write" in (tmp_path / "run" / "log.txt").read_text("utf-8")


@pytest.mark.parametrize("name", ["scene.toml", "log.txt", "animation.vtkhdf", "notes"])
def test_pipes_in_a_folder_are_refused_before_anybody_waits_for_them(name, tmp_path):
    finished(tmp_path / "run", RunStatus.INTERRUPTED)
    (tmp_path / "run" / name).unlink(missing_ok=True)
    os.mkfifo(tmp_path / "run" / name)
    for writing in (False, True):
        with pytest.raises(RecordError, match=f"run: {name} is no plain file; put back"):
            RunFolder.open(tmp_path / "run", writing)


def test_a_manifest_that_is_a_pipe_is_refused(tmp_path):
    os.mkfifo(tmp_path / NAME)
    with pytest.raises(RecordError, match=f"{NAME}: is no plain file"):
        Manifest.read(tmp_path)
