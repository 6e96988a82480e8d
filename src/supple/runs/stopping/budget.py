"""Limits of a run on time and memory."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from supple.errors import SuppleError
from supple.runs.stopping import amounts
from supple.runs.stopping.memory import resident

LOOK = 0.05
"""Interval between memory checks [s]."""


@dataclass
class Budget:
    """Limits of a run; the clock starts with the object."""

    seconds: float | None = None
    """Limit on wall time [s]."""
    bytes: int | None = None
    """Limit on resident memory [bytes]."""
    _began: float = field(default_factory=time.monotonic)
    _looked: float = 0.0

    @classmethod
    def of(cls, time_limit: str | float | None, memory_limit: str | float | None, option: bool = False) -> Budget:
        """From text or numbers; `option`: use command-line names in messages."""
        names = ("--time-limit", "--memory-limit") if option else ("time_limit", "memory_limit")
        given = None if time_limit is None else amounts.seconds(time_limit, names[0])
        most = None if memory_limit is None else amounts.size(memory_limit, names[1])
        if most is not None and most <= (now := resident()):
            raise SuppleError(
                f"{names[1]}: found {amounts.large(most)}, but supple uses {amounts.large(now)} before the run begins; give more"
            )
        return cls(given, most)

    @property
    def grace(self) -> float:
        """Grace period for the step in which the limit is reached [s]."""
        return 3.0 + 0.1 * (self.seconds or 0.0)

    @property
    def left(self) -> float | None:
        """Seconds until the limit; None without one."""
        return None if self.seconds is None else self._began + self.seconds - time.monotonic()

    def reached(self) -> str:
        """The reached limit, as a sentence; empty if none."""
        now = time.monotonic()
        if self.seconds is not None and now - self._began >= self.seconds:
            return self.out_of_time
        if self.bytes is not None and now - self._looked >= LOOK:
            self._looked = now
            used = resident()
            if used > self.bytes:
                return f"{self.out_of_memory}: {amounts.large(used)} are in use"
        return ""

    @property
    def out_of_time(self) -> str:
        return f"the time limit of {amounts.long(self.seconds or 0.0)} is reached"

    @property
    def out_of_memory(self) -> str:
        """Reason for the lack of memory."""
        return (
            f"the memory limit of {amounts.large(self.bytes)} is reached"
            if self.bytes
            else "the machine is out of memory"
        )
