"""`supple analyse order`: observed orders of convergence on a scene."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from supple.cli.analyse.methods import USUAL
from supple.cli.analyse.study import (
    EXACT,
    AsJson,
    Duration,
    Integrators,
    Reference,
    SceneName,
    Settings,
    Steps,
    Tolerance,
)

if TYPE_CHECKING:
    from rich.console import Console

    from supple.cli.analyse.study import Study


def order(
    scene: SceneName,
    integrators: Integrators = USUAL,
    steps: Steps = "32,64,128",
    duration: Duration = None,
    settings: Settings = None,
    reference: Reference = EXACT,
    tolerance: Tolerance = 1e-12,
    csv: Annotated[Path, typer.Option(help="File for the figures.")] = Path("order.csv"),
    plot: Annotated[Path, typer.Option(help="File for the plot.")] = Path("order.png"),
    as_json: AsJson = False,
) -> None:
    """Run a scene with ever smaller steps; shows errors and observed orders, writes a table and a plot."""
    from supple.cli.analyse.output import check_results, show_files
    from supple.cli.analyse.study import carry_out
    from supple.cli.output import new_console, print_json
    from supple.render.plots.convergence import plot_orders

    console = new_console(as_json)
    check_results(csv, plot)
    study = carry_out(scene, integrators, steps, duration, settings, reference, tolerance, console)
    study.write(csv)
    plot_orders(study.curves(), plot, f"{study.title}: error against step")
    rows = _rows(study)
    _show(console, study, rows)
    show_files(console, {"table": csv, "plot": plot})
    if as_json:
        print_json({"csv": str(csv), "plot": str(plot), "reference": reference, "runs": rows})


def _rows(study: Study) -> list[dict[str, Any]]:
    """Each run with its observed orders."""
    from dataclasses import asdict

    from supple.analysis.convergence import orders

    rows = []
    for name in study.integrators:
        runs = study.of(name)
        counts = [run.steps for run in runs]
        found = [
            orders([math.nan if run.failure else error for run, error in zip(runs, errors, strict=True)], counts)
            for errors in ([run.error_x for run in runs], [run.error_v for run in runs])
        ]
        rows += [{**asdict(run), "order_x": x, "order_v": v} for run, x, v in zip(runs, *found, strict=True)]
    return rows


def _show(console: Console, study: Study, rows: list[dict[str, Any]]) -> None:
    from supple.cli.analyse.output import show_table
    from supple.cli.analyse.study import NORMS

    heads = ("integrator", "steps", "h [s]", "error x", "order", "error v", "order")
    cells = []
    for row in rows:
        figures = [
            f"{value:{form}}" if math.isfinite(value) else ""
            for name, form in (("error_x", ".3e"), ("order_x", ".2f"), ("error_v", ".3e"), ("order_v", ".2f"))
            for value in (row[name],)
        ]
        if row["failure"]:
            figures = [row["failure"].partition(":")[0], "", "", ""]
        cells.append([row["integrator"], str(row["steps"]), f"{row['h']:.3g}", *figures])
    show_table(console, f"{study.title}, against {study.reference}; {NORMS}", heads, cells)
    study.explain_failures(console)
