"""Child processes: they ignore Ctrl-C and a closed terminal, and end with their parent."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess
    from multiprocessing.context import SpawnContext

FROM_TERMINAL = (signal.SIGINT, signal.SIGHUP)
"""Signals that a terminal sends to all processes of a command."""
_started: set[subprocess.Popen[str]] = set()
_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of Linux."""


@contextmanager
def deaf_children() -> Iterator[None]:
    """Processes started here do not hear what the terminal sends to all, Ctrl-C or that it closes: it is for us to stop them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, FROM_TERMINAL)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def spawning() -> SpawnContext:
    """Python's way to start processes afresh. Its process that tidies up after others does not hear a closed terminal: its end
    would be reported with tracebacks, and nobody would tidy up."""
    from multiprocessing import get_context, resource_tracker

    before = signal.pthread_sigmask(signal.SIG_BLOCK, FROM_TERMINAL)
    try:
        resource_tracker.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return get_context("spawn")


@contextmanager
def own_child(child: subprocess.Popen[str]) -> Iterator[None]:
    """A program that does not outlive the work within."""
    _started.add(child)
    try:
        yield
    finally:
        if child.poll() is None:
            child.kill()
            child.wait()
        _started.discard(child)


def end_children() -> None:
    """Kill all, for a process that ends at once."""
    for child in list(_started):
        with suppress(OSError):
            child.kill()
    if "multiprocessing" in sys.modules:
        for process in sys.modules["multiprocessing"].active_children():
            process.kill()


def leave_with_parent() -> None:
    """In a process of `multiprocessing`: end when the parent is gone, which cannot stop us any more."""
    threading.Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
    import multiprocessing

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def killed_with_parent() -> None:
    """In a program whose native code keeps Python's lock: the system ends it with its parent, where it can."""
    if sys.platform.startswith("linux"):
        import ctypes

        ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)
