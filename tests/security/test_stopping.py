"""Ctrl-C, SIGTERM and limits, in every phase of a run: the folder can be resumed, and nothing ends in a traceback."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from supple.cli import main
from supple.errors import LimitReached, SuppleError
from supple.interruption import signals
from supple.recording.folder import RunFolder, RunStatus
from supple.recording.history import read_history
from supple.runs.job import Job
from supple.runs.running import resume, run
from supple.runs.stopping import amounts, budget, memory
from supple.runs.stopping.budget import Budget

SCENE = """
[time]
step = 0.01
duration = 0.12
[record]
checkpoint_seconds = 1000
[[body]]
name = "bar"
density = 500
pin = "left"
mesh = { shape = "bar", cells = [2, 1, 1], size = [1.0, 0.5, 0.5] }
material = { name = "stvk", young = 2e4, poisson = 0.3 }
"""


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "bar.toml"
    file.write_text(SCENE)
    return file


def here(*words: object, code: int) -> None:
    with pytest.raises(SystemExit) as left:
        main([str(word) for word in words])
    assert int(left.value.code or 0) == code


def during_step(monkeypatch: pytest.MonkeyPatch, number: int, action: Callable[[], None]) -> None:
    """Do something in the middle of a step."""
    from supple import loop

    real = loop.attempt

    def attempt(system: Any, integrator: Any, progress: Any, *rest: Any) -> Any:
        if progress.step + 1 == number:
            action()
        return real(system, integrator, progress, *rest)

    monkeypatch.setattr(loop, "attempt", attempt)


def send(*numbers: signal.Signals) -> Callable[[], None]:
    def sent() -> None:
        for number in numbers:
            os.kill(os.getpid(), number)
            time.sleep(0.01)  # for the handler

    return sent


def rows(folder: Path) -> list[int]:
    return [int(step) for step in read_history(folder / "history.csv")["step"]]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of an uninterrupted run."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "bar.toml").write_text(SCENE)
    here("run", folder / "bar.toml", "--out", folder / "whole", code=0)
    return folder / "whole"


def assert_same(folder: Path, whole: Path) -> None:
    """All bits of the history but the times on the clock."""
    found, expected = read_history(folder / "history.csv"), read_history(whole / "history.csv")
    for name in expected:
        if "seconds" not in name:
            assert found[name].tobytes() == expected[name].tobytes(), name


def assert_goes_on(folder: Path, whole: Path) -> None:
    here("run", "--resume", folder, code=0)
    assert_same(folder, whole)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_first_request_ends_the_step_and_says_so(
    scene: Path, whole: Path, number: signal.Signals, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patch:
        during_step(patch, 7, send(number))
        here("run", scene.name, "--out", "run", code=130)
    said = capfd.readouterr()
    assert "stopping after this step; press Ctrl-C again to end at once" in said.err
    assert said.out.splitlines()[-1] == "continue with: supple run --resume run"
    assert rows(Path("run"))[-1] == 7
    assert RunFolder.open(Path("run")).status is RunStatus.INTERRUPTED
    assert_goes_on(Path("run"), whole)


def test_a_second_request_interrupts_the_step(
    scene: Path, whole: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patch:
        during_step(patch, 7, send(signal.SIGINT, signal.SIGTERM))
        here("run", scene.name, "--out", "run", code=130)
    assert "interrupted; continue from the last checkpoint with: supple run --resume run" in capfd.readouterr().err
    assert rows(Path("run"))[-1] == 6
    assert RunFolder.open(Path("run")).status is RunStatus.INTERRUPTED
    assert_goes_on(Path("run"), whole)


@pytest.mark.parametrize("where", ["record", "save", "finish"])
def test_requests_while_files_are_written(
    scene: Path, whole: Path, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recording, checkpoint, and the plot at the end: two requests in the middle of each."""
    from supple.recording.recorder import Recorder

    places = {"record": (Recorder, "record", 7), "save": (Recorder, "save", 2), "finish": (Job, "finish", 1)}
    cls, name, call = places[where]
    real, calls = getattr(cls, name), 0

    def called(self: Any, *given: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == call:
            send(signal.SIGINT, signal.SIGINT)()
        return real(self, *given)

    with monkeypatch.context() as patch:
        patch.setattr(cls, name, called)
        here("run", scene.name, "--out", "run", code=130)
    assert_goes_on(Path("run"), whole)


@pytest.mark.parametrize("phase", ["load", "assemble", "folder"])
def test_requests_before_the_first_step(
    scene: Path, phase: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from supple.recording.recorder import Recorder
    from supple.scene.tables.setup import Setup
    from supple.scene.text import load

    target, name = {"load": (load, "parse_toml"), "assemble": (Setup, "assemble"), "folder": (Recorder, "create")}[
        phase
    ]
    monkeypatch.setattr(target, name, lambda *_, **__: send(signal.SIGTERM)())
    here("run", scene.name, "--out", "run", code=130)
    assert "before the first step; nothing can be resumed" in capfd.readouterr().err
    assert not (Path("run") / "history.csv").exists()
    monkeypatch.undo()
    monkeypatch.chdir(scene.parent)
    here("run", scene.name, "--out", "run", "--overwrite", "--steps", 1, code=0)


def test_the_time_limit_ends_a_run_in_order(
    scene: Path, whole: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patch:
        during_step(patch, 4, lambda: time.sleep(0.3))
        here("run", scene.name, "--out", "run", "--time-limit", "300ms", code=3)
    out = capfd.readouterr().out
    assert "the time limit of 0.3 s is reached after step" in out
    assert out.splitlines()[-1] == "continue with: supple run --resume run"
    assert 0 < rows(Path("run"))[-1] <= 4
    here("run", "--resume", "run", "--time-limit", "1ms", code=3)
    assert_goes_on(Path("run"), whole)


def test_a_step_far_beyond_the_limit_is_interrupted(
    scene: Path, whole: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Budget, "grace", 0.2)
        during_step(patch, 3, lambda: time.sleep(60))
        here("run", scene.name, "--out", "run", "--time-limit", "1s", code=3)
    said = capfd.readouterr().err
    assert "the time limit of 1 s is reached" in said
    assert "supple run --resume run" in said
    assert RunFolder.open(Path("run")).status is RunStatus.INTERRUPTED
    assert_goes_on(Path("run"), whole)


def test_the_memory_limit_ends_a_run_in_order(
    scene: Path, whole: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    kept: list[bytes] = []
    limit = memory.resident() + (64 << 20)
    with monkeypatch.context() as patch:
        patch.setattr(budget, "LOOK", 0.0)  # the remaining steps may take less than the interval
        during_step(patch, 4, lambda: kept.append(b"x" * (80 << 20)))
        here("run", scene.name, "--out", "run", "--memory-limit", f"{limit}B", code=3)
    kept.clear()
    out = capfd.readouterr().out
    assert "the memory limit of" in out
    assert out.splitlines()[-1] == "continue with: supple run --resume run"
    assert_goes_on(Path("run"), whole)


def test_an_allocation_that_fails_is_a_sentence(
    scene: Path, whole: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    limit = memory.resident() + (256 << 20)
    with monkeypatch.context() as patch:
        during_step(patch, 4, lambda: bytearray(4 << 30).clear())
        here("run", scene.name, "--out", "run", "--memory-limit", f"{limit}B", code=3)
        assert "supple run --resume run" in capfd.readouterr().err
    assert_goes_on(Path("run"), whole)

    def fail() -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        during_step(patch, 4, fail)
        here("run", scene.name, "--out", "other", code=2)
    assert "out of memory" in capfd.readouterr().err
    assert RunFolder.open(Path("other")).status is RunStatus.FAILED
    assert_goes_on(Path("other"), whole)


def test_no_memory_while_the_scene_is_built(
    scene: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from supple.scene.tables.setup import Setup

    def assemble(*_: Any, **__: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(Setup, "assemble", assemble)
    here("run", scene.name, "--out", "run", code=2)
    assert "nothing can be resumed" in capfd.readouterr().err
    assert not Path("run").exists()


def test_limits_from_python(scene: Path, whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        during_step(patch, 4, lambda: time.sleep(0.2))
        with pytest.raises(LimitReached, match=r"continue with supple\.resume"):
            run(scene, out="run", progress=False, time_limit=0.2)
    with monkeypatch.context() as patch:
        during_step(patch, 9, send(signal.SIGINT))
        with pytest.raises(KeyboardInterrupt):
            resume("run", progress=False)
    resume("run", progress=False)
    assert_same(Path("run"), whole)


def test_from_a_thread_there_are_no_signals(scene: Path) -> None:
    """Handlers belong to the main thread; a run elsewhere goes without."""
    worker = threading.Thread(target=lambda: run(scene, out="run", progress=False, time_limit="1h", steps=2))
    worker.start()
    worker.join()
    assert rows(Path("run")) == [0, 1, 2]


def test_handlers_are_put_back(scene: Path) -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)]
    here("run", scene.name, "--out", "run", "--steps", 1, "--time-limit", "1h", "--memory-limit", "64GiB", code=0)
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)] == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("text", "expected"), [("90s", 90.0), ("10m", 600.0), ("2h", 7200.0), ("1h30m", 5400.0), ("1.5 h", 5400.0)]
)
def test_times_in_words(text: str, expected: float) -> None:
    assert amounts.seconds(text) == expected


@pytest.mark.parametrize(("text", "expected"), [("4GiB", 4 << 30), ("500MB", 500_000_000), ("1.5 gib", 3 << 29)])
def test_sizes_in_words(text: str, expected: int) -> None:
    assert amounts.size(text) == expected


@pytest.mark.parametrize("text", ["", "5", "s", "-5s", "0s", "5 x", "1h 5", "nan", "infs", "1e9"])
def test_wrong_limits_are_refused(text: str, scene: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for option in ("--time-limit", "--memory-limit"):
        here("run", scene.name, f"{option}={text}", code=2)
        found = f"'{text}'; give a" if text else "an empty word, perhaps from an unset variable of the shell; give a"
        assert f"{option}: found {found}" in capfd.readouterr().err
    assert not Path("runs").exists()


def test_a_limit_below_what_is_in_use_is_refused() -> None:
    with pytest.raises(SuppleError, match="before the run begins; give more"):
        Budget.of(None, "1MiB")


NATIVE = """
import ctypes, signal, sys
from supple import loop
from supple.runs.stopping.budget import Budget
Budget.grace = 0.5
real = loop.attempt
def attempt(system, integrator, progress, *rest):
    if progress.step == 3:
        print("in native code", flush=True)
        if "--time-limit" in sys.argv:
            signal.setitimer(signal.ITIMER_REAL, 0.1)  # as if so much time had passed
        mutex = ctypes.create_string_buffer(256)
        for _ in range(2):  # waits for itself, and no signal breaks that off
            ctypes.CDLL(None).pthread_mutex_lock(mutex)
    return real(system, integrator, progress, *rest)
loop.attempt = attempt
from supple.cli import main
main(["run", "bar.toml", "--out", "run", *sys.argv[1:]])
"""


@pytest.fixture
def native(scene: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """A process whose fourth step sits in native code that does not come back."""
    started: list[subprocess.Popen[str]] = []

    def start(*words: str) -> subprocess.Popen[str]:
        child = subprocess.Popen(
            [sys.executable, "-c", NATIVE, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        started.append(child)
        assert child.stdout is not None
        while "in native code" not in child.stdout.readline():
            assert child.poll() is None
        return child

    yield start
    for child in started:
        child.kill()
        child.communicate()


def test_native_code_that_does_not_return(native: Callable[..., subprocess.Popen[str]], whole: Path) -> None:
    child = native()
    for _ in range(2):
        child.send_signal(signal.SIGINT)
        time.sleep(0.05)  # the system keeps only one of a kind
    _, said = child.communicate(timeout=60)
    assert child.returncode == 130, said
    assert "Traceback" not in said
    assert "stopping after this step" in said
    assert RunFolder.open(Path("run")).status is RunStatus.INTERRUPTED
    assert_goes_on(Path("run"), whole)


def test_a_time_limit_ends_native_code_too(native: Callable[..., subprocess.Popen[str]], whole: Path) -> None:
    child = native("--time-limit", "1h")
    _, said = child.communicate(timeout=100)
    assert child.returncode == 3, said
    assert "Traceback" not in said
    assert RunFolder.open(Path("run")).status is RunStatus.INTERRUPTED
    assert_goes_on(Path("run"), whole)


def test_words_past_all_buffers(capfd: pytest.CaptureFixture[str]) -> None:
    signals.to_terminal("said\n")
    assert capfd.readouterr().err == "said\n"
