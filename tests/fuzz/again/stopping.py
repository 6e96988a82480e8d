"""Commands that stop at a step, in a child of their own: killed by -9 after a checkpoint, or asked by Ctrl-C."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from fuzz.worker import Outcome, command

if TYPE_CHECKING:
    from supple.loop import Frame
    from supple.recording.recorder import Recorder


@dataclass(frozen=True)
class Stop:
    """Where a run stops: a checkpoint after step `save`, and a signal after step `end`."""

    save: int
    end: int
    number: signal.Signals = signal.SIGKILL

    @property
    def kills(self) -> bool:
        """Whether nothing is tidied up; a run that is asked to stop takes one more checkpoint."""
        return self.number is signal.SIGKILL

    def __str__(self) -> str:
        return f"saved after step {self.save}, {self.number.name} after step {self.end}"

    def during(self, arguments: Sequence[str]) -> Callable[[], None]:
        """The command line with this stop."""

        def run() -> None:
            from supple.recording import recorder

            record = recorder.Recorder.record

            def counted(self: Recorder, frame: Frame) -> None:
                record(self, frame)
                if frame.step == stop.save:
                    self.save()
                if frame.step == stop.end:
                    os.kill(os.getpid(), stop.number)

            recorder.Recorder.record = counted  # type: ignore[method-assign]
            command(arguments)()

        stop = self
        return run

    def happened(self, outcome: Outcome) -> bool:
        """Whether the command ended as it should; asked after its last step, it is complete."""
        from supple.runs.stopping.guard import INTERRUPTED

        return outcome.signal == self.number if self.kills else outcome.exit in (INTERRUPTED, 0)


def stop(first: int, last: int, random: Random) -> Stop:
    """A random stop of a run that continues after step `first`, which is not recorded again, and ends after step `last`."""
    save = random.randint(first, max(first, last - 1))
    end = random.randint(max(save, first + 1) if first else save, min(save + 2, last))
    return Stop(save, end) if random.random() < 0.7 else Stop(end, end, signal.SIGINT)


def torn(history: Path, random: Random) -> None:
    """A last row that was being written when the kill came."""
    data = history.read_bytes()
    row = data.splitlines()[-1]
    history.write_bytes(data + row[: random.randint(0, len(row))])


def two_threads(arguments: Sequence[str]) -> Callable[[], None]:
    """The command line in a child whose kernels have two threads, which also share work that is too short to gain by it."""

    def run() -> None:
        from numba.np.ufunc import parallel

        from supple.linalg import pool

        parallel._is_initialized = False  # those of the parent did not survive the fork
        parallel._launch_threads()
        pool.SHORT = 0.0
        command(arguments)()

    return run
