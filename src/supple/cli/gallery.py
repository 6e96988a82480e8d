"""`supple gallery`: every figure and claim of the sources, reproduced on one page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from supple.cli.options import sweep as options

if TYPE_CHECKING:
    from rich.console import Console

    from supple.gallery.tour import Tour


def gallery(
    panels: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ID|SOURCE]...", help="Panels such as R4 or K3.1, sources (R, S, A, K, L); default: all."
        ),
    ] = None,
    full: Annotated[bool, typer.Option("--full/--quick", help="Body sizes of the sources, or small bodies.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Exit with code 1 if a verdict is not the expected one.")
    ] = False,
    listing: Annotated[bool, typer.Option("--list", help="List the panels and exit.")] = False,
    workers: options.Workers = None,
    scheduler: options.Scheduler = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for the page; an existing folder is completed.", show_default="gallery"),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Repeat finished panels.")] = False,
    as_json: options.AsJson = False,
) -> None:
    """Reproduce the claims of the five source publications; writes a page with pictures, figures and verdicts."""
    from supple.cli.output import new_console, print_json
    from supple.gallery.choice import choose
    from supple.gallery.page.page import write_page
    from supple.gallery.tally import alarms, as_plain
    from supple.gallery.tour import Tour
    from supple.interruption.words import keeping
    from supple.recording.files import demand_place, make_folder

    console = new_console(as_json)
    chosen = choose(panels or [])
    if listing:
        for panel in chosen:
            console.print(f"{', '.join((panel.name, *panel.also)):<16} {panel.title}", markup=False, highlight=False)
        if as_json:
            print_json([{"id": panel.name, "also": list(panel.also), "title": panel.title} for panel in chosen])
        return
    root = out or Path("gallery")
    demand_place(root, "a gallery")
    tour = Tour(chosen, root, full) if overwrite else Tour.of(chosen, root, full)
    make_folder(root)
    with keeping(f"finished panels are kept in {root}; the same command continues with the remaining panels"):
        try:
            _toured(tour, workers, scheduler, console)
        finally:
            console.print(f"page         {write_page(tour)}", markup=False)
            _told(tour, console)
            if as_json:
                print_json(as_plain(tour))
    if check and alarms(tour):
        raise typer.Exit(1)


def _toured(tour: Tour, workers: int | None, scheduler: str | None, console: Console) -> None:
    """Run the remaining panels."""
    from supple.gallery.tour import shown

    if tour.outcomes:
        console.print(f"{len(tour.outcomes)} of {len(tour.panels)} panels are already done", markup=False)
    with shown(tour, console) as told:
        tour.go(told, workers, scheduler)


def _told(tour: Tour, console: Console) -> None:
    from supple.gallery.tally import alarms, counts

    said = ", ".join(f"{count} {verdict}" for verdict, count in counts(tour).items() if count)
    console.print(f"{len(tour.outcomes)} panels: {said or 'none done'}", markup=False)
    for text in alarms(tour):
        console.print(text, markup=False, style="yellow")
