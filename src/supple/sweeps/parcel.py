"""A scene for transfer to another machine: its text, and its files, named by content.

Files go into one folder that all runs of a sweep share, named by a digest, so a mesh shared by a hundred runs is
sent and stored once. A folder of images, or the frames of a sequence, are sent as an archive.
"""

from __future__ import annotations

import hashlib
import io
import tomllib
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from supple import toml
from supple.errors import SceneError
from supple.mesh.stages.flattened import stage_content
from supple.mesh.stages.stage import is_stage
from supple.paths import Fence
from supple.recording.files import replace_bytes
from supple.scene.tables.scene import Scene
from supple.scene.text.load import dump_scene

FILES = "files"
"""Folder of the files, below that of the sweep."""
NAMING = frozenset({"file", "skin", "surface", "coarse"})
"""Keys of a scene whose values may be the names of files."""
PLUGINS = "plugins"
_ARCHIVE = ".folder.zip"


@dataclass(frozen=True)
class Parcel:
    """A scene whose files are named by their content."""

    text: str
    """TOML; paths are relative to the folder of the sweep."""
    contents: dict[str, bytes] = field(repr=False, default_factory=dict)
    """Name below `files` -> content."""
    plugins: tuple[str, ...] = ()
    """Paths below the folder of the sweep, of files that are programs; the user has allowed each of them."""


def pack(scene: Scene) -> Parcel:
    """Everything a scene needs to run elsewhere."""
    tables, contents = packed_tables(tomllib.loads(dump_scene(scene)), scene.folder)
    return Parcel(toml.document(tables), contents, tuple(tables.get(PLUGINS, ())))


def packed_tables(
    tables: dict[str, Any], folder: Path, fence: Fence | None = None
) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Tables of a scene, whose files are searched in `folder`, with names by content; and the contents by name. Files
    refused by the fence keep their names, which no run will read."""
    contents: dict[str, bytes] = {}

    def packed(text: str) -> str:
        path = folder / text
        if fence is not None and fence.refusal(text, path):
            return text
        if "*" in path.name and path.parent.is_dir():  # frames of a sequence
            return f"{kept(path.parent, _zipped(sorted(path.parent.glob(path.name)), path), _ARCHIVE)}/{path.name}"
        return kept(path, *_content(path)) if path.exists() else text

    def kept(path: Path, data: bytes, ending: str) -> str:
        digest = hashlib.sha256(data).hexdigest()[:16]
        stem = path.name if path.is_dir() else path.stem
        name = f"{stem.removesuffix(ending.removesuffix('.zip')).removesuffix(f'-{digest}')}-{digest}{ending}"
        contents[name] = data
        return f"{FILES}/{name.removesuffix('.zip')}"

    return _walked(tables, packed), contents


def unpack(folder: Path, contents: dict[str, bytes]) -> None:
    """Write files into the folder of a sweep; existing ones stay, since they are named by content."""
    place = folder / FILES
    for name, data in contents.items():
        target = place / name
        if target.exists():
            continue
        place.mkdir(parents=True, exist_ok=True)
        if name.endswith(_ARCHIVE):
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                archive.extractall(place / name.removesuffix(".zip"))
        replace_bytes(target, data)


def _walked(data: Any, change: Callable[[str], str], key: str = "") -> Any:
    if isinstance(data, dict):
        return {word: _walked(value, change, word) for word, value in data.items()}
    if isinstance(data, list):
        return [_walked(value, change, key) for value in data]
    return change(data) if isinstance(data, str) and (key in NAMING or key == PLUGINS) else data


def _content(path: Path) -> tuple[bytes, str]:
    """Content sent for a file or folder, and its suffix; a stage includes its references."""
    if path.is_dir():
        return _zipped(sorted(path.iterdir()), path), _ARCHIVE
    return stage_content(path) if is_stage(path) else (path.read_bytes(), path.suffix)


def _zipped(found: list[Path], where: Path) -> bytes:
    """Files of one folder, with the same bytes for the same content."""
    files = [file for file in found if file.is_file()]
    if not files:
        raise SceneError(f"{where}: contains no files; expected images, or frames of a sequence")
    to = io.BytesIO()
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.writestr(zipfile.ZipInfo(file.name), file.read_bytes())
    return to.getvalue()
