"""Limits on the load from clients."""

from __future__ import annotations

import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Limits per client and for all clients together."""

    clients: int = 64
    """Simultaneous tabs and other clients."""
    message: int = 16 * 1024
    """Longest message from a client [bytes]; panel messages have a few hundred."""
    rate: float = 240.0
    """Messages read per second and client; the others wait on the client's side."""
    share: float = 0.2
    """Fraction of one core available for serving; beyond it, all clients get fewer frames."""
    handshake: float = 5.0
    """Time for a request to be complete [s]."""

    @property
    def connections(self) -> int:
        """Simultaneous open connections, including those without a request yet."""
        return 2 * self.clients + 16


class Allowance:
    """Rate limiter: events per second, with a burst of one second's worth."""

    def __init__(self, rate: float) -> None:
        self._rate, self._left, self._at = rate, rate, time.monotonic()

    def wait(self) -> float:
        """Take one event; returns the wait before the next one [s]."""
        now = time.monotonic()
        self._left = min(self._rate, self._left + (now - self._at) * self._rate) - 1.0
        self._at = now
        return max(0.0, -self._left / self._rate)


class Pacing:
    """Keeps the time that a thread spends on serving below a share of one core, by longer pauses between frames."""

    SHORTEST, LONGEST = 1 / 60, 1.0
    """Pauses [s]."""

    def __init__(self, share: float) -> None:
        self._share = share
        self._spent, self._at = time.thread_time(), time.monotonic()
        self.pause = self.SHORTEST

    def adapt(self) -> float:
        """Update from the time spent since the last call; returns the new pause [s]. Called on the serving thread."""
        spent, now = time.thread_time(), time.monotonic()
        part = (spent - self._spent) / max(now - self._at, 1e-9)
        self._spent, self._at = spent, now
        # at most halved or doubled at a time, so one burst does not freeze the picture
        factor = min(2.0, max(0.5, part / self._share))
        self.pause = min(self.LONGEST, max(self.SHORTEST, factor * self.pause))
        return self.pause
