"""Announcements of long computations to a listener: the progress line, not the solver, selects those to show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

LONG = 10_000
"""Smallest number of unknowns that is announced."""

_listener: ContextVar[Callable[[str], None] | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Callable[[str], None]) -> Iterator[None]:
    """Within the context, `listener` receives a description when work begins, and the empty string when it is done."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


@contextmanager
def announced(work: str, unknowns: int) -> Iterator[None]:
    """Announce the work within the context, such as \"analysing\", on a number of unknowns."""
    listener = _listener.get()
    if listener is None or unknowns < LONG:
        yield
        return
    listener(f"{work} {unknowns:,} unknowns")
    try:
        yield
    finally:
        listener("")
