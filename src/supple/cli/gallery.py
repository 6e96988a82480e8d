"""`supple gallery`: every figure and claim of the sources, measured here, on one page."""

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
            metavar="[ID|SOURCE]...", help="Panels such as R4 or K3.1, sources (R, S, A, K, L); all if absent."
        ),
    ] = None,
    full: Annotated[bool, typer.Option("--full/--quick", help="The sizes of the sources, or small bodies.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Exit with 1 if a verdict is not the expected one.")] = False,
    listing: Annotated[bool, typer.Option("--list", help="Name the panels and leave.")] = False,
    workers: options.Workers = None,
    scheduler: options.Scheduler = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for the page; one that has panels already is completed.", show_default="gallery"),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Study panels again that are done.")] = False,
    as_json: options.AsJson = False,
) -> None:
    """Measure the claims of the five sources; writes a page with pictures, figures and verdicts."""
    from supple.cli.output import new_console, print_json
    from supple.gallery.choice import choose
    from supple.gallery.page.page import write_page
    from supple.gallery.tally import alarms, as_plain
    from supple.gallery.tour import Tour

    console = new_console(as_json)
    chosen = choose(panels or [])
    if listing:
        for panel in chosen:
            console.print(f"{', '.join((panel.name, *panel.also)):<16} {panel.title}", markup=False, highlight=False)
        if as_json:
            print_json([{"id": panel.name, "also": list(panel.also), "title": panel.title} for panel in chosen])
        return
    root = out or Path("gallery")
    tour = Tour(chosen, root, full) if overwrite else Tour.of(chosen, root, full)
    stopped = _toured(tour, workers, scheduler, console)
    root.mkdir(parents=True, exist_ok=True)
    console.print(f"page         {write_page(tour)}", markup=False)
    _told(tour, console)
    if as_json:
        print_json(as_plain(tour))
    if stopped:
        console.print("interrupted; the same command goes on with the panels that are left", markup=False)
        raise typer.Exit(130)
    if check and alarms(tour):
        raise typer.Exit(1)


def _toured(tour: Tour, workers: int | None, scheduler: str | None, console: Console) -> bool:
    """Study what is left; whether it was interrupted."""
    from supple.gallery.tour import shown

    if tour.outcomes:
        console.print(f"{len(tour.outcomes)} of {len(tour.panels)} panels are done already", markup=False)
    try:
        with shown(tour, console) as told:
            tour.go(told, workers, scheduler)
    except KeyboardInterrupt:
        return True
    return False


def _told(tour: Tour, console: Console) -> None:
    from supple.gallery.tally import alarms, counts

    said = ", ".join(f"{count} {verdict}" for verdict, count in counts(tour).items() if count)
    console.print(f"{len(tour.outcomes)} panels: {said or 'none done'}", markup=False)
    for text in alarms(tour):
        console.print(text, markup=False, style="yellow")
