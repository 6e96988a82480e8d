"""Scenes to begin with: every shipped one, shrunk to a few elements and steps."""

from __future__ import annotations

import copy
import re
import shutil
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

STEPS = 3
SMALLEST = (1, 2, 3, 4)
"""Counts of a mesh, tried one after the other until the scene runs."""
MESHES = ("body", "obstacle")
CHOICES = frozenset({"tets", "seed"})
"""Whole numbers that are no counts."""


@dataclass(frozen=True)
class Seed:
    """A scene that runs, as tables, and the files that it names."""

    name: str
    tables: dict[str, Any]
    files: tuple[Path, ...] = field(default=())

    def copy_files(self, folder: Path) -> None:
        """Put the files beside a scene in the folder."""
        for file in self.files:
            shutil.copy(file, folder / file.name)


@cache
def shipped() -> tuple[str, ...]:
    """Names of all shipped scenes."""
    from supple.scene.text.shipped import shipped_scenes

    return tuple(sorted(shipped_scenes()))


@cache
def shipped_tables(name: str) -> dict[str, Any]:
    """A shipped scene as it stands in its file."""
    from supple.scene.text.shipped import shipped_scenes

    return tomllib.loads(shipped_scenes()[name].read_text(encoding="utf-8"))


@cache
def seed(name: str) -> Seed:
    """The shipped scene with the smallest meshes with which it still runs; running it compiles its kernels too."""
    from supple.scene.text.shipped import shipped_scenes

    tables = shipped_tables(name)
    files = tuple(_named_files(tables, shipped_scenes()[name].parent))
    for count in SMALLEST:
        small = Seed(name, shrunk(tables, count), files)
        if runs(small):
            return small
    return Seed(name, shrunk(tables, 0), files)


def shrunk(tables: dict[str, Any], count: int) -> dict[str, Any]:
    """The same scene for a few steps, with meshes of at most `count` elements along each edge; 0 leaves them."""
    small = copy.deepcopy(tables)
    for entry in (entry for word in MESHES for entry in small.get(word, [])):
        if count and isinstance(entry.get("mesh"), dict):
            entry["mesh"] = _fewer(entry["mesh"], count)
        if isinstance(entry.get("points"), dict):
            entry["points"] = _fewer(entry["points"], max(count, 1))
    time = small.get("time", {})
    time["duration"] = STEPS * seconds(time.get("step", 0.01))
    small.get("solver", {}).pop("threads", None)
    return small


def seconds(value: Any) -> float:
    """A time as a number: fractions are allowed as text."""
    if isinstance(value, str) and (found := re.fullmatch(r"\s*([\d.]+)\s*/\s*([\d.]+)\s*", value)):
        return float(found[1]) / float(found[2])
    return float(value) if isinstance(value, float | int) else 0.01


def _fewer(value: Any, count: int) -> Any:
    if isinstance(value, dict):
        return {word: entry if word in CHOICES else _fewer(entry, count) for word, entry in value.items()}
    if isinstance(value, int) and not isinstance(value, bool):
        return min(value, count)
    if isinstance(value, list) and value and all(type(entry) is int for entry in value):
        return [min(entry, count) for entry in value]
    return value


def _named_files(value: Any, folder: Path) -> Iterator[Path]:
    if isinstance(value, dict | list):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from _named_files(entry, folder)
    elif isinstance(value, str) and 0 < len(value) < 200 and "\n" not in value and (folder / value).is_file():
        yield folder / value


def runs(small: Seed) -> bool:
    """Whether the scene runs to its end in this process, which then has its kernels."""
    from supple.recording.folder import RunStatus
    from supple.runs.run import start_run
    from supple.scene.text.load import read_scene

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small.copy_files(folder)
        try:
            job = start_run(read_scene(copy.deepcopy(small.tables), folder), folder / "run", STEPS)
        except Exception:  # a bug is found by the cases, which report more about it
            return False
        status = RunStatus.FAILED
        try:
            for _ in job.frames():
                pass
            status = RunStatus.FINISHED
        except Exception:
            return False
        finally:
            job.finish(status)
        return status is RunStatus.FINISHED
