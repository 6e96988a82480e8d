"""Local workers that do not hear Ctrl-C: it is for the client, which stops the runs and closes its workers.

A terminal sends the signal to all processes of a command at once. A worker that took it would die in the middle of a run. Threads
and processes inherit which signals are blocked, so that workers which are started again later do not hear it either.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


@contextmanager
def calm() -> Iterator[None]:
    """What starts within does not hear Ctrl-C; the process itself hears it at the end."""
    resource_tracker.ensure_running()  # which would let the signal through if it started later
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
