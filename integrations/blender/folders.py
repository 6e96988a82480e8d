# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a simulation lives: the scene, the run and the caches."""

import re
from dataclasses import dataclass
from pathlib import Path

import bpy

from .messages import Refusal


@dataclass(frozen=True)
class Folders:
    """One folder with three others in it."""

    root: Path

    @property
    def scene(self) -> Path:
        """The scene file and all files that it references."""
        return self.root / "scene"

    @property
    def run(self) -> Path:
        """The folder of `supple run`."""
        return self.root / "run"

    @property
    def caches(self) -> Path:
        """Point caches of the result."""
        return self.root / "cache"

    @property
    def placement(self) -> Path:
        """Which object each body is, and its transforms over time."""
        return self.scene / "placement.npz"

    @property
    def log(self) -> Path:
        """Output of the processes."""
        return self.root / "log.txt"

    @property
    def resumable(self) -> bool:
        """Whether a run can be continued."""
        return (self.run / "checkpoint").exists() and self.placement.exists()


def folders_of(scene: bpy.types.Scene) -> Folders:
    """The folder set in the scene; otherwise one next to the .blend, or a temporary folder if the file is unsaved."""
    if scene.supple.folder:
        if scene.supple.folder.startswith("//") and not bpy.data.filepath:
            raise Refusal(f"folder '{scene.supple.folder}' is relative to the .blend; save the file first")
        return Folders(Path(bpy.path.abspath(scene.supple.folder)))
    blend = Path(bpy.data.filepath)
    if not bpy.data.filepath:
        return Folders(Path(bpy.app.tempdir) / "supple" / plain(scene.name))
    return Folders(blend.parent / "supple" / f"{blend.stem}-{plain(scene.name)}")


def plain(name: str) -> str:
    """A name with letters, digits, _ and - only, as files and scenes take it."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name) or "object"


def body_names(things: list[bpy.types.Object]) -> dict[str, str]:
    """Names of objects as bodies of a scene, all different."""
    found: dict[str, str] = {}
    for thing in things:
        name = base = plain(thing.name)
        k = 2
        while name in found.values():
            name, k = f"{base}_{k}", k + 1
        found[thing.name] = name
    return found
