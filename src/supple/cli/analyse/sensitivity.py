"""`supple analyse sensitivity`: the most influential keys of a sweep for its measures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from supple.cli.analyse.study import AsJson

if TYPE_CHECKING:
    from rich.console import Console

    from supple.sweeps.sensitivities.influence import Influence, Sensitivity

WIDE = 0.2
"""Half-width of an interval too wide for a ranking [-]."""


def sensitivity(
    folder: Annotated[Path, typer.Argument(metavar="SWEEP", help="Folder written by `supple sweep`.")],
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Bars with intervals, as png, svg or pdf.")] = None,
    as_json: AsJson = False,
) -> None:
    """Rank the keys of a sweep by their influence on each measure."""
    from dataclasses import asdict

    from supple.cli.analyse.output import check_results, show_files
    from supple.cli.output import new_console, print_json
    from supple.sweeps.results import Sweep

    console = new_console(as_json)
    if plot is not None:
        check_results(None, plot)
    sweep = Sweep(folder)
    found = sweep.sensitivity()
    _show(found, console)
    if plot is not None:
        found.draw(f"Sensitivity:  {sweep.path.name}", plot)
        show_files(console, {"plot": plot})
    if as_json:
        print_json({"folder": str(folder), "plot": None if plot is None else str(plot), **asdict(found)})


def _show(found: Sensitivity, console: Console) -> None:
    from supple.cli.analyse.output import show_table
    from supple.sweeps.plan import short_keys
    from supple.sweeps.sensitivities.influence import REGRESSION

    short = dict(zip(found.keys, short_keys(found.keys), strict=True))
    cells = []
    for measure in found.measures:
        ranked = [[short[one.key], *_figures(one)] for one in found.of(measure)]
        cells += [[measure if not k else "", *row] for k, row in enumerate(ranked)]
    heads = ("coefficient", "+-", "of ranks", "+-") if found.kind == REGRESSION else ("first", "+-", "total", "+-")
    show_table(console, found.sentence, ("measure", "key", *heads), cells)
    said = "R^2" if found.kind == REGRESSION else "keys by themselves explain"
    for measure, share in found.explained.items():
        console.print(f"{measure}: {said} {share:.2f}", markup=False)
    for name, reason in found.left_out.items():
        console.print(f"{name} is left out: {reason}", markup=False)
    if any(max(one.error, one.first_error) > WIDE for one in found.influences):
        console.print(
            "some intervals are wide: more samples narrow them, by the square root of their number", markup=False
        )


def _figures(one: Influence) -> list[str]:
    return [f"{value:.2f}" for value in (one.first, one.first_error, one.total, one.error)]
