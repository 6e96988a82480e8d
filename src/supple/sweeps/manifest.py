"""The manifest of a sweep: its plan, and how each run stands, in one file that is replaced as a whole.

Truth about a run is in its own folder. The manifest is written at most once per second while runs come and go, and at every
end, so that a kill leaves it a moment behind and never torn.
"""

from __future__ import annotations

import json
import math
import time
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Self

from supple import __version__
from supple.errors import RecordError
from supple.paths import checked_path
from supple.recording.files import replace_bytes

NAME = "manifest.json"
PAUSE = 1.0
"""Between two versions of the file [s]; more if it takes long to write."""
SHARE = 0.05
"""Of the time that may go into writing it."""
FORMAT = 1


class State(StrEnum):
    """How a run of a sweep stands."""

    WAITING = "waiting"
    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"


@dataclass(frozen=True)
class Row:
    """One run of a sweep."""

    index: int
    folder: str
    """Below that of the sweep."""
    values: dict[str, Any]
    state: State = State.WAITING
    seconds: float | None = None
    worker: str | None = None
    error: str | None = None
    measures: dict[str, float] = field(default_factory=dict)
    deaths: int = 0
    """Workers that were lost over it."""


class Manifest:
    """Rows by number, and what the sweep was asked for."""

    def __init__(self, folder: Path, plan: dict[str, Any], rows: list[Row]) -> None:
        self.folder, self.plan, self.rows = folder, plan, rows
        self._due = -math.inf

    @classmethod
    def read(cls, folder: Path) -> Self:
        path = folder / NAME
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise RecordError(
                f"{folder}: not the folder of a sweep, it has no {NAME}; give the one that `supple sweep` wrote"
            ) from None
        except (OSError, ValueError, RecursionError) as error:
            raise RecordError(f"{path}: cannot be read as a manifest: {error}") from None
        if not isinstance(data, dict):
            raise RecordError(f"{path}: cannot be read as a manifest: it is no table")
        if data.get("format") != FORMAT:
            raise RecordError(
                f"{path}: found format {data.get('format')!r}, expected {FORMAT}; it comes from another version"
            )
        if not isinstance(data.get("plan"), dict) or not isinstance(data.get("runs"), list):
            raise RecordError(f"{path}: cannot be read as a manifest: it has no plan and no runs")
        try:
            rows = [_row(row) for row in data["runs"]]
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise RecordError(f"{path}: one of its runs cannot be read: {error}") from None
        for row in rows:
            checked_path(path, row.folder)
        return cls(folder, data["plan"], rows)

    def change(self, index: int, **changes: Any) -> Row:
        """Another state of a run, on the disk now or a moment later."""
        row = self.rows[index] = replace(self.rows[index], **changes)
        if time.monotonic() >= self._due:
            self.write()
        return row

    def write(self) -> None:
        """The file as it stands now."""
        began = time.monotonic()
        about = {"format": FORMAT, "supple": __version__, "plan": self.plan}
        head = ",\n".join(f"{json.dumps(key)}: {json.dumps(value, allow_nan=False)}" for key, value in about.items())
        rows = ",\n".join(json.dumps(_plain(row), allow_nan=False) for row in self.rows)
        replace_bytes(self.folder / NAME, f'{{{head},\n"runs": [\n{rows}\n]}}\n'.encode())
        ended = time.monotonic()
        self._due = ended + max(PAUSE, (ended - began) / SHARE)

    def counts(self) -> dict[State, int]:
        """How many runs stand how."""
        return {state: sum(row.state is state for row in self.rows) for state in State}


def _plain(row: Row) -> dict[str, Any]:
    data = dict(vars(row))
    data["measures"] = {name: value if math.isfinite(value) else repr(value) for name, value in row.measures.items()}
    return data


def _row(data: dict[str, Any]) -> Row:
    measures = {name: float(value) for name, value in data["measures"].items()}
    return Row(**{**data, "state": State(data["state"]), "measures": measures})
