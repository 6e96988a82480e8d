"""The data of one run for a page, gathered before anything is drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from supple.dynamics.step import Facts
from supple.recording.folder import RunFolder, RunStatus
from supple.render.plots.energy import History


@dataclass(frozen=True)
class Expected:
    """One expectation of the scene, and whether the run meets it."""

    name: str
    held: bool
    found: str
    """The figure and its bounds in words."""


@dataclass(frozen=True)
class Account:
    """One run: its scene and method in words, its ledger, and how it ended."""

    folder: RunFolder
    status: RunStatus
    record: Mapping[str, Any]
    """supple (version), started and ended (ISO 8601, or None)."""
    scene: Mapping[str, Any]
    """The scene file as it was run; empty if none can be read."""
    facts: Facts | None
    """Properties of the method; None if this version does not have it."""
    history: History
    notes: tuple[str, ...]
    """Lines of the log, and notes from reading the run."""
    expected: tuple[Expected, ...] = ()
    """Expectations of the scene; none for an unfinished run."""

    @property
    def title(self) -> str:
        return str(self.scene.get("title") or self.folder.path.resolve().name)

    @property
    def description(self) -> str:
        return str(self.scene.get("description", ""))

    @property
    def method(self) -> str:
        table = self.scene.get("integrator", {})
        around = [key for key in ("adaptive", "budget") if isinstance(table.get(key), Mapping)]
        return " + ".join([str(table.get("name", "unknown method")), *around])

    @property
    def h(self) -> float:
        """Time step of the scene [s]; 0 if unknown."""
        return float(self.scene.get("time", {}).get("step", 0.0))

    @property
    def duration(self) -> float:
        """Duration of the scene [s]; 0 if unknown."""
        return float(self.scene.get("time", {}).get("duration", 0.0))

    @property
    def elapsed(self) -> float | None:
        """Wall time from start to end [s]; None while it runs, and for resumed runs."""
        resumed = any(note.startswith(("continues after step", "goes on after step")) for note in self.notes)
        try:
            ended, started = (datetime.fromisoformat(str(self.record.get(key))) for key in ("ended", "started"))
        except ValueError:
            return None
        return None if resumed else (ended - started).total_seconds()


def labels(accounts: Sequence[Account]) -> list[str]:
    """A short unique name for each run: the method, with its step or folder where several share it."""
    ways: tuple[Callable[[Account], str], ...] = (
        lambda a: a.method,
        lambda a: f"{a.method}, h = {a.h:.4g} s",
        lambda a: f"{a.method}, {a.folder.path.resolve().name}",
    )
    for way in ways:
        names = [way(account) for account in accounts]
        if len(set(names)) == len(names):
            return names
    twice = Counter[str]()
    numbered = []
    for name in names:
        twice[name] += 1
        numbered.append(f"{name} ({twice[name]})" if twice[name] > 1 else name)
    return numbered
