"""Runs in progress on workers that died.

The scheduler blames all tasks that a dead worker had, also those that only waited there. Workers therefore announce each run that
they begin, so only the run in progress is counted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

BEGUN = "supple-sweep-begun"
"""Event topic for runs announced by workers."""
_ALL = "all"
"""Dask's topic of added and removed workers."""


@dataclass(frozen=True)
class Death:
    """A lost worker, and the run that it computed."""

    index: int
    worker: str
    expected: bool
    """Whether it was asked to close."""


class Watch:
    """Listens to a cluster, and reports each death to `tell`, from a separate thread."""

    def __init__(self, client: Any, tell: Callable[[Death], None]) -> None:
        self._client, self._tell = client, tell
        self._running: dict[str, int] = {}

    def __enter__(self) -> Watch:
        self._client.subscribe_topic(BEGUN, self._begun)
        self._client.subscribe_topic(_ALL, self._heard)
        return self

    def __exit__(self, *_: object) -> None:
        if self._client.status == "running":
            self._client.unsubscribe_topic(BEGUN)
            self._client.unsubscribe_topic(_ALL)

    def _begun(self, event: tuple[float, dict[str, Any]]) -> None:
        self._running[event[1]["worker"]] = event[1]["index"]

    def _heard(self, event: tuple[float, Any]) -> None:
        said = event[1]
        if isinstance(said, dict) and said.get("action") == "remove-worker":
            index = self._running.pop(said["worker"], None)
            if index is not None:
                self._tell(Death(index, said["worker"], bool(said.get("expected"))))


def announce(worker: Any, index: int) -> None:
    """Announce that a worker begins a run."""
    worker.log_event(BEGUN, {"index": index, "worker": worker.address})
