"""Sweeps as processes that can be killed, clusters on the loopback, and tables to compare."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

import psutil
import pytest

from supple.cli import main

SCENE = """
title = "small bar"
[world]
gravity = 9.81
[time]
step = "1/60"
duration = 1.0
[[body]]
name = "bar"
mesh = { shape = "bar", cells = [2, 1, 1], size = [1.0, 0.25, 0.25] }
material = { name = "stvk", young = 2e5, poisson = 0.3 }
density = 500.0
pin = "left"
[record]
checkpoint_seconds = 0.1
"""
STEPS = 100
VARY = ("body.0.material.young=1e5,2e5,3e5,4e5", "integrator.name=avf,bdf2")
"""So many that some still wait when the first is under way, however slowly a signal arrives."""
FEW = ("body.0.material.young=1e5,2e5", "integrator.name=avf,bdf2")
"""Enough where nothing has to wait."""
MEASURES = ("total@drift", "total@end", "tip=bar.right.y@min", "nothing=log(-1-wall_seconds)")
IDLE = {
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "10s",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
    "DASK_DISTRIBUTED__ADMIN__TICK__CYCLE": "5s",
}
"""Settings with which a scheduler and two workers that wait for work take 2 % of a core, in the place of 9 %."""
PASSING = {"seconds", "worker"}
"""Columns that differ from sweep to sweep."""


def write_scene(folder: Path, text: str = SCENE) -> Path:
    file = folder / "bar.toml"
    file.write_text(text)
    return file


def wanted(
    out: str = "out",
    *more: object,
    steps: int = STEPS,
    vary: tuple[str, ...] = VARY,
    measures: tuple[str, ...] = MEASURES,
) -> list[str]:
    """Arguments of the sweep that all tests disturb."""
    words = ["bar.toml", "--steps", steps, "--out", out, *more]
    words += [word for key in vary for word in ("--vary", key)]
    return [*map(str, words), *(word for text in measures for word in ("--measure", text))]


def start(*arguments: object, folder: Path) -> subprocess.Popen[str]:
    """`supple sweep` in a separate process group, as a terminal starts it; its output is written to a file."""
    with (folder / "said.txt").open("w") as said:
        return subprocess.Popen(
            [sys.executable, "-m", "supple", *map(str, arguments)],
            cwd=folder, stdout=said, stderr=subprocess.STDOUT, text=True, start_new_session=True, env=environment(),
        )  # fmt: skip


def sweep(*arguments: object, folder: Path, code: int = 0) -> str:
    """Output of a complete sweep."""
    child = start("sweep", *arguments, folder=folder)
    return ended(child, folder, code)


def here(*arguments: object, code: int = 0) -> str:
    """`supple` in this process and in its folder, which saves the seconds of a start; returns its output."""
    said = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(said), redirect_stderr(said):
        patch.setenv("COLUMNS", "200")
        with pytest.raises(SystemExit) as left:
            main([str(one) for one in arguments])
    assert int(left.value.code or 0) == code, said.getvalue()
    return " ".join(said.getvalue().split())


@contextmanager
def meanwhile(work: Callable[[], object]) -> Iterator[None]:
    """Something is done beside a command of this process; its errors are raised when the command has ended."""
    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(work)
        yield
        done.result()


def ended(child: subprocess.Popen[str], folder: Path, code: int = 0) -> str:
    try:
        found = child.wait(timeout=300)
    except subprocess.TimeoutExpired:
        child.kill()
        raise
    said = (folder / "said.txt").read_text()
    assert found == code, said
    assert "Traceback" not in said, said
    return " ".join(said.split())


def environment() -> dict[str, str]:
    return {**os.environ, "COLUMNS": "200"}


def wait_for(happens: Callable[[], bool], child: subprocess.Popen[str] | None = None, seconds: float = 120.0) -> None:
    until = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < until, "waited too long"
        assert child is None or child.poll() is None, "the process has ended already"
        time.sleep(0.01)


def rows_of(run: Path) -> int:
    """Steps in the history of a run so far."""
    history = run / "history.csv"
    return history.read_bytes().count(b"\n") if history.exists() else 0


def under_way(out: Path, steps: int = STEPS) -> list[Path]:
    """Runs in the middle of their steps."""
    return [run for run in sorted(out.glob("runs/*")) if steps // 4 < rows_of(run) < steps - steps // 4]


def states(out: Path) -> list[str]:
    return [row["state"] for row in json.loads((out / "manifest.json").read_text())["runs"]]


def status(run: Path) -> str:
    return str(json.loads((run / "run.json").read_text())["status"])


def table(out: Path) -> list[dict[str, str]]:
    """As it is written, digit by digit, without data that differ from sweep to sweep."""
    with (out / "table.csv").open(newline="") as file:
        return [{key: text for key, text in row.items() if key not in PASSING} for row in csv.DictReader(file)]


def workers_of(pid: int) -> list[psutil.Process]:
    """Workers that a sweep has started."""
    found = psutil.Process(pid).children(recursive=True)
    alive = [process for process in found if process.status() != psutil.STATUS_ZOMBIE]
    return [process for process in alive if "spawn_main" in " ".join(process.cmdline())]


def computing(workers: list[psutil.Process], out: Path) -> psutil.Process:
    """Waits for a run in the middle of its steps; the worker that has its files open."""
    found: list[psutil.Process] = []

    def happens() -> bool:
        runs = [str(run.resolve()) for run in under_way(out)]
        files = {worker: [file.path for file in worker.open_files()] for worker in workers} if runs else {}
        found.extend(worker for worker, paths in files.items() if any(path.startswith(tuple(runs)) for path in paths))
        return bool(found)

    wait_for(happens)
    return found[0]


class Cluster:
    """A scheduler and workers as separate processes, on the loopback."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.scheduler = self._start("scheduler", "--port", "0", "--scheduler-file", str(folder / "scheduler.json"))
        # the scheduler opens its file before it writes it
        wait_for(
            lambda: (folder / "scheduler.json").exists() and (folder / "scheduler.json").stat().st_size, self.scheduler
        )
        self.address = str(json.loads((folder / "scheduler.json").read_text())["address"])
        self.workers: list[subprocess.Popen[str]] = []

    def add_worker(self) -> subprocess.Popen[str]:
        words = ("--nthreads", "1", "--no-nanny", "--local-directory", str(self.folder / "scratch"))
        self.workers.append(self._start("worker", self.address, *words))
        return self.workers[-1]

    def kill_worker(self, out: Path) -> None:
        """One that is in the middle of a run of a sweep; another takes its place if it was the only one."""
        killed = computing([psutil.Process(worker.pid) for worker in self.workers], out)
        killed.kill()
        dead = next(worker for worker in self.workers if worker.pid == killed.pid)
        dead.wait()
        self.workers.remove(dead)
        if not self.workers:
            self.add_worker()

    def stop(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()

    def _start(self, kind: str, *words: str) -> subprocess.Popen[str]:
        with (self.folder / "cluster.txt").open("a") as said:
            return subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--host", "127.0.0.1", "--no-dashboard", *words],
                cwd=self.folder, stdout=said, stderr=subprocess.STDOUT, text=True, env={**environment(), **IDLE},
            )  # fmt: skip


@contextmanager
def cluster(folder: Path, workers: int = 2) -> Iterator[Cluster]:
    folder.mkdir()
    made = Cluster(folder)
    try:
        for _ in range(workers):
            made.add_worker()
        yield made
    finally:
        made.stop()


def interrupt(child: subprocess.Popen[str]) -> None:
    """Ctrl-C: a terminal sends it to the whole group."""
    os.killpg(child.pid, signal.SIGINT)
