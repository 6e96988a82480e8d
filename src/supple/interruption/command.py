"""Every command: the first Ctrl-C, SIGTERM or SIGHUP ends it in order, the second one at once, even in native code."""

from __future__ import annotations

import os
import select
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

from supple.interruption.children import end_children
from supple.interruption.placing import noted, remove_unfinished
from supple.interruption.signals import (
    INTERRUPTED,
    SIGNALS,
    Interrupted,
    Request,
    handled,
    interrupt,
    is_over,
    is_request,
    leave,
    one_work,
    to_terminal,
    watched,
)
from supple.interruption.words import sentence

SLOW = 2.0
"""After which an end in order is announced [s]."""
WORDS = "\nstopping; press Ctrl-C again to end at once\n"
_LOST = 255
"""No signal: a request got lost."""
_PAUSE = 0.01
"""Until a lost request is raised again [s]."""


class LastWord:
    """The final sentence, written once by the main or the watching thread: a second request reaches both."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._said = False

    def say(self, words: str, write: Callable[[str], object]) -> None:
        """Write the sentence, unless it has been written."""
        with self._lock:
            if not self._said:
                self._said = True
                try:
                    write(f"{words}\n")
                except BaseException:  # a request in the middle of it: the other thread writes it
                    self._said = False
                    raise


@contextmanager
def stoppable() -> Iterator[LastWord]:
    """Requests to end, from here on. Only the main thread hears signals."""
    last = LastWord()
    with noted(), one_work(), ExitStack() as stack:
        if threading.current_thread() is threading.main_thread():
            stack.enter_context(handled(dict.fromkeys(SIGNALS, interrupt)))
            pipe = stack.enter_context(watched(partial(_watch, last)))
            stack.enter_context(_raised_again(pipe))
        yield last


def _watch(last: LastWord, pipe: int, over: threading.Event) -> None:
    """Runs in a separate thread."""
    count, announced = 0, float("inf")
    while not over.is_set():
        ready, _, _ = select.select([pipe], [], [], min(max(announced - time.monotonic(), 0.0), 3600.0))
        for number in os.read(pipe, 64) if ready else b"":
            if number == _LOST:
                _raise_in_main_thread()
            elif is_request(number, count):
                count += 1
                announced = time.monotonic() + SLOW
        if count > 1 and not over.is_set():
            _end_at_once(last)
        if time.monotonic() >= announced:
            announced = float("inf")
            if not over.is_set():
                to_terminal(WORDS)


def _end_at_once(last: LastWord) -> None:
    try:
        end_children()
        remove_unfinished()
    finally:
        last.say(sentence(), to_terminal)
        leave(INTERRUPTED)


def _raise_in_main_thread() -> None:
    import ctypes

    time.sleep(_PAUSE)
    if is_over():
        return
    main = ctypes.c_ulong(threading.main_thread().ident or 0)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(main, ctypes.py_object(Request))


@contextmanager
def _raised_again(pipe: int) -> Iterator[None]:
    """A request that got lost in a callback, or that a library has caught, is raised once more."""

    def report() -> None:
        if report in Request.lost:  # else it is over
            os.write(pipe, bytes([_LOST]))

    def hook(ignored: Any) -> None:
        if not isinstance(ignored.exc_value, Interrupted):
            before(ignored)

    before, sys.unraisablehook = sys.unraisablehook, hook
    Request.lost.append(report)
    try:
        yield
    finally:
        Request.lost.remove(report)
        sys.unraisablehook = before
