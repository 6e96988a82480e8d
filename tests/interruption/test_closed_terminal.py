"""A terminal that closes (SIGHUP) ends commands in order, like SIGTERM; `nohup` keeps them from hearing it."""

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from cli.command import assert_same_animation, assert_same_history, command, here, status, write_scene
from supple.interruption.children import deaf_children, spawning
from supple.interruption.signals import is_request

STEPS = 2000
ON_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""
"""A shell, which makes the terminal that of its session and becomes the command."""


def wait_for_rows(history: Path, child: subprocess.Popen[bytes], rows: int = 20) -> None:
    until = time.monotonic() + 120.0
    while not history.exists() or history.read_bytes().count(b"\n") < rows:
        assert child.poll() is None
        assert time.monotonic() < until
        time.sleep(0.005)


def test_a_terminal_that_closes_leaves_a_folder_to_resume(in_folder: Path) -> None:
    write_scene(in_folder)
    master, slave = pty.openpty()
    words = [*command("run", "bar.toml", "--steps", STEPS, "--out", "run")][1:]
    with subprocess.Popen(
        [sys.executable, "-c", ON_TERMINAL, *words],
        stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
    ) as child:  # fmt: skip
        os.close(slave)
        wait_for_rows(in_folder / "run/history.csv", child)
        os.close(master)
        assert child.wait(60) == 130
    assert status(in_folder / "run") == "interrupted"
    assert not list(in_folder.rglob("*.part*"))
    here("run", "--resume", "run", "--steps", 100)
    here("run", "bar.toml", "--steps", 100, "--out", "whole")
    assert_same_history(in_folder / "run", in_folder / "whole")
    assert_same_animation(in_folder / "run", in_folder / "whole")


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_nohup_is_respected(in_folder: Path) -> None:
    write_scene(in_folder)
    with subprocess.Popen(["nohup", *command("run", "bar.toml", "--steps", 300, "--out", "run")]) as child:
        for rows in (5, 30, 60):
            wait_for_rows(in_folder / "run/history.csv", child, rows)
            child.send_signal(signal.SIGHUP)
        assert child.wait(120) == 0
    assert status(in_folder / "run") == "finished"


def test_a_terminal_that_closes_is_one_request() -> None:
    """The system sends the signal to the group in front, and the shell to its jobs; systemd sends it after SIGTERM."""
    assert is_request(signal.SIGHUP, 0)
    assert not is_request(signal.SIGHUP, 1)
    assert is_request(signal.SIGTERM, 1)
    assert not is_request(signal.SIGALRM, 0)


def test_children_do_not_hear_that_a_terminal_closes() -> None:
    """Nor does Python's process that tidies up after them, which would be missed with tracebacks."""
    program = (
        "import signal, sys\n"
        "from supple.interruption.children import deaf_children, spawning\n"
        "import os, subprocess\n"
        "spawning()\n"
        "with deaf_children():\n"
        "    child = subprocess.Popen(['sleep', '60'])\n"
        "print('ready', flush=True)\n"
        "sys.stdin.readline()\n"
        "child.kill()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdin
        assert parent.stdout
        assert parent.stdout.readline() == "ready\n"
        children = psutil.Process(parent.pid).children()
        assert len(children) == 2
        for child in children:
            child.send_signal(signal.SIGHUP)
            child.send_signal(signal.SIGINT)
        time.sleep(0.2)
        assert [child.status() for child in children if child.status() == psutil.STATUS_ZOMBIE] == []
        parent.communicate("\n")


def test_signals_are_heard_again_after_children_have_started() -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    spawning()
    with deaf_children():
        pass
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before
