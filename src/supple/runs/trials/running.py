"""Trials in separate processes."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from supple.interruption.children import deaf_children, end_children, leave_with_parent, spawning
from supple.interruption.placing import scratch
from supple.runs.trials.trial import Trial, try_out


def run_trials(trials: list[Trial], workers: int | None = None) -> Iterator[tuple[Trial, str]]:
    """Run trials in separate processes; yields each when done, with its problem."""
    # not forked: a child of a process with threads may hang
    with scratch() as place:
        pool = ProcessPoolExecutor(workers or os.cpu_count(), spawning(), initializer=_begin, initargs=(place,))
        try:
            with deaf_children():
                running = {pool.submit(try_out, trial): trial for trial in trials}
            for done in as_completed(running):
                yield running[done], done.result()
        except BaseException:
            end_children()  # a kernel may take a minute
            raise
        finally:
            pool.shutdown(cancel_futures=True)


def _begin(place: Path) -> None:
    """Runs in each process; `place` is the folder of its files."""
    leave_with_parent()
    tempfile.tempdir = str(place)
