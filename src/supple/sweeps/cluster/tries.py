"""How often a run may be tried before it counts as failed."""

from __future__ import annotations

from collections import Counter

from supple.sweeps.farm import ATTEMPTS


class Tries:
    """Worker deaths per run, and resubmitted runs."""

    def __init__(self) -> None:
        self._deaths: Counter[int] = Counter()
        self._again: Counter[int] = Counter()

    def died(self, index: int) -> None:
        """A worker died while it computed this run."""
        self._deaths[index] += 1

    def verdict(self, index: int) -> str | None:
        """The reason why a run failed that the scheduler gave up because its workers died. None: try it again, since it was only
        waiting at workers that died on other runs."""
        deaths = self._deaths[index]
        if deaths > ATTEMPTS:
            return f"{deaths} workers died while they computed this run"
        return self.once_more(index, "workers died while they had this run")

    def once_more(self, index: int, why: str) -> str | None:
        """None if a run may be resubmitted; otherwise the reason of its failure."""
        self._again[index] += 1
        return f"{why}, {self._again[index]} times" if self._again[index] > ATTEMPTS else None
