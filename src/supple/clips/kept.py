"""Copies of clips and rigs in the folder of a run: one .npz per file that a scene names, with all data used from it.

A run resumes from its copy, even if its folder is moved or the file changes.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from supple.clips.clip import Clip
from supple.clips.rig import Rig

ENDING = ".clip.npz"


def copy_name(file: str) -> str:
    """Name of the copy of a file with that absolute path in the folder of a run."""
    if file.endswith(ENDING):  # a copy of a copy
        return Path(file).name
    stem = Path(file).stem.replace("*", "all").replace("?", "any")
    return f"{stem}-{hashlib.sha256(file.encode()).hexdigest()[:8]}{ENDING}"


def located(file: str, folder: Path) -> str:
    """The copy of a file in the folder of a run; the file itself where there is none."""
    copied = folder / copy_name(file)
    return str(copied) if copied.is_file() else file


def copy_bytes(taken: Iterable[Clip | Rig]) -> bytes:
    """The content of a copy."""
    arrays: dict[str, Any] = {}
    for entry in taken:
        arrays |= _clip(entry) if isinstance(entry, Clip) else _rig(entry)
        if entry.space.metres is not None:
            arrays["metres_per_unit"] = entry.space.metres
        if entry.space.up is not None:
            arrays["up"] = entry.space.up
    file = io.BytesIO()
    np.savez(file, **arrays)  # not compressed, so it can be memory-mapped
    return file.getvalue()


def _clip(clip: Clip) -> dict[str, Any]:
    made: dict[str, Any] = {"positions": clip.positions, "times": clip.times, "timed": clip.timed}
    if clip.faces is not None:
        made |= {"counts": clip.faces.counts, "corners": clip.faces.corners}
    if clip.edges is not None:
        made["edges"] = clip.edges
    return {f"{clip.name}.{key}": value for key, value in made.items()}


def _rig(rig: Rig) -> dict[str, Any]:
    made = {
        "joints": np.array(rig.joints),
        "parents": rig.parents,
        "bind": rig.bind,
        "poses": rig.poses,
        "times": rig.times,
    }
    found: dict[str, Any] = {f"{rig.name}.{key}": value for key, value in made.items()}
    if rig.skin is not None:
        skin = {"rest": rig.skin.rest, "skin": rig.skin.joints, "weights": rig.skin.weights}
        found |= {f"{rig.skin.name}.{key}": value for key, value in skin.items()}
    return found
