"""Motion files named in a scene: their paths made absolute, and their copies in the folder of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from supple.clips.kept import copy_name, located
from supple.clips.reading import files_of, is_clip_file
from supple.model.body import Body
from supple.model.energies.energy import Energy
from supple.model.obstacle import AnyObstacle, Obstacle
from supple.model.source import MeshFile

T = TypeVar("T", Body, AnyObstacle)


def is_there(path: Path, folder: Path) -> bool:
    """Whether the run in the folder has a copy of a file, or all files of a sequence."""
    return is_clip_file(path) and (bool(files_of(path)) or (folder / copy_name(str(path))).is_file())


def from_copies(entry: T, folder: Path) -> T:
    """The same body or obstacle with motion from the copies in the folder of a run, where it has some."""
    if isinstance(entry, Obstacle):
        return entry
    if isinstance(entry.mesh, MeshFile) and is_clip_file(entry.mesh.file):
        entry = replace(entry, mesh=replace(entry.mesh, file=located(entry.mesh.file, folder)))
    if isinstance(entry, Body):
        motion = tuple(m if m.file is None else replace(m, file=located(m.file, folder)) for m in entry.motion)
        return replace(entry, motion=motion)
    return _from_copy(entry, folder)


def energy_from_copy(entry: Energy, folder: Path) -> Energy:
    """The same for an energy that pulls vertices along."""
    return _from_copy(entry, folder) if hasattr(entry, "motion") else entry


def _from_copy(entry: Any, folder: Path) -> Any:
    own = entry.motion
    return (
        entry
        if own is None or own.file is None
        else replace(entry, motion=replace(own, file=located(own.file, folder)))
    )


def motions(data: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Keys and tables of all motions with a file."""
    for key in ("body", "obstacle", "energy"):
        entries = data.get(key)
        for k, entry in enumerate(entries if isinstance(entries, list | tuple) else []):
            motion = entry.get("motion") if isinstance(entry, dict) else None
            several = motion if isinstance(motion, list | tuple) else [motion]
            for i, table in enumerate(several):
                if isinstance(table, dict) and isinstance(table.get("file"), str):
                    yield f"{key}[{k}].motion{f'[{i}]' if isinstance(motion, list | tuple) else ''}", table


def absolute(folder: Path, text: str) -> Path:
    """The absolute path of a motion file, whose name may be a pattern."""
    path = folder / text
    return path.parent.resolve() / path.name
