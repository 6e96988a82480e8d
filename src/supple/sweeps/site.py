"""Where workers put the runs of a sweep: into a folder that they share with the client, or on their own disks, from where the
client collects them in pieces."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from supple.sweeps.cluster.sight import demand_sight
from supple.sweeps.cluster.wanted import this_worker

PIECE = 4 << 20
"""Bytes that travel at once."""


@dataclass(frozen=True)
class Site:
    """A folder as workers find it."""

    root: str
    """Of the sweep, as the client sees it."""
    token: str = ""
    """Of a sweep whose runs are collected; empty for a folder that all machines share."""
    mark: str = ""
    """What a worker must find in a shared folder."""

    @property
    def shared(self) -> bool:
        return not self.token

    def path(self) -> Path:
        """The folder, seen from the machine that asks."""
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
    """What a worker has of a run."""
    place = Path(root) / folder
    files = sorted(file for file in place.rglob("*") if file.is_file() and file.name != ".lock")
    return [Kept(file.relative_to(place).as_posix(), file.stat().st_size) for file in files]


def piece(root: str, folder: str, name: str, offset: int) -> bytes:
    """Some bytes of a file."""
    with (Path(root) / folder / name).open("rb") as file:
        file.seek(offset)
        return file.read(PIECE)


def discard(root: str, folder: str = "") -> None:
    """Forget a run that has arrived, or all that a sweep has left on a worker."""
    shutil.rmtree(Path(root) / folder, ignore_errors=True)
