"""One piece of work in a forked child with limits: `limited(work, folder)` returns its outcome.

    prepare_process()                                            # once, before supple is imported
    outcome = limited(command(["run", "scene.toml"]), folder)    # the command line of supple
    outcome = limited(lambda: read_mesh("broken.obj"), folder)   # or any callable
    assert outcome.exit in (0, 2) and not outcome.error and not outcome.warnings

The child starts in `folder`, which contains its `stdout.txt` and `stderr.txt` afterwards. It has the modules and kernels of the
caller, so it needs no start-up time and does not affect the caller. A child that computes for longer than its limit writes
where it is and is killed. An exception that leaves the work is kept as text, with its type and its innermost line.
"""

from __future__ import annotations

import faulthandler
import json
import os
import resource
import select
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from supple.errors import SuppleError

GIB = 1 << 30
PATIENCE = 6.0
"""Multiple of its limits of time that work may take after all."""
STDOUT, STDERR, END = "stdout.txt", "stderr.txt", "end.json"
COMPILER = "/numba/core/"
"""In the paths of Numba's compiler."""
OWN = frozenset({STDOUT, STDERR, END})
"""Files that belong to the worker."""


@dataclass(frozen=True)
class Limits:
    """Limits of a child."""

    seconds: float = 10.0
    """Processor time, in whole seconds; so other programs on the machine make no hangs."""
    wall: float = 120.0
    """Time by the clock, for work that waits for something."""
    memory: float = 2.0
    """Address space beyond that of the caller [GiB]."""
    file: float = 0.25
    """Size of the largest file [GiB]."""

    def longer(self) -> Limits:
        """For work that did not end in time: it may be slow, and must end all the same."""
        return replace(self, seconds=PATIENCE * self.seconds, wall=PATIENCE * self.wall)


@dataclass(frozen=True)
class Outcome:
    """How a piece of work ended."""

    exit: int | None = None
    """Exit code: that of SystemExit, 0 after a return, 2 after a SuppleError; None if an exception or a signal ended it."""
    signal: int = 0
    hung: bool = False
    """Whether it was killed at its limit of time."""
    compiling: bool = False
    """Whether it was compiling a kernel then: the next child finds those that were finished."""
    error: str = ""
    """Type of the exception that ended it."""
    where: str = ""
    """Innermost line of supple: file and function; of an exception or of a hang."""
    traceback: str = ""
    warnings: tuple[str, ...] = ()
    """Warnings that were shown: category, place and text."""
    stdout: str = ""
    stderr: str = ""
    seconds: float = 0.0
    result: Any = None
    """Result of a callable, if JSON can store it."""


def prepare_process(kernels: int = 1) -> None:
    """One thread, and a pool of Numba's that survives a fork; to be called before Numba is imported. `kernels`: number of
    threads that kernels may have in a child that starts them."""
    os.environ.update(
        {
            "NUMBA_NUM_THREADS": str(kernels),
            "OMP_NUM_THREADS": "1",
            "MKL_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "NUMBA_THREADING_LAYER": "workqueue",
            "COLUMNS": "200",
            "NO_COLOR": "1",
        }
    )


def command(arguments: Sequence[str]) -> Callable[[], None]:
    """The command line of supple as a callable."""

    def run() -> None:
        from supple.cli import main

        main(list(arguments))

    return run


def limited(work: Callable[[], Any], folder: Path, limits: Limits = Limits()) -> Outcome:
    """Do the work in a child that starts in `folder`, with the state of the caller only; waits for its end."""
    folder.mkdir(parents=True, exist_ok=True)
    sys.stdout.flush()
    sys.stderr.flush()
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        _child(work, folder, limits)  # does not come back
    descriptor = os.pidfd_open(child)
    try:
        late = not _ended(descriptor, limits.wall)
        if late:
            os.kill(child, signal.SIGKILL)
    except BaseException:
        os.kill(child, signal.SIGKILL)
        raise
    finally:
        os.close(descriptor)
        _, status = os.waitpid(child, 0)
    return _outcome(folder, status, late, time.monotonic() - began)


def _ended(descriptor: int, seconds: float) -> bool:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(seconds * 1000.0))


def _child(work: Callable[[], Any], folder: Path, limits: Limits) -> None:
    code = 70
    try:
        _enter(folder, limits)
        shown = _kept_warnings()
        end: dict[str, Any] = {"warnings": shown}
        try:
            end["result"] = work()
            end["exit"] = 0
        except SystemExit as leave:
            end["exit"] = leave.code if isinstance(leave.code, int) else 0 if leave.code is None else 1
        except SuppleError as error:
            sys.stderr.write(f"{error}\n")
            end["exit"] = 2
        except BaseException as error:
            end |= {"error": type(error).__name__, "traceback": _text(error), "where": _place(error)}
        sys.stdout.flush()
        sys.stderr.flush()
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        Path(folder, END).write_text(json.dumps(end, default=repr), encoding="utf-8", errors="backslashreplace")
        code = 0
    finally:
        os._exit(code)


def _enter(folder: Path, limits: Limits) -> None:
    """Streams, limits and folder of the child."""
    os.chdir(folder)
    for number, name in ((1, STDOUT), (2, STDERR)):
        file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        os.dup2(file, number)
        os.close(file)
    sys.stdout = open(1, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False, buffering=1)  # noqa: SIM115
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    faulthandler.enable(2)
    faulthandler.register(signal.SIGXCPU, 2, all_threads=False)
    whole = max(1, round(limits.seconds))
    resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 1))
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    space = pages * resource.getpagesize() + int(limits.memory * GIB)
    # the hard limit stays: the report of the end is written without one
    resource.setrlimit(resource.RLIMIT_AS, (space, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(limits.file * GIB),) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _kept_warnings() -> list[str]:
    """Collects all warnings, including repeated ones."""
    shown: list[str] = []

    def keep(message: Warning | str, category: type[Warning], file: str, line: int, *_: Any) -> None:
        shown.append(f"{category.__name__} at {_short(file)}:{line}: {message}")

    warnings.showwarning = keep
    for category in (RuntimeWarning, UserWarning):
        warnings.filterwarnings("always", category=category, append=True)
    return shown


def _text(error: BaseException) -> str:
    lines = traceback.format_exception(error, limit=-40)
    return "".join(lines)[-6000:]


def _place(error: BaseException) -> str:
    places = [frame for frame in traceback.extract_tb(error.__traceback__) if "/supple/" in frame.filename]
    return f"{_short(places[-1].filename)}:{places[-1].name}" if places else ""


def _short(file: str) -> str:
    _, found, inside = file.rpartition("/supple/")
    return inside if found else file.rpartition("/site-packages/")[2]


def _outcome(folder: Path, status: int, late: bool, seconds: float) -> Outcome:
    stdout, stderr = (_read(folder / name) for name in (STDOUT, STDERR))
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    end = json.loads(_read(folder / END, limit=-1) or "{}")
    hung = late or (number in (signal.SIGXCPU, signal.SIGKILL) and "most recent call first" in stderr)
    return Outcome(
        exit=end.get("exit"),
        signal=number,
        hung=hung,
        compiling=hung and COMPILER in stderr,
        error=end.get("error", ""),
        where=_stopped_at(stderr) if number else end.get("where", ""),
        traceback=end.get("traceback", ""),
        warnings=tuple(end.get("warnings", ())),
        stdout=stdout,
        stderr=stderr,
        seconds=seconds,
        result=end.get("result"),
    )


def _stopped_at(stderr: str) -> str:
    """Innermost line of supple in the output of the fault handler."""
    for line in stderr.splitlines():
        if line.startswith("  File ") and "/supple/" in line:
            file, _, rest = line.removeprefix('  File "').partition('"')
            return f"{_short(file)}:{rest.rpartition(' in ')[2]}"
    return ""


def _read(file: Path, limit: int = 1 << 20) -> str:
    """At most that many characters of a file, all of them with -1; nothing of a missing one."""
    try:
        with file.open(encoding="utf-8", errors="backslashreplace") as stream:
            return stream.read(limit)
    except FileNotFoundError:
        return ""
