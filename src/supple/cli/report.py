"""`supple report`: one HTML page about a run, several side by side, or a whole sweep."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from supple.recording.folder import RunFolder

NAME = "report.html"
SIDE_BY_SIDE = 8
"""Runs of a comparison that a page shows side by side; larger ones get the page of a sweep."""


def report(
    folders: Annotated[
        list[Path], typer.Argument(metavar="FOLDER...", help="Folders written by `supple run`, `compare` or `sweep`.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE.html", help=f"Default: {NAME} in the run folder, or here for several runs."),
    ] = None,
    film: Annotated[bool, typer.Option("--film", help="Embed a film instead of stills.")] = False,
    pages: Annotated[
        bool, typer.Option("--pages", help="For a sweep: also write the page of each run, and link them.")
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an older file.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on the last line.")] = False,
) -> None:
    """Write a self-contained HTML page about one or several runs, or a sweep."""
    from supple.cli.output import new_console, print_json
    from supple.render.report.page import write_report
    from supple.runs.accounts import account_of

    console = new_console(as_json)
    file = out or (folders[0] / NAME if len(folders) == 1 else Path(NAME))
    whole = len(folders) == 1 and is_sweep(folders[0]) and (pages or not is_small_comparison(folders[0]))
    _check_options(whole, film, pages)
    if whole:
        _check(file, overwrite)
        runs = _sweep_report(folders[0], file, film, pages, console)
    else:
        runs = [run for folder in folders for run in runs_in(folder)]
        accounts = [account_of(run) for run in runs]
        _check(file, overwrite)
        write_report(accounts, file, film)
    console.print(f"report       {file}", markup=False)
    if as_json:
        print_json({"report": str(file), "runs": [str(run) for run in runs], "bytes": file.stat().st_size})


def is_sweep(folder: Path) -> bool:
    """Whether the folder was written by `supple sweep`."""
    from supple.sweeps.manifest import NAME as MANIFEST

    return (folder / MANIFEST).is_file()


def is_small_comparison(folder: Path) -> bool:
    """Whether it was written by `supple compare`, with few enough runs for columns side by side."""
    from supple.sweeps.manifest import Manifest

    manifest = Manifest.read(folder)
    return bool(manifest.plan.get("names")) and len(manifest.rows) <= SIDE_BY_SIDE


def runs_in(folder: Path) -> list[Path]:
    """The folder itself, or the runs in it in order, as written by `supple compare` and `supple sweep`."""
    from supple.sweeps.manifest import Manifest

    if is_sweep(folder):
        named = (folder / row.folder for row in Manifest.read(folder).rows)
        return [path for path in named if (path / "history.csv").is_file()]
    inside = sorted(record.parent for record in folder.glob("*/run.json"))
    return inside if inside and not (folder / "run.json").exists() else [folder]


def _sweep_report(folder: Path, file: Path, film: bool, pages: bool, console: Console) -> list[Path]:
    """Write the page of a sweep; returns its started runs."""
    from supple.sweeps.manifest import Manifest
    from supple.sweeps.report.writing import write_pages

    manifest = Manifest.read(folder)
    for problem in write_pages(manifest, file, pages=pages, film=film, console=console):
        console.print(f"no page for {problem}", markup=False)
    return [folder / row.folder for row in manifest.rows if (folder / row.folder / "run.json").is_file()]


def _check_options(whole: bool, film: bool, pages: bool) -> None:
    from supple.errors import SuppleError

    if pages and not whole:
        raise SuppleError("--pages: applies to the folder of one sweep, whose page links to those of its runs; omit it")
    if whole and film and not pages:
        raise SuppleError(
            "--film: the pictures of a sweep are already animated; omit it, or add --pages for films on the pages of its runs"
        )


def report_beside(folder: RunFolder) -> Path:
    """Write the report of a run into its folder, replacing an older one."""
    from supple.runs.accounts import write_page

    return write_page(folder.path)


def _check(file: Path, overwrite: bool) -> None:
    """Refuse files that cannot be written, before anything is drawn."""
    from supple.cli.analyse.output import check_places
    from supple.errors import SuppleError

    if file.suffix.lower() not in (".html", ".htm"):
        raise SuppleError(
            f"--out {file}: found '{file.suffix}'; a report is an HTML page: give a name that ends in .html"
        )
    check_places(file)
    if file.exists() and not overwrite:
        raise SuppleError(f"{file}: already exists; replace it with --overwrite, or choose another --out")
