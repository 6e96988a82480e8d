"""Signals that request an end, as an exception of the main thread and as bytes for a watching thread.

Python calls a handler between two of its own instructions, so that native code delays it. A watching thread gets the number of
each signal at once.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import ClassVar

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
INTERRUPTED = 130
"""The exit code."""
SHOW_CURSOR = "\x1b[?25h"
"""Progress bars hide it."""

Handler = Callable[[int, FrameType | None], object]


class Interrupted(KeyboardInterrupt):
    """A request to end; its text is the sentence for the user.

    A plain `KeyboardInterrupt` that passes through `exec` makes the interpreter end by the signal, whatever the requested exit
    code. Dataclasses and Numba call `exec`, so a separate class is needed.
    """


class Request(Interrupted):
    """Raised by a handler, wherever the main thread is. Callbacks of native code and libraries that catch everything drop it;
    then it is reported as lost, and raised again."""

    lost: ClassVar[list[Callable[[], None]]] = []
    """Functions that raise it again; the last one is called."""

    def __init__(self) -> None:
        super().__init__()
        self.answered = False
        self._lost = Request.lost[-1:]

    def __del__(self) -> None:
        for report in () if self.answered else self._lost:
            report()


def answered(request: KeyboardInterrupt) -> None:
    """The work has ended as it was asked to, although nothing is raised any more."""
    if isinstance(request, Request):
        request.answered = True


class _Hold:
    """Whether an interruption has to wait, whether one does, whether one was ever asked for, and whether the work is over."""

    depth = 0
    waiting = False
    asked = False
    over = False


@contextmanager
def one_work() -> Iterator[None]:
    """Requests are raised within, until `work_is_over`."""
    _Hold.over = _Hold.asked = False
    try:
        yield
    finally:
        _Hold.over = False


def work_is_over() -> None:
    """Only the last words remain: a request would interrupt them, and there is nothing else to end."""
    _Hold.over = True


def is_over() -> bool:
    return _Hold.over


def was_asked() -> bool:
    """Whether the work was asked to end."""
    return _Hold.asked


def is_request(number: int, earlier: int) -> bool:
    """Whether a signal is one more request, after so many earlier ones. A terminal that closes sends SIGHUP twice, and systemd
    sends it after SIGTERM: that is no second request, which would end at once."""
    return number in SIGNALS and not (earlier and number == signal.SIGHUP)


def interrupt(number: int = signal.SIGINT, _: FrameType | None = None) -> None:
    """Handler: raise a request, or leave that to the end of `held`; after the work nothing is left to end."""
    if _Hold.over or not is_request(number, _Hold.asked):
        return
    _Hold.asked = True
    if _Hold.depth:
        _Hold.waiting = True
        return
    raise Request


@contextmanager
def held() -> Iterator[None]:
    """No interruption within, for renames that belong together."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _Hold.depth += 1
    try:
        yield
    finally:
        _Hold.depth -= 1
        if _Hold.waiting and not _Hold.depth:
            _Hold.waiting = False
            raise Request


@contextmanager
def handled(handlers: dict[signal.Signals, Handler]) -> Iterator[None]:
    """Other handlers within. `nohup` starts programs that ignore SIGHUP, and they go on to do so."""
    heard = {number: handler for number, handler in handlers.items() if not _is_nohup(number)}
    old = {number: signal.signal(number, handler) for number, handler in heard.items()}
    try:
        yield
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)


def _is_nohup(number: signal.Signals) -> bool:
    return number == signal.SIGHUP and signal.getsignal(number) is signal.SIG_IGN


@contextmanager
def watched(watch: Callable[[int, threading.Event], None]) -> Iterator[int]:
    """A thread that reads the numbers of signals from a pipe as the system delivers them; gives the end to write to."""
    to_read, to_write = os.pipe()
    os.set_blocking(to_write, False)
    over = threading.Event()
    thread = threading.Thread(target=watch, args=(to_read, over), name="supple-signals", daemon=True)
    before = signal.set_wakeup_fd(to_write, warn_on_full_buffer=False)
    thread.start()
    try:
        yield to_write
    finally:
        signal.set_wakeup_fd(before)
        over.set()
        os.write(to_write, b"\0")
        thread.join()
        os.close(to_read)
        os.close(to_write)


def to_terminal(words: str) -> None:
    """Past all buffers, which the main thread may be writing to."""
    with suppress(OSError):
        os.write(2, words.encode())


def leave(code: int) -> None:
    """End the process at once."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):
            if stream.isatty():
                os.write(stream.fileno(), SHOW_CURSOR.encode())
                break
    os._exit(code)
