"""`supple analyse damping-curves`: numerical damping of an oscillator against the step size."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from supple.analysis.damping import DampingPoint

COLUMNS = ("integrator", "h_omega", "damping_over_omega")
LOWEST, HIGHEST, POINTS = 0.05, 100.0, 67
"""Default range of h omega: 20 points per decade."""
SHOWN = 5
"""Columns of figures that fit a terminal; values given by the user are all shown."""


def damping_curves(
    integrators: Annotated[
        str | None, typer.Option(help="Such as avf,generalized-alpha:rho=0.8; default: all with a time scale.")
    ] = None,
    at: Annotated[
        str | None, typer.Option(help="Values of h omega, such as 0.1,1,10; default: 67 from 0.05 to 100.")
    ] = None,
    csv: Annotated[Path, typer.Option(help="File for the figures.")] = Path("damping-curves.csv"),
    plot: Annotated[Path, typer.Option(help="File for the plot.")] = Path("damping-curves.png"),
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on the last line.")] = False,
) -> None:
    """Measure the numerical damping of methods on an undamped oscillator; writes a table and a plot.

    The figures are computed from the amplification matrix of the method's own code: d/omega = -2 ln(rho) / (h omega).
    """
    from dataclasses import asdict

    import numpy as np

    from supple.analysis.damping import damping_curves as measured
    from supple.cli.analyse.methods import methods, timed_methods
    from supple.cli.analyse.output import check_results, numbers, progress, show_files, write_csv
    from supple.cli.output import new_console, print_json
    from supple.render.plots.damping import plot_damping

    console = new_console(as_json)
    chosen = timed_methods() if integrators is None else methods(integrators)
    grid = np.geomspace(LOWEST, HIGHEST, POINTS).tolist() if at is None else numbers(at, "--at", "0.1,1,10")
    check_results(csv, plot)
    points: list[DampingPoint] = []
    with progress(console, "damping curves", len(chosen) * len(grid)) as show:
        for point in measured(chosen, grid):
            points.append(point)
            show(len(points), point.integrator)
    rows = [asdict(point) for point in points]
    write_csv(csv, COLUMNS, rows)
    curves = {name: [p.damping_over_omega for p in points if p.integrator == name] for name in chosen}
    plot_damping(np.array(grid), {name: np.array(curve) for name, curve in curves.items()}, plot)
    _show(console, grid, curves, 1 if at else -(-len(grid) // SHOWN))
    _explain(console, points)
    show_files(console, {"table": csv, "plot": plot})
    if as_json:
        print_json({"csv": str(csv), "plot": str(plot), "points": rows})


def _show(console: Console, grid: list[float], curves: dict[str, list[float]], stride: int) -> None:
    from supple.cli.analyse.output import show_table

    heads = ["h omega", *(f"{h:.3g}" for h in grid[::stride])]
    rows = [[name, *(f"{d:.2e}" for d in curve[::stride])] for name, curve in curves.items()]
    show_table(console, "d / omega: 0: no loss; below 0: the motion grows", heads, rows)


def _explain(console: Console, points: list[DampingPoint]) -> None:
    """Report why points are missing, once per method."""
    missing = [point for point in points if point.note]
    for name in dict.fromkeys(point.integrator for point in missing):
        mine = [point for point in missing if point.integrator == name]
        console.print(
            f"{name}: no value at {len(mine)} point{'s' * (len(mine) > 1)}, the first at h omega = {mine[0].h_omega:g}: "
            f"{mine[0].note}",
            markup=False,
        )
