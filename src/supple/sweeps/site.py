"""Location of the runs of a sweep: a folder shared between workers and client, or the disks of the workers, from which the
client collects them in chunks."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from supple.sweeps.cluster.sight import demand_sight
from supple.sweeps.cluster.wanted import this_worker

PIECE = 4 << 20
"""Bytes per chunk."""


@dataclass(frozen=True)
class Site:
    """A folder as seen by workers."""

    root: str
    """Folder of the sweep, as seen by the client."""
    token: str = ""
    """Identifier of a sweep whose runs are collected; empty for a shared folder."""
    mark: str = ""
    """Mark that a worker must find in a shared folder."""

    @property
    def shared(self) -> bool:
        return not self.token

    def path(self) -> Path:
        """The folder as seen from this machine."""
        return Path(self.root) if self.shared else self.on(scratch())

    def on(self, scratch: str | Path) -> Path:
        """The folder of a sweep that is collected, on a local disk."""
        return Path(scratch) / f"supple-{self.token}"

    def check(self) -> None:
        """Refuse a folder that is not that of the client."""
        if self.shared and self.mark:
            demand_sight(self.root, self.mark)


def scratch() -> Path:
    """The local disk of a worker."""
    worker = this_worker()
    return Path(tempfile.gettempdir() if worker is None else worker.local_directory)


@dataclass(frozen=True)
class Kept:
    """A file of a run on the disk of a worker."""

    name: str
    size: int


def kept_files(root: str, folder: str) -> list[Kept]:
    """Files of a run on a worker."""
    place = Path(root) / folder
    files = sorted(file for file in place.rglob("*") if file.is_file() and file.name != ".lock")
    return [Kept(file.relative_to(place).as_posix(), file.stat().st_size) for file in files]


def piece(root: str, folder: str, name: str, offset: int) -> bytes:
    """Some bytes of a file."""
    with (Path(root) / folder / name).open("rb") as file:
        file.seek(offset)
        return file.read(PIECE)


def discard(root: str, folder: str = "") -> None:
    """Delete a collected run, or all remains of a sweep on a worker."""
    shutil.rmtree(Path(root) / folder, ignore_errors=True)
