"""Limits of a run on time and memory."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from supple.errors import SuppleError
from supple.runs.stopping import amounts
from supple.runs.stopping.memory import resident

LOOK = 0.05
"""Between two looks at the memory [s]."""


@dataclass
class Budget:
    """What a run may take; the clock begins with the object."""

    seconds: float | None = None
    """Of the wall clock."""
    bytes: int | None = None
    """Of memory that the process occupies."""
    _began: float = field(default_factory=time.monotonic)
    _looked: float = 0.0

    @classmethod
    def of(cls, time_limit: str | float | None, memory_limit: str | float | None, option: bool = False) -> Budget:
        """From words or numbers; `option`: name them as the command line does in messages."""
        names = ("--time-limit", "--memory-limit") if option else ("time_limit", "memory_limit")
        given = None if time_limit is None else amounts.seconds(time_limit, names[0])
        most = None if memory_limit is None else amounts.size(memory_limit, names[1])
        if most is not None and most <= (now := resident()):
            raise SuppleError(
                f"{names[1]}: found {amounts.large(most)}, but supple takes {amounts.large(now)} before it begins; give more"
            )
        return cls(given, most)

    @property
    def grace(self) -> float:
        """How much longer a step may take that the limit falls into [s]."""
        return 3.0 + 0.1 * (self.seconds or 0.0)

    @property
    def left(self) -> float | None:
        """Seconds until the limit; None without one."""
        return None if self.seconds is None else self._began + self.seconds - time.monotonic()

    def reached(self) -> str:
        """Which limit is reached, as a sentence; empty if none is."""
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
        """Why there is no memory left."""
        return (
            f"the memory limit of {amounts.large(self.bytes)} is reached"
            if self.bytes
            else "the machine has no memory left for it"
        )
