"""Memory used by this process, and the system's limit on it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

SLACK = 64 << 20
"""Margin beyond a limit before the system refuses, so the run can stop in order after a step [bytes]."""


def resident() -> int:
    """Resident memory of this process [bytes]; where unavailable, its peak."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return _most()


def _most() -> int:
    try:
        import resource
    except ImportError:  # not on Windows
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


@contextmanager
def refused_beyond(limit: int | None) -> Iterator[None]:
    """Make allocations far beyond a limit fail with MemoryError, where the system supports it."""
    before = _lower(limit) if limit is not None else None
    try:
        yield
    finally:
        lift(before)


def lift(before: tuple[int, int] | None) -> None:
    """Restore an earlier limit of the system."""
    if before is not None:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, before)


def _lower(limit: int) -> tuple[int, int] | None:
    """Only Linux counts all of a process's own memory as data; reserved but unused memory counts too."""
    if not sys.platform.startswith("linux"):
        return None
    import resource

    with open("/proc/self/statm", "rb") as file:
        data = int(file.read().split()[5]) * os.sysconf("SC_PAGE_SIZE")
    before = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = limit + max(0, data - resident()) + SLACK
    hard = before[1]
    resource.setrlimit(resource.RLIMIT_DATA, (wanted if hard < 0 else min(wanted, hard), hard))
    return before
