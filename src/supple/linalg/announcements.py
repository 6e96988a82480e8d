"""Long pieces of work, announced to whoever listens: a progress line, not the solver, decides what is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

LONG = 10_000
"""Unknowns from which on a piece of work is worth telling."""

_listener: ContextVar[Callable[[str], None] | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Callable[[str], None]) -> Iterator[None]:
    """Within the context, `listener` is told what begins, and the empty string when it is done."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


@contextmanager
def announced(work: str, unknowns: int) -> Iterator[None]:
    """The work within the context, such as \"analysing\", on so many unknowns."""
    listener = _listener.get()
    if listener is None or unknowns < LONG:
        yield
        return
    listener(f"{work} {unknowns:,} unknowns")
    try:
        yield
    finally:
        listener("")
