"""How much clients may ask of a page."""

from __future__ import annotations

import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Bounds on what all clients together and each alone may do."""

    clients: int = 64
    """Tabs and other clients at a time."""
    message: int = 16 * 1024
    """Longest message from a client [bytes]; those of a panel have some hundred."""
    rate: float = 240.0
    """Messages per second of one client that are read; the others wait in its own machine."""
    share: float = 0.2
    """Part of one core that serving may take; beyond it, all clients get fewer frames."""
    handshake: float = 5.0
    """Time for a request to be complete [s]."""

    @property
    def connections(self) -> int:
        """Open connections at a time, with those that have not said yet what they want."""
        return 2 * self.clients + 16


class Allowance:
    """Lets so many events pass per second, and one second's worth at once."""

    def __init__(self, rate: float) -> None:
        self._rate, self._left, self._at = rate, rate, time.monotonic()

    def wait(self) -> float:
        """Take one; returns the seconds to wait before the next may be taken."""
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
        """Compare what was spent since the last call; returns the pause from now on [s]. Called on the serving thread."""
        spent, now = time.thread_time(), time.monotonic()
        part = (spent - self._spent) / max(now - self._at, 1e-9)
        self._spent, self._at = spent, now
        # at most by half or double at a time, so that one burst does not stop the picture
        factor = min(2.0, max(0.5, part / self._share))
        self.pause = min(self.LONGEST, max(self.SHORTEST, factor * self.pause))
        return self.pause
