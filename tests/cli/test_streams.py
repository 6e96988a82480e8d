"""Terminals that show little, full disks and readers that leave: the command goes on, and says what was lost."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.command import command, here, write_scene
from supple.cli.streams import steady_streams
from supple.recording.folder import RunFolder, RunStatus

NEEDS_DEV_FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")


def carried_out(*arguments: object, folder: Path, **options: object) -> subprocess.CompletedProcess[bytes]:
    plain = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": folder, "timeout": 300, "check": False}
    return subprocess.run(command(*arguments), **{**plain, **options})  # type: ignore[call-overload]


def test_a_terminal_of_ascii_shows_codes(tmp_path: Path) -> None:
    scene = write_scene(tmp_path)
    plain = {**os.environ, "PYTHONIOENCODING": "ascii", "COLUMNS": "40"}
    done = carried_out("run", scene, "--steps", 2, "--out", "r\N{SNOWMAN}", folder=tmp_path, env=plain)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"r\\u2603/animation.vtkhdf" in done.stdout
    assert RunFolder.open(tmp_path / "r\N{SNOWMAN}").status is RunStatus.FINISHED


@NEEDS_DEV_FULL
def test_a_run_outlives_a_full_disk_of_its_output(tmp_path: Path) -> None:
    scene = write_scene(tmp_path)
    with Path("/dev/full").open("wb") as full:
        done = carried_out("run", scene, "--steps", 2, "--out", "r", folder=tmp_path, stdout=full)
    assert done.returncode == 2
    said = done.stderr.decode()
    assert said == "standard output: No space left on device; the rest of the output is lost, files are complete\n"
    assert RunFolder.open(tmp_path / "r").status is RunStatus.FINISHED


def test_a_run_outlives_its_reader(tmp_path: Path) -> None:
    scene = write_scene(tmp_path)
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as nobody:
        done = carried_out("run", scene, "--steps", 2, "--out", "r", folder=tmp_path, stdout=nobody)
    assert (done.returncode, done.stderr) == (0, b"")
    assert RunFolder.open(tmp_path / "r").status is RunStatus.FINISHED


def test_output_waits_for_a_slow_reader(tmp_path: Path) -> None:
    """A pipe that another program has made non-blocking has no room for everything at once."""
    program = (
        "import os, sys\n"
        "from supple.cli.streams import steady_streams\n"
        "os.set_blocking(1, False)\n"
        "with steady_streams():\n"
        "    print('x' * 1_000_000)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60, check=True, cwd=tmp_path)
    assert done.stdout == b"x" * 1_000_000 + b"\n"


@pytest.mark.parametrize(("unbuffered", "shown"), [("1", ("some", "line\n")), ("", ("", "line\n"))])
def test_output_is_buffered_as_python_was_told(unbuffered: str, shown: tuple[str, str], tmp_path: Path) -> None:
    """The process ends without a flush, as by a second Ctrl-C; standard error always shows whole lines."""
    program = (
        "import os, sys\n"
        "from supple.cli.streams import steady_streams\n"
        "with steady_streams():\n"
        "    sys.stdout.write('some')\n"
        "    sys.stderr.write('line\\n')\n"
        "    os._exit(0)\n"
    )
    told = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=True, cwd=tmp_path, env=told)
    assert (done.stdout, done.stderr) == shown


def test_a_folder_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    here("scenes", code=2)
    assert capsys.readouterr().err == "the current folder no longer exists; change to another one with cd\n"


def test_an_empty_name_is_no_scene(capsys: pytest.CaptureFixture[str]) -> None:
    """As of a variable of the shell that is not set; it was the default scene."""
    here("run", "", code=2)
    assert capsys.readouterr().err.startswith("run: found an empty word, perhaps from an unset variable")


def test_streams_without_a_file_stay_themselves(capsys: pytest.CaptureFixture[str]) -> None:
    before = sys.stdout
    with steady_streams():
        assert sys.stdout is before
        sys.stdout.write("shown\n")
    assert capsys.readouterr().out == "shown\n"
