"""Files named in a scene: paths made absolute, checked for existence and for access rights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from supple.clips.kept import copy_name
from supple.clips.reading import files_of, is_clip_file
from supple.paths import Fence, is_shipped
from supple.scene.text.motion_files import absolute, is_there, motions
from supple.wording import inline, shown

Entry = tuple[str, dict[str, Any], str]
"""Key path in the scene, the table, and the key in the table."""


def find_files(data: dict[str, Any], folder: Path, fence: Fence | None) -> list[str]:
    """Make the paths of all files absolute, in place, so a copy of the scene works from any folder; returns the problems.

    Without a fence, the scene belongs to the user and may name any file.
    """
    wrong = []
    for place, table, key in named(data):
        path = _path(folder, table[key])
        if path is None:
            wrong.append(f"{place}: not a path, found {shown(table[key])}; remove the NUL character")
            continue
        try:
            reason = _refused(path, folder, table[key], fence, key)
            found = not reason and _is_found(path, folder, place, key)
        except OSError as problem:
            wrong.append(f"{place}: no file can be opened by this name, found {shown(table[key])}: {problem.strerror}")
            continue
        if reason:
            wrong.append(f"{place}: {shown(table[key])} {reason}")
        elif not found:
            what = "file or folder" if ".voxels" in place else "file"
            wrong.append(f"{place}: no such {what}, found {shown(table[key])}, resolved to {_in_one_line(path)}")
        if key != "coarse":  # searched again when bodies are built, and relative to the scene
            table[key] = str(path)
    return wrong


def _in_one_line(path: Path) -> str:
    # a problem is one line, and a name may contain line feeds
    return inline(str(path)) if len(str(path).splitlines()) > 1 else str(path)


def outside(tables: dict[str, Any], folder: Path) -> list[Path]:
    """Files in checked tables that a copy of the scene may need permission for: all except the shipped ones.

    Relative names are resolved in `folder`.
    """
    paths = (_path(folder, table[key]) for _, table, key in named(tables))
    return [path for path in paths if path is not None and not is_shipped(path)]


def named(data: Mapping[str, Any]) -> Iterator[Entry]:
    """All file names in the tables of a scene."""
    for place, motion in motions(data):
        yield f"{place}.file", motion, "file"
    for kind in ("body", "obstacle"):
        entries = data.get(kind)
        for k, entry in enumerate(entries if isinstance(entries, list | tuple) else []):
            if isinstance(entry, dict):
                yield from _of_body(f"{kind}[{k}]", entry)


def _of_body(place: str, entry: dict[str, Any]) -> Iterator[Entry]:
    mesh = entry.get("mesh")
    if isinstance(mesh, dict) and "shape" not in mesh:
        yield from ((f"{place}.mesh.{key}", mesh, key) for key in ("file", "skin", "coarse") if _is_text(mesh, key))
    if _is_text(entry, "surface"):
        yield f"{place}.surface", entry, "surface"
    regions = entry.get("regions")
    for k, region in enumerate(regions if isinstance(regions, list | tuple) else []):
        voxels = region.get("voxels") if isinstance(region, dict) else None
        if isinstance(voxels, dict) and _is_text(voxels, "file"):
            yield f"{place}.regions[{k}].voxels.file", voxels, "file"
    material = entry.get("material")
    for key, value in material.items() if isinstance(material, dict) else ():
        if isinstance(value, dict) and _is_text(value, "file"):
            yield f"{place}.material.{key}.file", value, "file"
    initial = entry.get("initial")
    if isinstance(initial, dict) and _is_text(initial, "file"):
        yield f"{place}.initial.file", initial, "file"


def _is_text(table: dict[str, Any], key: str) -> bool:
    return isinstance(table.get(key), str)


def _path(folder: Path, text: str) -> Path | None:
    """The absolute path of a name; None if it is not a valid path."""
    try:
        return absolute(folder, text) if is_clip_file(text) else (folder / text).resolve()
    except (OSError, RuntimeError, ValueError):
        return None


def _refused(path: Path, folder: Path, text: str, fence: Fence | None, key: str) -> str:
    """Why a file is refused; empty if it is allowed, or if a copy in the folder of a run is read instead."""
    if fence is None or (is_clip_file(path) and (folder / copy_name(str(path))).is_file()):
        return ""
    if key == "coarse" and not path.is_file():  # its copy is searched
        return ""
    found = sorted(path.glob("*.png")) if path.is_dir() else files_of(path) if is_clip_file(path) else []
    reasons = (fence.refusal(text, file) for file in (path, *(found if text not in fence.typed else ())))
    return next(filter(None, reasons), "")


def _is_found(path: Path, folder: Path, place: str, key: str) -> bool:
    if key == "coarse":
        return True
    if ".voxels" in place:
        return path.exists()
    return path.is_file() or (("motion" in place or key in ("file", "skin")) and is_there(path, folder))
