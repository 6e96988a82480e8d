"""`supple live` and `supple view`: errors are reported before anything opens, and the end is clean."""

import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from small_bar import BAR

from supple.cli import main
from supple.interruption.command import WORDS


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as left:
        main([*arguments, "--no-browser"])
    assert left.value.code == 2
    return capsys.readouterr().err


def test_a_bad_scene(capsys: pytest.CaptureFixture[str]) -> None:
    assert "did you mean 'jelly'" in refused(capsys, "live", "jely")
    assert "time.step" in refused(capsys, "live", "jelly", "--set", "time.step=-1")


def test_a_bad_ghost(capsys: pytest.CaptureFixture[str]) -> None:
    assert "unknown integrator 'bdf3'; did you mean 'bdf2'?" in refused(capsys, "live", "jelly", "--ghost", "bdf3")


def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        said = refused(capsys, "live", "spring-sheet", "--port", port)
    assert said.startswith(f"--port {port}: the port is already in use or not permitted")


def test_an_address_that_is_not_ours(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--host 192.0.2.1: cannot listen there" in refused(capsys, "live", "spring-sheet", "--host", "192.0.2.1")


def test_a_folder_without_a_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "not the folder of a run" in refused(capsys, "view", str(tmp_path))


def test_without_viser(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "viser", None)
    assert "pip install 'supple[viewer]'" in refused(capsys, "live", "spring-sheet")


def start(*arguments: object) -> tuple[subprocess.Popen[str], str]:
    """A command that serves a page, and the page's address."""
    command = [sys.executable, "-m", "supple", *map(str, arguments), "--no-browser"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout
    line = child.stdout.readline()
    found = re.search(r"http://127\.0\.0\.1:\d+/[\w-]{22}/", line)
    assert found, line
    return child, found[0]


def shared_memory() -> set[str]:
    """Names of all pieces of shared memory on this machine."""
    return {file.name for file in Path("/dev/shm").glob("psm_*")}


def ends_cleanly(child: subprocess.Popen[str], number: signal.Signals) -> None:
    child.send_signal(number)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 0
    assert out == ""
    assert err in ("", WORDS)


@pytest.mark.parametrize(
    ("number", "elsewhere"),
    [(signal.SIGINT, True), pytest.param(signal.SIGTERM, False, marks=pytest.mark.study)],  # SIGTERM ends a replay too
)
def test_a_live_page_is_served_and_ends(number: signal.Signals, elsewhere: bool, tmp_path: Path) -> None:
    """Other machines are let in only with a warning."""
    scene = tmp_path / "bar.toml"
    scene.write_text(BAR)
    before = shared_memory()
    child, address = start("live", scene, *(("--host", "0.0.0.0") if elsewhere else ()))
    if elsewhere:
        assert child.stdout
        assert "lets other machines in" in child.stdout.readline()
    with urllib.request.urlopen(address, timeout=30) as page:
        assert page.status == 200
    ends_cleanly(child, number)
    deadline = time.monotonic() + 60.0
    while shared_memory() - before and time.monotonic() < deadline:
        time.sleep(0.2)  # tests that run beside this one have shared memory too, but give it back
    assert shared_memory() <= before


def test_a_replay_is_served_and_ends(tmp_path: Path) -> None:
    scene = tmp_path / "bar.toml"
    scene.write_text(BAR)
    with pytest.raises(SystemExit):
        main(["run", str(scene), "--steps", "4", "--out", str(tmp_path / "run")])
    child, address = start("view", tmp_path / "run", "--with", tmp_path / "run")
    with urllib.request.urlopen(address, timeout=30) as page:
        assert page.status == 200
    ends_cleanly(child, signal.SIGTERM)
