"""Requests to end: lost ones, repeated ones, and files removed or kept then."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.command import here
from supple.interruption.placing import complete, noted, placed, put, scratch
from supple.interruption.signals import SIGNALS, Interrupted, Request, handled, held, interrupt
from supple.interruption.words import keeping, sentence


def during_info(monkeypatch: pytest.MonkeyPatch, work: Callable[[], None]) -> None:
    """Have `supple info` do something else."""
    monkeypatch.setattr("supple.cli.info.gather", work)


def ask() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def wait() -> None:
    """For longer than it takes to raise a request again."""
    until = time.monotonic() + 20.0
    while time.monotonic() < until:
        time.sleep(0.005)


def test_a_request_that_a_library_catches_is_raised_again(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def work() -> None:
        try:
            ask()
        except BaseException:
            caught.append(True)
        wait()

    caught: list[bool] = []
    during_info(monkeypatch, work)
    here("info", code=130)
    assert caught
    assert capfd.readouterr().err == "interrupted; nothing was written\n"


@pytest.mark.parametrize(
    "error", [TypeError("Error building a validator: Request:"), FileNotFoundError(2, "No such file", "out.txt.part")]
)
def test_an_error_after_a_request_is_an_interruption(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Pydantic makes an error of a request while it builds a schema; the watching thread may remove a file first."""

    def work() -> None:
        try:
            ask()
        except KeyboardInterrupt:
            raise error from None

    during_info(monkeypatch, work)
    here("info", code=130)
    assert capfd.readouterr().err == "interrupted; nothing was written\n"
    monkeypatch.setattr("supple.cli.info.gather", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        here("info")


def test_a_request_in_a_callback_is_raised_again(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    class Callback:
        def __del__(self) -> None:
            ask()

    def work() -> None:
        Callback()
        wait()

    during_info(monkeypatch, work)
    here("info", code=130)
    assert capfd.readouterr().err == "interrupted; nothing was written\n"


def test_a_request_amid_the_last_words_does_not_interrupt_them(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The first one was that of a run, which counts its own."""

    def asked_again(words: str) -> str:
        ask()
        return words

    def stop() -> None:
        raise Interrupted("interrupted; all is kept")

    during_info(monkeypatch, stop)
    monkeypatch.setattr("supple.escaping.visible", asked_again)
    here("info", code=130)
    assert capfd.readouterr().err == "interrupted; all is kept\n"


def test_a_request_after_the_command_does_not_deny_its_work() -> None:
    late = """
import os, signal, supple.cli as cli
def main():
    try:
        real(["scenes"])
    finally:
        os.kill(os.getpid(), signal.SIGTERM)
real, cli.main = cli.main, main
cli.script()
"""
    done = subprocess.run([sys.executable, "-c", late], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "")


def test_a_request_while_python_exits_changes_no_exit_code() -> None:
    """By glibc, which calls kill(exit code, 15) at the very end: 0 is the process group, here of this process alone."""
    last = """
import ctypes, sys, supple.cli as cli
libc = ctypes.CDLL(None)
if hasattr(libc, "on_exit"):
    libc.on_exit(libc.kill, 15)
sys.argv[1:] = ["scenes"]
cli.script()
"""
    words = [sys.executable, "-c", last]
    done = subprocess.run(words, capture_output=True, text=True, check=False, start_new_session=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_request_of_an_earlier_command_ends_no_later_one(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[BaseException] = []

    def stop() -> None:
        try:
            ask()
        except KeyboardInterrupt as asked:
            kept.append(asked)
            raise

    during_info(monkeypatch, stop)
    here("info", code=130)
    monkeypatch.undo()
    kept.clear()
    here("info")


def test_handlers_are_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    before = [signal.getsignal(number) for number in SIGNALS], sys.unraisablehook
    here("info")
    assert ([signal.getsignal(number) for number in SIGNALS], sys.unraisablehook) == before
    assert not [thread for thread in threading.enumerate() if thread.name == "supple-signals"]
    assert Request.lost == []


def test_files_that_belong_together_are_renamed_together(tmp_path: Path) -> None:
    def rename() -> None:
        with held():
            ask()
            (tmp_path / "one").touch()
            (tmp_path / "two").touch()

    with handled(dict.fromkeys(SIGNALS, interrupt)), pytest.raises(Interrupted):
        rename()
    assert len(list(tmp_path.iterdir())) == 2


def test_a_file_takes_its_place_when_it_is_complete(tmp_path: Path) -> None:
    file = tmp_path / "file.txt"
    file.write_text("old")

    def write() -> None:
        with placed(file) as new:
            new.write_text("ne")
            raise Interrupted

    with pytest.raises(Interrupted):
        write()
    assert [path.name for path in tmp_path.iterdir()] == ["file.txt"]
    assert file.read_text() == "old"
    with placed(file) as new:
        assert new.suffix == file.suffix
        new.write_text("new")
    assert file.read_text() == "new"


def test_a_link_and_a_device_stay_what_they_are(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    file, link, pipe = tmp_path / "elsewhere/file", tmp_path / "link", tmp_path / "pipe"
    file.write_text("old")
    link.symlink_to(file)
    with placed(link) as new:
        new.write_text("new")
    assert link.is_symlink()
    assert file.read_text() == "new"
    os.mkfifo(pipe)
    with placed(pipe) as new:
        assert new == pipe


def test_folders_change_places(tmp_path: Path) -> None:
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).touch()
    put(tmp_path / "new", tmp_path / "old")
    assert [str(path.relative_to(tmp_path)) for path in sorted(tmp_path.rglob("*"))] == ["old", "old/new"]


def test_the_sentence_names_complete_files(tmp_path: Path) -> None:
    with noted():
        assert sentence() == "interrupted; nothing was written"
        for name in "abcd":
            with placed(tmp_path / name) as new:
                new.touch()
        with scratch() as folder, placed(folder / "passing") as new:
            new.touch()
        assert [path.name for path in complete()] == list("abcd")
        assert sentence().endswith("/c and 1 more; nothing else was written")
        with pytest.raises(Interrupted, match=r"^interrupted; all is kept$"), keeping("all is kept"):
            raise KeyboardInterrupt("of a part")


STUCK = """
import subprocess, sys, time
from pathlib import Path
import supple.cli, supple.cli.info
from supple.interruption.children import own_child
from supple.interruption.placing import placed, scratch

def work():
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], text=True)
    with scratch() as folder, placed(Path("out.txt")) as new, own_child(child):
        new.write_text("half")
        try:
            print(child.pid, folder, flush=True)  # the request may arrive before this line is over
            time.sleep(60)
        finally:
            print("ending", flush=True)
            time.sleep(60)

supple.cli.info.gather = work
sys.argv = ["supple", "info"]
supple.cli.script()
"""


def test_a_second_request_ends_at_once(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STUCK], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout
        assert child.stderr
        grandchild, folder = child.stdout.readline().split()
        child.send_signal(signal.SIGINT)
        assert child.stdout.readline() == "ending\n"
        began = time.monotonic()
        child.send_signal(signal.SIGTERM)
        assert child.wait(timeout=30) == 130
        assert time.monotonic() - began < 10.0
        assert child.stderr.read() == "interrupted; nothing was written\n"
    assert list(tmp_path.iterdir()) == []
    assert not Path(folder).exists()
    assert gone(int(grandchild))


def gone(pid: int) -> bool:
    """Whether a process ends within a few seconds: the system may be slow to take down one that was killed."""
    until = time.monotonic() + 10.0
    while alive(pid) and time.monotonic() < until:
        time.sleep(0.02)
    return not alive(pid)


def alive(pid: int) -> bool:
    """Whether a process works; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


EARLY = """
import os, signal, sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), {number})

from supple.cli import script
sys.meta_path.insert(0, Finder())
sys.argv = ["supple", "info", "--json"]
script()
"""


@pytest.mark.parametrize(
    ("module", "number"), [("supple.errors", 2), ("typer", 15), ("supple.cli.app", 2), ("supple.linalg.threads", 15)]
)
def test_requests_while_importing(module: str, number: int, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", EARLY.format(module=module, number=number)],
        cwd=tmp_path, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted; nothing was written\n")
