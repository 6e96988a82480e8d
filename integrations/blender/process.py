# SPDX-License-Identifier: GPL-3.0-or-later
"""A chain of processes of supple that runs beside Blender, can be watched, cancelled and waited for."""

import os
import signal
import subprocess
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path

from .messages import Refusal, shorten

INTERRUPTED = 130
"""Exit code of `supple run` after an interrupt."""


@dataclass(frozen=True)
class Command:
    """One process of the chain."""

    words: list[str]
    title: str
    """Text in the panel while it runs."""
    interruptible: bool = False
    """Whether the chain continues after an interrupt, as for a run whose frames so far are kept."""


Plan = Generator[Command, int, str]
"""Yields commands, receives their exit codes, and returns the sentence that ends the job."""


@dataclass(eq=False)
class Job:
    """Commands of a plan, one after another. Work in Blender happens between them, in the thread that polls."""

    plan: Plan
    log: Path
    title: str = ""
    cancelled: bool = False
    done: bool = False
    failed: bool = False
    message: str = ""
    process: subprocess.Popen | None = field(default=None, repr=False)
    command: Command | None = None

    def start(self) -> None:
        """Begin with the first command. A refusal before it goes to the caller."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self.log.write_bytes(b"")
        try:
            self._launch(next(self.plan))
        except StopIteration as end:
            self._end(end.value)

    def poll(self) -> bool:
        """Look after the job; False once it has ended."""
        if self.done:
            return False
        assert self.process is not None
        code = self.process.poll()
        if code is not None:
            self._next(code)
        return not self.done

    def wait(self) -> None:
        """Until the end; for Blender without a window."""
        while not self.done:
            assert self.process is not None
            self._next(self.process.wait())

    def cancel(self) -> None:
        """Interrupt the process. A run then ends after its step and can be resumed; a second call does not wait for that."""
        self.cancelled = True
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)

    def _next(self, code: int) -> None:
        command = self.command
        assert command is not None
        stopped = self.cancelled or code in (INTERRUPTED, -signal.SIGINT)
        if stopped and not command.interruptible:
            self._end("cancelled")
        elif code and not (stopped and command.interruptible):
            self._fail(shorten(self._said()) or f"{command.title}: the process ended with code {code}")
        else:
            try:
                self._launch(self.plan.send(INTERRUPTED if stopped else 0))
            except StopIteration as end:
                self._end(end.value)
            except Refusal as problem:
                self._fail(str(problem))
            except Exception as problem:
                self._fail(f"{type(problem).__name__}: {problem}")
                raise

    def _launch(self, command: Command) -> None:
        self.command, self.title, self.cancelled = command, command.title, False
        self._from = self.log.stat().st_size
        with self.log.open("ab") as log:
            # a separate session: Ctrl-C in the terminal of Blender does not reach it
            self.process = subprocess.Popen(
                command.words,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=environment(),
                start_new_session=True,
            )

    def _said(self) -> str:
        with self.log.open("rb") as log:
            log.seek(self._from)
            return log.read().decode(errors="replace")

    def _end(self, message: str) -> None:
        self.done, self.message = True, message
        self.plan.close()

    def _fail(self, message: str) -> None:
        self.failed = True
        self._end(message)


def environment() -> dict[str, str]:
    """Blender's environment without variables that would mislead another Python; lines are long."""
    kept = {key: value for key, value in os.environ.items() if key not in ("PYTHONHOME", "VIRTUAL_ENV")}
    return kept | {"COLUMNS": "400", "NO_COLOR": "1", "PYTHONUNBUFFERED": "1"}
