"""What `run` and `compare` share towards the user: console, progress bar, JSON, requests to stop."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from supple.runs.job import Job
    from supple.simulate import Frame


def new_console(as_json: bool) -> Console:
    """Plain text on stdout, or on stderr when stdout is for JSON; says so once when kernels are being compiled."""
    from rich.console import Console

    from supple.linalg.compiling import on_first_compile

    console = Console(stderr=as_json, highlight=False, soft_wrap=True)
    on_first_compile(lambda: console.print("compiling kernels, once on this machine for each material ..."))
    return console


def print_json(document: Any) -> None:
    """One line; what is not finite, after an explosion, is null."""
    import json

    print(json.dumps(_finite(document), allow_nan=False))


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(v) for key, v in value.items()}
    if isinstance(value, list):
        return [_finite(v) for v in value]
    return None if isinstance(value, float) and not abs(value) < float("inf") else value


@contextmanager
def stop_requests() -> Iterator[list[int]]:
    """The first Ctrl-C or SIGTERM asks the loop to stop after the current step, the second one interrupts."""
    asked: list[int] = []

    def ask(number: int, _: Any) -> None:
        if asked:
            raise KeyboardInterrupt
        asked.append(number)

    old = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)


@contextmanager
def progress_bar(console: Console, job: Job) -> Iterator[Callable[[Frame], None]]:
    """A bar with time, energy residue and iterations."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[state]}", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(job.name, total=job.steps, completed=job.progress.whole_steps, state="")

        def show(frame: Frame) -> None:
            scale = max(frame.ledger.energies.scale, abs(frame.ledger.initial)) or 1.0
            state = f"t {frame.state.t:.3f} s, drift {frame.ledger.residue / scale:+.1e}, {frame.solve.iterations} its"
            bar.update(task, completed=job.progress.whole_steps, state=state)

        yield show
