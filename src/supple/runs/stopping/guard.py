"""Early stops of a run: the first Ctrl-C, SIGTERM or SIGHUP stops after the current step, the second interrupts, and so does a
step that far exceeds its time limit. If native code does not return, a thread ends the process.

The folder can be resumed in each case: an orderly stop leaves a checkpoint, otherwise the last checkpoint counts, as after a
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

from supple.interruption.signals import (
    INTERRUPTED,
    SIGNALS,
    handled,
    interrupt,
    is_request,
    leave,
    to_terminal,
    watched,
)
from supple.runs.stopping.budget import Budget
from supple.runs.stopping.memory import refused_beyond

PATIENCE = 2.0
"""Time for native code to return after a second request [s]."""
WORDS = "\nstopping after this step; press Ctrl-C again to end at once\n"
ENDED = "ended at once, in the middle of its work\n"
LONGEST = 1e9
"""Alarm of a limit of any length; timers of the system end at about 1e14 [s]."""
LIMITED = 3
"""The exit code at a limit."""


class Guard:
    """Requests to stop, and limits, from the start of a command to its end. A context."""

    def __init__(self, budget: Budget | None = None, say: Callable[[str], None] | None = None) -> None:
        self.budget = budget or Budget()
        self.asked: list[int] = []
        """Signals received during steps."""
        self.overrun = ""
        """Why a step was interrupted, if a limit was the reason."""
        self._requests = self._alarms = 0
        self._say = say or to_terminal
        self._stepping = False
        self._ending: Callable[[], None] = lambda: None
        self._stack = ExitStack()
        self._memory = ExitStack()

    def __enter__(self) -> Guard:
        self._memory.enter_context(refused_beyond(self.budget.bytes))
        self._stack.callback(self._memory.close)
        if threading.current_thread() is threading.main_thread():  # only the main thread receives signals
            self._stack.enter_context(handled(dict.fromkeys(SIGNALS, self._ask)))
            self._stack.enter_context(watched(self._watch))
            if self.budget.left is not None:
                self._stack.enter_context(handled({signal.SIGALRM: self._too_late}))
                self._stack.enter_context(_alarm(max(self.budget.left, 1e-3)))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @contextmanager
    def steps(self, ending: Callable[[], None] = lambda: None) -> Iterator[None]:
        """During steps, a first request waits for the end of the step. ending: clean-up of a process that has to exit at
        once, run on another thread."""
        self._stepping, self._ending = True, ending
        try:
            yield
        finally:
            self._stepping, self._ending = False, lambda: None

    def reason(self) -> str:
        """Reason to stop between two steps; empty if none."""
        return "interrupted" if self.asked else self.budget.reached()

    def give_memory(self) -> None:
        """Remove the system's limit, so a run that has reached it can be closed in order."""
        self._memory.close()

    def _ask(self, number: int, _: FrameType | None) -> None:
        if not is_request(number, self._requests):
            return
        self._requests += 1
        if self.asked or not self._stepping:
            interrupt()
            return
        self.asked.append(number)

    def _too_late(self, number: int, _: FrameType | None) -> None:
        """The grace begins with the first alarm: it would be over at once for a process that was stopped (Ctrl-Z) meanwhile."""
        self._alarms += 1
        if self._alarms == 1:
            signal.setitimer(signal.ITIMER_REAL, self.budget.grace)
            return
        self.overrun = f"{self.budget.out_of_time}, and the current work took {self.budget.grace:.3g} s longer"
        interrupt()

    def _watch(self, pipe: int, over: threading.Event) -> None:
        """Receive signals even while native code blocks the main thread."""
        count, alarms = 0, 0
        until = {INTERRUPTED: float("inf"), LIMITED: float("inf")}  # by the exit code
        while not over.is_set():
            left = min(until.values()) - time.monotonic()
            ready, _, _ = select.select([pipe], [], [], min(max(left, 0.0), 3600.0))
            for number in os.read(pipe, 64) if ready else b"":
                if is_request(number, count):
                    count += 1
                    if count == 1 and self._stepping:
                        self._say(WORDS)
                    elif count > 1 or not self._stepping:
                        patience = time.monotonic() + (PATIENCE if count <= 2 else 0.0)
                        until[INTERRUPTED] = min(until[INTERRUPTED], patience)
                elif number == signal.SIGALRM:
                    alarms += 1
                    until[LIMITED] = time.monotonic() + self.budget.grace * (2.0 if alarms == 1 else 1.0)
            if time.monotonic() >= min(until.values()) and not over.is_set():
                with suppress(Exception):  # nothing may prevent the process from exiting
                    self._ending()
                self._say(ENDED)
                leave(min(until, key=until.__getitem__))


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    signal.setitimer(signal.ITIMER_REAL, min(seconds, LONGEST))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
