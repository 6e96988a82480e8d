"""From a path to a clip or a rig: the reader of each format by its extension.

Files are read once: the last result is cached until the file changes.
"""

from __future__ import annotations

import importlib
from functools import lru_cache
from pathlib import Path

from supple.clips.checks import check_clip
from supple.clips.clip import Clip
from supple.clips.clip_file import ClipFile
from supple.clips.obj_frames import sequence_files
from supple.clips.rig import Rig
from supple.errors import SuppleError, did_you_mean

READERS = {
    ".abc": "alembic.AlembicFile",
    ".usd": "usd.usd_file.UsdFile",
    ".usda": "usd.usd_file.UsdFile",
    ".usdc": "usd.usd_file.UsdFile",
    ".usdz": "usd.usd_file.UsdFile",
    ".glb": "gltf.gltf_file.GltfFile",
    ".gltf": "gltf.gltf_file.GltfFile",
    ".pc2": "point_caches.Pc2File",
    ".mdd": "point_caches.MddFile",
    ".npz": "npz_file.NpzFile",
    ".obj": "obj_frames.ObjFrames",
}
"""Readers by extension; an .obj is a sequence if its name contains * or ?."""
FILES_KEPT = 6
Stamp = tuple[tuple[str, int, int], ...]


def is_pattern(path: str | Path) -> bool:
    """Whether it names several files."""
    return any(sign in Path(path).name for sign in "*?")


def is_clip_file(path: str | Path) -> bool:
    """Whether the extension belongs to a motion format; a single .obj is a mesh."""
    path = Path(path)
    return path.suffix.lower() in READERS and (path.suffix.lower() != ".obj" or is_pattern(path))


def files_of(path: str | Path) -> list[Path]:
    """The file, or all files that match a pattern."""
    path = Path(path)
    return sequence_files(path) if is_pattern(path) else ([path] if path.is_file() else [])


def open_clip_file(path: str | Path) -> ClipFile:
    """The reader of a file, which has read nothing yet."""
    path = Path(path)
    if path.suffix.lower() not in READERS:
        found = f"unknown extension '{path.suffix}'" if path.suffix else "no extension"
        raise SuppleError(
            f"{path.name}: {found}{did_you_mean(path.suffix, READERS)} files with motion: {', '.join(READERS)}"
        )
    if not files_of(path):
        raise SuppleError(f"{path}: no such file; check the name, and the folder that it is relative to")
    module, _, name = READERS[path.suffix.lower()].rpartition(".")
    made: ClipFile = getattr(importlib.import_module(f"supple.clips.{module}"), name)(path)
    return made


def read_clip(path: str | Path, wanted: str | None = None) -> tuple[Clip, str]:
    """The clip of an object, the only one if none is named, checked; and a warning about a jump, or an empty text."""
    return _clip(Path(path), wanted, _stamp(path))


def read_rig(path: str | Path, skeleton: str | None = None, skin: str | None = None) -> Rig:
    """The joints of a skeleton, the only one if none is named; `skin`: the object whose weights are required."""
    return _rig(Path(path), skeleton, skin, _stamp(path))


def _stamp(path: str | Path) -> Stamp:
    facts = ((str(file), file.stat()) for file in files_of(path))
    return tuple((name, fact.st_mtime_ns, fact.st_size) for name, fact in facts)


@lru_cache(maxsize=FILES_KEPT)
def _clip(path: Path, wanted: str | None, stamp: Stamp) -> tuple[Clip, str]:
    file = open_clip_file(path)
    clip = file.clip(file.find_object(wanted))
    return clip, check_clip(clip)


@lru_cache(maxsize=FILES_KEPT)
def _rig(path: Path, skeleton: str | None, skin: str | None, stamp: Stamp) -> Rig:
    file = open_clip_file(path)
    if not file.skeletons:
        raise SuppleError(f"{file.file}: has no skeletons; export the armature too, or follow the points of an object")
    wanted = None if skin is None else file.find_object(skin)
    return file.rig(file.find_skeleton(skeleton), wanted).checked()
