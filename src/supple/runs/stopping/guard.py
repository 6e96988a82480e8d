"""Who ends a run early: the first Ctrl-C or SIGTERM asks for an end after the step, the second interrupts, and so does a step
that takes far longer than its limit on time. Native code that does not come back is left to a thread, which ends the process.

Whatever happens, the folder can be resumed: in order it is left with a checkpoint, else the last checkpoint counts, as after a
kill.
"""

from __future__ import annotations

import os
import select
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from types import FrameType

from supple.runs.stopping.budget import Budget
from supple.runs.stopping.memory import refused_beyond

PATIENCE = 2.0
"""For native code to come back after a second request [s]."""
SIGNALS = (signal.SIGINT, signal.SIGTERM)
WORDS = "\nstopping after this step; press Ctrl-C again to end at once\n"
ENDED = "ended at once, in the middle of its work\n"
INTERRUPTED, LIMITED = 130, 3
"""Exit codes."""


class Guard:
    """Requests to stop, and limits, from the start of a command to its end. A context."""

    def __init__(self, budget: Budget | None = None, say: Callable[[str], None] | None = None) -> None:
        self.budget = budget or Budget()
        self.asked: list[int] = []
        """Signals that came while steps were taken."""
        self.overrun = ""
        """Why a step was interrupted, if a limit was the reason."""
        self._say = say or _to_terminal
        self._stepping = False
        self._ending: Callable[[], None] = lambda: None
        self._stack = ExitStack()
        self._memory = ExitStack()

    def __enter__(self) -> Guard:
        self._memory.enter_context(refused_beyond(self.budget.bytes))
        self._stack.callback(self._memory.close)
        if threading.current_thread() is threading.main_thread():  # nobody else hears signals
            self._stack.enter_context(_handled(dict.fromkeys(SIGNALS, self._ask)))
            self._stack.enter_context(_watched(self._watch))
            if self.budget.left is not None:
                self._stack.enter_context(_handled({signal.SIGALRM: self._too_late}))
                self._stack.enter_context(_alarm(max(self.budget.left + self.budget.grace, 1e-3)))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @contextmanager
    def steps(self, ending: Callable[[], None] = lambda: None) -> Iterator[None]:
        """While steps are taken, a first request waits for the end of one. ending: what a process does that has to leave at
        once, from another thread."""
        self._stepping, self._ending = True, ending
        try:
            yield
        finally:
            self._stepping, self._ending = False, lambda: None

    def reason(self) -> str:
        """Why the run is to stop between two steps; empty if it is not."""
        return "interrupted" if self.asked else self.budget.reached()

    def give_memory(self) -> None:
        """Take the system's limit away, so that a run which has met it can be ended in order."""
        self._memory.close()

    def _ask(self, number: int, _: FrameType | None) -> None:
        if self.asked or not self._stepping:
            raise KeyboardInterrupt
        self.asked.append(number)

    def _too_late(self, number: int, _: FrameType | None) -> None:
        self.overrun = f"{self.budget.out_of_time}, and the work in hand took {self.budget.grace:.3g} s longer"
        raise KeyboardInterrupt

    def _watch(self, pipe: int, over: threading.Event) -> None:
        """Hear signals even while native code keeps the main thread from doing so."""
        count, until, code = 0, float("inf"), INTERRUPTED
        while not over.is_set():
            ready, _, _ = select.select([pipe], [], [], min(max(until - time.monotonic(), 0.0), 3600.0))
            for number in os.read(pipe, 64) if ready else b"":
                if number in SIGNALS:
                    count += 1
                    if count == 1 and self._stepping:
                        self._say(WORDS)
                    elif count > 1 or not self._stepping:
                        until = min(until, time.monotonic() + (PATIENCE if count <= 2 else 0.0))
                elif number == signal.SIGALRM:
                    until, code = min(until, time.monotonic() + self.budget.grace), LIMITED
            if time.monotonic() >= until and not over.is_set():
                with suppress(Exception):  # nothing may keep the process from leaving
                    self._ending()
                self._say(ENDED)
                os._exit(code)


def _to_terminal(words: str) -> None:
    """Past all buffers, which the main thread may be writing to."""
    with suppress(OSError):
        os.write(2, words.encode())


@contextmanager
def _handled(handlers: dict[signal.Signals, Callable[[int, FrameType | None], None]]) -> Iterator[None]:
    old = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)


@contextmanager
def _watched(watch: Callable[[int, threading.Event], None]) -> Iterator[None]:
    """A thread that gets the numbers of signals as the system delivers them."""
    to_read, to_write = os.pipe()
    os.set_blocking(to_write, False)
    over = threading.Event()
    thread = threading.Thread(target=watch, args=(to_read, over), name="supple-signals", daemon=True)
    before = signal.set_wakeup_fd(to_write, warn_on_full_buffer=False)
    thread.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        over.set()
        os.write(to_write, b"\0")
        thread.join()
        os.close(to_read)
        os.close(to_write)
