"""`supple analyse work-precision`: what accuracy costs, method by method, on a scene."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

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


def work_precision(
    scene: SceneName,
    integrators: Integrators = USUAL,
    steps: Steps = "32,64,128",
    duration: Duration = None,
    settings: Settings = None,
    reference: Reference = EXACT,
    tolerance: Tolerance = 1e-12,
    csv: Annotated[Path, typer.Option(help="File for the figures.")] = Path("work-precision.csv"),
    plot: Annotated[Path, typer.Option(help="File for the plot.")] = Path("work-precision.png"),
    as_json: AsJson = False,
) -> None:
    """Run a scene with more and more steps; shows errors against wall time, writes a table and a plot."""
    from dataclasses import asdict

    from supple.cli.analyse.output import check_places, show_files, show_table
    from supple.cli.analyse.study import NORMS, carry_out
    from supple.cli.output import new_console, print_json
    from supple.render.plots.convergence import plot_work

    console = new_console(as_json)
    check_places(csv, plot)
    study = carry_out(scene, integrators, steps, duration, settings, reference, tolerance, console)
    study.write(csv)
    plot_work(study.curves(), plot, f"{study.title}: error against wall time")
    heads = ("integrator", "steps", "error x", "error v", "wall s", "iterations")
    cells = []
    for run in study.trials:
        figures = [run.failure.partition(":")[0], ""] if run.failure else [f"{run.error_x:.3e}", f"{run.error_v:.3e}"]
        cells.append([run.integrator, str(run.steps), *figures, f"{run.wall_seconds:.3g}", str(run.iterations)])
    show_table(console, f"{study.title}, against {study.reference}; {NORMS}", heads, cells)
    study.explain_failures(console)
    show_files(console, {"table": csv, "plot": plot})
    if as_json:
        runs = [asdict(run) for run in study.trials]
        print_json({"csv": str(csv), "plot": str(plot), "reference": reference, "runs": runs})
