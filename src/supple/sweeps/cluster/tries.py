"""How often a run may be tried before it counts as failed."""

from __future__ import annotations

from collections import Counter

from supple.sweeps.farm import ATTEMPTS


class Tries:
    """Workers that died over each run, and runs that had to be submitted again."""

    def __init__(self) -> None:
        self._deaths: Counter[int] = Counter()
        self._again: Counter[int] = Counter()

    def died(self, index: int) -> None:
        """A worker died while it computed this run."""
        self._deaths[index] += 1

    def verdict(self, index: int) -> str | None:
        """Of a run that the scheduler has given up because its workers died: why it has failed, or None to try it again, if
        it only waited at workers that died over others."""
        deaths = self._deaths[index]
        if deaths > ATTEMPTS:
            return f"{deaths} workers died while they computed this run"
        return self.once_more(index, "workers died while they had this run")

    def once_more(self, index: int, why: str) -> str | None:
        """None if a run may be submitted again; otherwise why it has failed."""
        self._again[index] += 1
        return f"{why}, {self._again[index]} times" if self._again[index] > ATTEMPTS else None
