"""A file with motion in it: objects, skeletons and cameras by name."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from supple.clips.clip import Clip
from supple.clips.space import Space
from supple.errors import BackendMissing, SuppleError, did_you_mean

if TYPE_CHECKING:
    from supple.clips.rig import Rig


class ClipFile:
    """Base of the readers; `path` is the file, or the pattern of a sequence."""

    title = ""
    """Name of the format, for messages."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def file(self) -> str:
        """Name of the file, for messages."""
        return self.path.name

    @property
    def space(self) -> Space:
        """Units and axes as the file states them."""
        return Space()

    @property
    def objects(self) -> Sequence[str]:
        """Names of all objects with vertices."""
        raise TypeError(f"{type(self).__name__} does not define its objects")

    def clip(self, name: str) -> Clip:
        """The motion of one of them."""
        raise TypeError(f"{type(self).__name__} does not define its clips")

    @property
    def skeletons(self) -> Sequence[str]:
        """Names of skeletons with joints."""
        return ()

    def rig(self, name: str, skin: str | None = None) -> Rig:
        """The joints of one of them in motion; `skin`: the object whose weights are required."""
        raise SuppleError(f"{self.file}: files of this format have no skeletons; use .usd, .usda, .usdc, .glb or .gltf")

    @property
    def cameras(self) -> Sequence[str]:
        """Names of cameras."""
        return ()

    def find_object(self, wanted: str | None) -> str:
        """The full name of the requested object; the only one if none is named."""
        return chosen(self.file, "object", self.objects, wanted)

    def find_skeleton(self, wanted: str | None) -> str:
        """The same for skeletons."""
        return chosen(self.file, "skeleton", self.skeletons, wanted)


def chosen(file: str, noun: str, known: Sequence[str], wanted: str | None) -> str:
    """The full name of an entry: from a path, its last component if unique, or the only one."""
    if not known:
        what = "no meshes, points or curves" if noun == "object" else f"no {noun}s"
        raise SuppleError(f"{file}: has {what}; export the animated objects together with their geometry")
    if wanted is None:
        if len(known) == 1:
            return known[0]
        raise SuppleError(f'{file}: has {len(known)} {noun}s; choose one with {noun} = "...": {", ".join(known)}')
    if wanted in known:
        return wanted
    ending = [name for name in known if name.split("/")[-1] == wanted]
    within = ending or [name for name in known if wanted in name.split("/")]
    if len(within) == 1:
        return within[0]
    if within:
        raise SuppleError(f"{file}: {noun} '{wanted}' may be any of {', '.join(within)}; give the whole path")
    short = [name.split("/")[-1] for name in known]
    raise SuppleError(
        f"{file}: unknown {noun} '{wanted}'{did_you_mean(wanted, [*known, *short])} known: {', '.join(known)}"
    )


def needed(module: str, package: str, extra: str) -> Any:
    """Import an optional library, or raise an error that explains its installation."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise BackendMissing(
            f'this file needs {package}, which cannot be imported ({error}); install it with: pip install "supple[{extra}]"'
        ) from error


def read_bytes(path: Path) -> bytes:
    """The content of a file; read errors become messages."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise SuppleError(f"{path.name}: cannot be read: {error.strerror or error}") from error
