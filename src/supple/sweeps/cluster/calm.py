"""Local workers that ignore Ctrl-C and a closed terminal: the client handles it, stops the runs and closes its workers.

A terminal sends the signal to all processes of a command at once. A worker that took it would die in the middle of a run. Threads
and processes inherit which signals are blocked, so workers restarted later ignore it too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from supple.interruption.children import deaf_children, spawning


@contextmanager
def calm() -> Iterator[None]:
    """Processes started in this context ignore Ctrl-C; this process receives it afterwards."""
    spawning()  # Python's tracker of resources would let the signal through if it started later
    with deaf_children():
        yield
