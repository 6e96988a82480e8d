"""Writes the page of a sweep, and on demand those of its runs, with a progress bar."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from supple.errors import SuppleError
from supple.runs.accounts import write_page
from supple.sweeps.manifest import Manifest
from supple.sweeps.report.gather import Followed, unseen
from supple.sweeps.report.page import write_sweep_report

if TYPE_CHECKING:
    from rich.console import Console

T = TypeVar("T")


def write_pages(
    manifest: Manifest, out: Path, *, pages: bool = False, film: bool = False, console: Console | None = None
) -> list[str]:
    """Write the page into `out`, after those of all runs if `pages`; returns the reasons for missing pages."""
    followed = unseen if console is None else _bar(console)
    missing = _write_run_pages(manifest, film, followed) if pages else []
    write_sweep_report(manifest, out, followed)
    return missing


def _write_run_pages(manifest: Manifest, film: bool, followed: Followed) -> list[str]:
    begun = [row for row in manifest.rows if (manifest.folder / row.folder / "history.csv").is_file()]
    missing = []
    for row in followed(begun, "pages of runs", len(begun)):
        try:
            write_page(manifest.folder / row.folder, film)
        except SuppleError as problem:
            missing.append(f"run {row.index}: {problem}")
    return missing


def _bar(console: Console) -> Followed:
    from rich.progress import track

    def followed(items: Iterable[T], description: str, total: int) -> Iterable[T]:
        return track(items, description, total, console=console, transient=True)

    return followed
