"""Signals at chosen moments of a command that runs in this process."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import supple
from supple.interruption import placing

SOURCES = str(Path(supple.__file__).parent)
WRITING = placing.under_way.__wrapped__.__code__  # type: ignore[attr-defined]  # what contextmanager wraps
Matches = Callable[[FrameType], bool]


class Sent:
    """Whether the moment has come."""

    def __init__(self) -> None:
        self.frames: list[str] = []


@contextmanager
def signal_at(matches: Matches, number: signal.Signals) -> Iterator[Sent]:
    """Send a signal to this process when a call of a function matches for the first time."""
    sent = Sent()

    def profile(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and not sent.frames and matches(frame):
            sent.frames.append(frame.f_code.co_name)
            sys.setprofile(None)
            os.kill(os.getpid(), number)

    sys.setprofile(profile)
    try:
        yield sent
    finally:
        sys.setprofile(None)


def at_code(code: CodeType) -> Matches:
    """At the first call of a function."""
    return lambda frame: frame.f_code is code


def after_calls(code: CodeType, count: int) -> Matches:
    """At so many calls of functions of supple after the first call of one of them."""
    left = count
    begun = False

    def matches(frame: FrameType) -> bool:
        nonlocal left, begun
        begun = begun or frame.f_code is code
        if begun and frame.f_code.co_filename.startswith(SOURCES):
            left -= 1
        return left < 0

    return matches


def at_writing(folder: Path) -> Matches:
    """When the first file is begun in the folder."""

    def matches(frame: FrameType) -> bool:
        if frame.f_code is not WRITING:
            return False
        return any(folder in (Path.cwd() / name).parents for name in frame.f_locals["names"])

    return matches
