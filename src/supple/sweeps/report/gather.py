"""Contents of a sweep page, read from its folder: pictures, figures and curves of every run."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from supple.render.camera import CAMERAS
from supple.render.colouring import Colouring
from supple.sweeps.manifest import Manifest, Row, State
from supple.sweeps.plan import label
from supple.sweeps.report.columns import Column, columns
from supple.sweeps.report.curves import Curves, read_curves
from supple.sweeps.report.framing import Sight, frame, look
from supple.sweeps.report.strips import Grade, choose_grade, strip

PAGE = "report.html"
T = TypeVar("T")


class Followed(Protocol):
    """Passes items on and shows progress: description and total number."""

    def __call__(self, items: Iterable[T], description: str, total: int) -> Iterable[T]: ...


def unseen(items: Iterable[T], description: str, total: int) -> Iterable[T]:
    """Shows nothing."""
    return items


@dataclass(frozen=True)
class Entry:
    """One run on the page."""

    row: Row
    label: str
    strip: str
    """Its pictures as a data URL; empty if there are none."""
    end: float | None
    """Last recorded time [s]."""
    link: str
    """Link to its own page; empty if not written."""

    def plain(self) -> dict[str, Any]:
        """As scripts read it."""
        row = self.row
        return {
            "index": row.index, "label": self.label, "state": row.state.value, "end": self.end, "link": self.link,
            "folder": row.folder, "error": row.error or "", "worker": row.worker or "",
        }  # fmt: skip


@dataclass(frozen=True)
class Gathered:
    """The contents of a sweep page."""

    manifest: Manifest
    entries: tuple[Entry, ...]
    columns: tuple[Column, ...]
    curves: Curves
    grade: Grade
    times: tuple[float, ...]
    """Times of the pictures [s]."""
    colouring: Colouring | None
    """Coloured quantity; None without pictures."""


def gather(manifest: Manifest, page: Path, followed: Followed = unseen) -> Gathered:
    """Read and draw all runs; links are those of a page in the file `page`."""
    rows, folder = manifest.rows, manifest.folder
    began = [row for row in rows if row.state is not State.WAITING or (folder / row.folder).is_dir()]
    sights = {}
    for row in followed(began, "looking", len(began)):
        sight = look(folder / row.folder)
        if sight is not None:
            sights[row.index] = sight
    drawn, grade, times, colouring = _drawn(manifest, sights, followed)
    entries = tuple(
        Entry(
            row,
            label(row.values),
            drawn.get(row.index, ""),
            sights[row.index].span[1] if row.index in sights else None,
            _link(folder / row.folder / PAGE, page),
        )
        for row in rows
    )
    curves = read_curves([(row.index, folder / row.folder) for row in began])
    return Gathered(manifest, entries, tuple(columns(manifest)), curves, grade, times, colouring)


def _drawn(
    manifest: Manifest, sights: dict[int, Sight], followed: Followed
) -> tuple[dict[int, str], Grade, tuple[float, ...], Colouring | None]:
    """The strips by number of run, with their size, times and colours."""
    if not sights:
        return {}, Grade(1, 96, 72), (0.0,), None
    leading = [manifest.folder / row.folder for row in manifest.rows if row.state is State.FINISHED]
    framing = frame(list(sights.values()), leading, CAMERAS["iso"])
    grade = choose_grade(framing, list(sights.values()))
    times = grade.times(framing.span)
    strips = {
        index: strip(framing, sight, grade, times) for index, sight in followed(sights.items(), "drawing", len(sights))
    }
    return strips, grade, tuple(map(float, times)), framing.colouring


def _link(target: Path, page: Path) -> str:
    """Link from the page to a file, if it exists."""
    if not target.is_file():
        return ""
    return Path(os.path.relpath(target.resolve(), page.resolve().parent)).as_posix()
