"""`supple analyse work-precision`: cost against accuracy of each method on a scene, and a recommendation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

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

Repeats: TypeAlias = Annotated[
    int, typer.Option(min=1, max=10_000, help="Repetitions of each run; the least CPU time counts.")
]
Budget: TypeAlias = Annotated[
    float | None, typer.Option(help="CPU seconds per simulated second; ranks the methods by error.")
]
Accuracy: TypeAlias = Annotated[
    float | None,
    typer.Option(help="Largest error, relative to size or energy; ranks the methods by CPU time."),
]
Against: TypeAlias = Annotated[
    Literal["cpu", "wall", "forces"],
    typer.Option(help="Horizontal axis of the plot: CPU time, wall time, or force evaluations."),
]
Modes: TypeAlias = Annotated[
    int, typer.Option(min=0, help="Number of vibration modes whose errors are measured; 0: none.")
]

HEADS = (
    "integrator", "steps", "taken", "error x", "error v", "error energy", "error modes", "cpu s", "wall s", "iterations",
    "forces",
)  # fmt: skip
SCALES = "energy relative to the energy in play, lowest modes [m]"


def work_precision(
    scene: SceneName,
    integrators: Integrators = USUAL,
    steps: Steps = "32,64,128",
    duration: Duration = None,
    settings: Settings = None,
    reference: Reference = EXACT,
    tolerance: Tolerance = 1e-12,
    repeats: Repeats = 3,
    modes: Modes = 6,
    budget: Budget = None,
    accuracy: Accuracy = None,
    against: Against = "cpu",
    csv: Annotated[Path, typer.Option(help="File for the figures.")] = Path("work-precision.csv"),
    plot: Annotated[Path, typer.Option(help="File for the plot.")] = Path("work-precision.png"),
    as_json: AsJson = False,
) -> None:
    """Run a scene with ever smaller steps; ranks the methods by error and CPU time, writes a table and a plot.

    Methods with adaptive steps are included. Step rules use the step as an upper bound: with --steps 32 a thirty-second of the
    duration. The tolerance of integrator.adaptive, as in avf:adaptive.tolerance=1e-3, applies to the first step count; it is
    tighter for the others."""
    from dataclasses import asdict

    from supple.cli.analyse.advice import advise
    from supple.cli.analyse.output import check_positive, check_results, show_files
    from supple.cli.analyse.study import carry_out
    from supple.cli.output import new_console, print_json
    from supple.render.plots.convergence import COSTS, plot_work

    console = new_console(as_json)
    check_results(csv, plot)
    check_positive({"--budget": budget, "--accuracy": accuracy})
    study = carry_out(
        scene, integrators, steps, duration, settings, reference, tolerance, console, repeats, modes
    )  # fmt: skip
    study.write(csv)
    plot_work(study.curves(), plot, f"{study.title}: error against {COSTS[against]}", against)
    _show(console, study)
    study.explain_failures(console)
    advice = advise(study, budget, accuracy)
    advice.show(console)
    if modes and "error_modes" not in advice.rankings:
        console.print("lowest modes are not ranked: the motion does not excite them", markup=False)
    show_files(console, {"table": csv, "plot": plot})
    if as_json:
        runs = [asdict(run) for run in study.trials]
        print_json({"csv": str(csv), "plot": str(plot), "reference": reference, "runs": runs, **advice.document()})


def _show(console: Console, study: Study) -> None:
    from supple.cli.analyse.output import show_table
    from supple.cli.analyse.study import NORMS

    rows = []
    for run in study.trials:
        errors = (run.error_x, run.error_v, run.error_energy, run.error_modes)
        figures = [run.failure.partition(":")[0], "", "", ""] if run.failure else [f"{e:.3e}" for e in errors]
        cost = [f"{run.cpu_seconds:.3g}", f"{run.wall_seconds:.3g}", str(run.iterations), f"{run.evaluations:.0f}"]
        rows.append([run.integrator, str(run.steps), str(run.taken), *figures, *cost])
    show_table(console, f"{study.title}, against {study.reference}; {NORMS}; {SCALES}", HEADS, rows)
