"""The stages of a scene in the folder of its run, so the run can be resumed after the folder is moved.

A copy is named by its content, as files of sweeps are, and includes everything the stage refers to. The scene of the run names
it relative to the folder.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from supple import toml
from supple.mesh.stages.flattened import stage_content
from supple.mesh.stages.stage import is_stage
from supple.ownership import marks
from supple.scene.tables.scene import Scene
from supple.scene.text.named_files import outside

FILES = "files"
"""Folder of the copies, below that of the run."""


def with_stage_copies(scene: Scene, folder: Path) -> tuple[Scene, dict[str, bytes]]:
    """The scene with copies of its stages in a folder, not written yet; their contents by name below it."""
    place = folder.resolve() / FILES
    named: dict[str, str] = {}
    contents: dict[str, bytes] = {}

    def copied(text: str) -> str:
        if text not in named:
            data, suffix = stage_content(text)
            name = _named(Path(text), hashlib.sha256(data).hexdigest()[:16], suffix)
            named[text], contents[f"{FILES}/{name}"] = str(place / name), data
        return named[text]

    tables = scene.model_dump(exclude_none=True)
    changed: dict[str, Any] = {
        key: [_copied(entry, copied) for entry in tables.get(key, ())] for key in ("body", "obstacle")
    }
    return (scene.with_tables(changed), contents) if named else (scene, {})


def kept_text(scene: Scene, folder: Path) -> str:
    """The scene for the folder of its run: every default written out, and its copies named relative to the folder."""
    place = folder.resolve()

    def near(text: str) -> str:
        path = Path(text)
        return path.relative_to(place).as_posix() if path.is_relative_to(place / FILES) else text

    tables = _walked(scene.model_dump(exclude_none=True), near)
    far = [path for path in outside(tables, place) if not path.is_relative_to(place)]
    return marks(far) + toml.document(tables)


def write_copies(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Put the copies into the folder of a run."""
    from supple.recording.files import replace_bytes

    for name, data in contents.items():
        os.makedirs((folder / name).parent, exist_ok=True)
        replace_bytes(folder / name, data)


def _copied(entry: Any, change: Callable[[str], str]) -> Any:
    """A body or obstacle whose mesh and start are read from copies; motion has separate copies."""
    return {key: _walked(value, change) if key in ("mesh", "initial") else value for key, value in entry.items()}


def _walked(data: Any, change: Callable[[str], str], key: str = "") -> Any:
    if isinstance(data, Mapping):
        return {word: _walked(value, change, word) for word, value in data.items()}
    if isinstance(data, list | tuple):
        return [_walked(value, change, key) for value in data]
    return change(data) if isinstance(data, str) and key == "file" and is_stage(data) else data


def _named(path: Path, digest: str, suffix: str) -> str:
    return f"{path.stem.removesuffix(f'-{digest}')}-{digest}{suffix}"
