"""The manifest of a sweep: its plan and the status of each run, in one file that is replaced atomically.

The authoritative data of a run is in its own folder. The manifest is written at most once per second while runs change, and
at every end, so a kill leaves it slightly outdated but never torn.
"""

from __future__ import annotations

import json
import math
import time
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from types import NoneType
from typing import Any, Self

from supple import __version__
from supple.errors import RecordError
from supple.paths import checked_path
from supple.recording.files import replace_bytes

NAME = "manifest.json"
PAUSE = 1.0
"""Interval between versions of the file [s]; longer if writing is slow."""
SHARE = 0.05
"""Largest fraction of time spent on writing it."""
FORMAT = 1


class State(StrEnum):
    """Status of a run of a sweep."""

    WAITING = "waiting"
    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"


@dataclass(frozen=True)
class Row:
    """One run of a sweep."""

    index: int
    folder: str
    """Folder below that of the sweep."""
    values: dict[str, Any]
    state: State = State.WAITING
    seconds: float | None = None
    worker: str | None = None
    error: str | None = None
    measures: dict[str, float] = field(default_factory=dict)
    deaths: int = 0
    """Worker deaths during this run."""


class Manifest:
    """Rows by number, and the plan of the sweep."""

    def __init__(self, folder: Path, plan: dict[str, Any], rows: list[Row]) -> None:
        self.folder, self.plan, self.rows = folder, plan, rows
        self._due = -math.inf

    @classmethod
    def read(cls, folder: Path) -> Self:
        path = folder / NAME
        if path.exists() and not path.is_file():  # reading a pipe would never end
            raise RecordError(f"{path}: is no plain file; put back the one that `supple sweep` wrote")
        try:
            text = path.read_text(encoding="utf-8")
            data = json.loads(text, parse_float=_finite, parse_constant=_finite)
        except FileNotFoundError:
            raise RecordError(
                f"{folder}: not the folder of a sweep: it contains no {NAME}; give a folder written by `supple sweep`"
            ) from None
        except (OSError, ValueError, RecursionError) as error:
            raise RecordError(f"{path}: cannot be read as a manifest: {error}") from None
        if not isinstance(data, dict):
            raise RecordError(f"{path}: cannot be read as a manifest: not a table")
        if data.get("format") != FORMAT:
            raise RecordError(
                f"{path}: found format {data.get('format')!r}, expected {FORMAT}; it was written by another version"
            )
        if not isinstance(data.get("plan"), dict) or not isinstance(data.get("runs"), list):
            raise RecordError(f"{path}: cannot be read as a manifest: no plan and no runs")
        try:
            rows = [_row(row) for row in data["runs"]]
        except (TypeError, ValueError, KeyError, AttributeError, OverflowError) as error:
            raise RecordError(f"{path}: one of its runs cannot be read: {error}") from None
        if [row.index for row in rows] != list(range(len(rows))):
            raise RecordError(f"{path}: cannot be read as a manifest: its runs are not numbered from 0 on")
        for row in rows:
            checked_path(path, row.folder)
        return cls(folder, data["plan"], rows)

    def change(self, index: int, **changes: Any) -> Row:
        """Update the state of a run, written now or slightly later."""
        row = self.rows[index] = replace(self.rows[index], **changes)
        if time.monotonic() >= self._due:
            self.write()
        return row

    def write(self) -> None:
        """Write the current state."""
        began = time.monotonic()
        about = {"format": FORMAT, "supple": __version__, "plan": self.plan}
        head = ",\n".join(f"{json.dumps(key)}: {json.dumps(value, allow_nan=False)}" for key, value in about.items())
        rows = ",\n".join(json.dumps(_plain(row), allow_nan=False) for row in self.rows)
        replace_bytes(self.folder / NAME, f'{{{head},\n"runs": [\n{rows}\n]}}\n'.encode())
        ended = time.monotonic()
        self._due = ended + max(PAUSE, (ended - began) / SHARE)

    def counts(self) -> dict[State, int]:
        """Number of runs per state."""
        return {state: sum(row.state is state for row in self.rows) for state in State}


def _plain(row: Row) -> dict[str, Any]:
    data = dict(vars(row))
    data["measures"] = {name: value if math.isfinite(value) else repr(value) for name, value in row.measures.items()}
    return data


def _row(data: dict[str, Any]) -> Row:
    measures = {name: float(value) for name, value in data["measures"].items()}
    made = Row(**{**data, "state": State(data["state"]), "measures": measures})
    kinds = {
        "index": (int,), "folder": (str,), "values": (dict,), "seconds": (int, float, NoneType), "worker": (str, NoneType),
        "error": (str, NoneType), "deaths": (int,),
    }  # fmt: skip
    for name, allowed in kinds.items():
        if type(getattr(made, name)) not in allowed:
            raise ValueError(f"{name} is {str(getattr(made, name))[:40]}")
    return made


def _finite(text: str) -> float:
    """Numbers that are not finite are written as texts."""
    if not math.isfinite(float(text)):
        raise ValueError(f"{text} is not a number of a manifest")
    return float(text)
